import Foundation
import Testing

@testable import HTTPServing
@testable import OpenSubsonic

struct SubsonicWriterTests {
  private static let payload: SubsonicObject = {
    var line = SubsonicObject()
    line.add("start", Int64(1500))
    line.add("value", "a < b & \"c\"\n\u{1}")
    var item = SubsonicObject()
    item.add("name", "Tide")
    item.add("count", 3)
    item.add("gain", -2.5)
    item.add("isDir", false)
    item.add("missing", String?.none)
    item.add("line", [line])
    item.add("isrc", texts: ["X1", "X2"])
    item.add("empty", [])
    return .holding("item", item)
  }()

  @Test func `JSON has lists as lists and numbers as numbers`() throws {
    let bytes = try DocumentStream(SubsonicWriter.json(Self.payload, isOK: true)).whole()
    let document = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: [String: Any]])
    let response = try #require(document["subsonic-response"])
    #expect(response["status"] as? String == "ok" && response["openSubsonic"] as? Bool == true)
    let item = try #require(response["item"] as? [String: Any])
    #expect(item["count"] as? Int == 3 && item["gain"] as? Double == -2.5 && item["isDir"] as? Bool == false)
    #expect(item["missing"] == nil && (item["empty"] as? [Any])?.isEmpty == true)
    #expect(item["isrc"] as? [String] == ["X1", "X2"])
    let line = try #require((item["line"] as? [[String: Any]])?.first)
    #expect(line["value"] as? String == "a < b & \"c\"\n\u{1}")
  }

  @Test func `XML has single values as attributes, lists as elements, and value as text`() throws {
    let text = String(
      decoding: try DocumentStream(SubsonicWriter.xml(Self.payload, isOK: false)).whole(), as: UTF8.self)
    #expect(
      text.hasPrefix(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<subsonic-response xmlns=\"http://subsonic.org/restapi\" status=\"failed\""
      ))
    #expect(text.contains("<item name=\"Tide\" count=\"3\" gain=\"-2.5\" isDir=\"false\">"))
    #expect(text.contains("<line start=\"1500\">a &lt; b &amp; &quot;c&quot;&#10;\u{FFFD}</line>"))
    #expect(text.contains("<isrc>X1</isrc><isrc>X2</isrc>"))
    #expect(!text.contains("empty") && !text.contains("missing"))
  }
}

import Foundation
@testable import TagEditing
import Testing
import TestSupport

/// Numbers of tracks and discs in all, which most kinds of tags have behind the number: `3/12`.
struct TotalsEditingTests {
  private static func file(_ name: String) throws -> TaggedFile {
    var file = TaggedFile([UInt8](try Data(contentsOf: Corpora.fixtures.appending(path: name))))
    file.name = name
    return file
  }

  /// Edits and returns what the file then says.
  private static func edited(_ file: inout TaggedFile, _ changes: TagEdit.Change...) throws -> [String: [String]] {
    let plan = try TagEditor.plan(TagEdit(changes), file.buffered)
    file.bytes = plan.plan.applied(to: file.bytes)
    return try file.properties()
  }

  private static let behind = [
    "damaged/clean.mp3", "formats/Every Connector/01 Barrel.m4a", "formats/Every Connector/04 Banana.wv",
    "formats/Every Connector/05 Phono.tta",
    "audio/The Locked Grooves/Thirty-Three and a Third/06 Big End.aiff",
  ]

  @Test(arguments: behind) func `a total goes behind the number, and stays there`(name: String) throws {
    var file = try Self.file(name)
    for (number, total) in [("TRACKNUMBER", "TRACKTOTAL"), ("DISCNUMBER", "DISCTOTAL")] {
      var found = try Self.edited(&file, .set(number, ["3"]), .set(total, ["12"]))
      #expect(found[number] == ["3/12"] && found[total] == nil, "\(name): \(found)")
      // The number that is there counts.
      found = try Self.edited(&file, .set(total, ["13"]))
      #expect(found[number] == ["3/13"] && found[total] == nil, "\(name): \(found)")
      found = try Self.edited(&file, .remove(total))
      #expect(found[number] == ["3"] && found[total] == nil, "\(name): \(found)")
      #expect(try TagEditor.plan(TagEdit([.remove(total)]), file.buffered).plan.isEmpty)
    }
  }

  @Test func `in Vorbis comments it is a comment, unless the number has it`() throws {
    var file = try Self.file("audio/星屑電機/夜の配線/02 配線図.ogg")
    var found = try Self.edited(&file, .set("TRACKNUMBER", ["3"]), .set("TRACKTOTAL", ["12"]))
    #expect(found["TRACKNUMBER"] == ["3"] && found["TRACKTOTAL"] == ["12"])
    found = try Self.edited(&file, .set("TRACKNUMBER", ["3/12"]), .remove("TRACKTOTAL"))
    #expect(found["TRACKNUMBER"] == ["3/12"] && found["TRACKTOTAL"] == nil, "\(found)")
    found = try Self.edited(&file, .set("TRACKTOTAL", ["14"]))
    #expect(found["TRACKNUMBER"] == ["3/14"] && found["TRACKTOTAL"] == nil, "\(found)")
  }

  @Test func `a total with a name of its own keeps it`() throws {
    var file = try Self.file("damaged/clean.mp3")
    // Without a number there is nothing to stand behind.
    var found = try Self.edited(&file, .remove("TRACKNUMBER"))
    found = try Self.edited(&file, .set("TRACKTOTAL", ["9"]))
    #expect(found["TRACKTOTAL"] == ["9"] && found["TRACKNUMBER"] == nil, "\(found)")
    found = try Self.edited(&file, .set("TRACKNUMBER", ["2"]))
    found = try Self.edited(&file, .set("TRACKTOTAL", ["10"]))
    #expect(found["TRACKTOTAL"] == ["10"] && found["TRACKNUMBER"] == ["2"], "\(found)")
  }
}

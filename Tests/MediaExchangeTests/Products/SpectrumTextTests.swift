import Foundation
import MediaExchange
import MediaModel
import Testing

struct SpectrumTextTests {
  /// Two bands, split at about 1,342 Hz.
  let summary = SpectrumSummary(
    sampleRateInHz: 44_100, mix: .init(meanInDB: [-20.256, -40], maximumInDB: [-10, -30]), channels: [],
    bins: .init(meanInDB: [], maximumInDB: []))

  @Test func `JSON has the keys that programs rely on`() throws {
    let document = try object(SpectrumTable(summary).jsonText)
    #expect(Set(document.keys) == ["schema", "sample_rate_hz", "weighting", "bands"])
    #expect(document["schema"] as? Int == 1)
    #expect(document["sample_rate_hz"] as? Int == 44_100)
    #expect(document["weighting"] as? String == "none")
    let bands = try #require(document["bands"] as? [[String: Any]])
    #expect(bands.count == 2)
    #expect(bands[0]["low_hz"] as? Double == 100)
    #expect(bands[0]["high_hz"] as? Double == 1341.641)
    #expect(bands[0]["mean_db"] as? Double == -20.26)
    #expect(bands[1]["high_hz"] as? Double == 18_000)
    #expect(bands[1]["max_db"] as? Double == -30)
  }

  @Test func `CSV has one row per band`() {
    #expect(
      SpectrumTable(summary).csvText
        == "low_hz,high_hz,mean_db,max_db\n100,1341.641,-20.26,-10\n1341.641,18000,-40,-30\n")
  }

  @Test func `A-weighting lowers low frequencies and leaves 1 kHz alone`() throws {
    let levels = SpectrumSummary.Levels(
      meanInDB: Array(repeating: -20, count: 80), maximumInDB: Array(repeating: -20, count: 80))
    let flat = SpectrumSummary(sampleRateInHz: 44_100, mix: levels, channels: [], bins: levels)
    let table = SpectrumTable(flat, weighting: .a)
    let kilohertz = try #require(SpectrumBands.standard.index(ofHz: 1000))
    #expect(abs(try #require(table.bands[kilohertz].meanInDB) + 20) < 0.2)
    // The standard gives -19.1 dB at 100 Hz; the first band's centre is a little higher.
    #expect(abs(try #require(table.bands[0].meanInDB) + 39.1) < 1)
  }

  @Test func `bands above half the sample rate have no level`() throws {
    var slow = summary
    slow.sampleRateInHz = 2000
    #expect(SpectrumTable(slow).csvText.hasSuffix("1341.641,18000,,\n"))
    let bands = try #require(try object(SpectrumTable(slow).jsonText)["bands"] as? [[String: Any]])
    #expect(bands[1]["mean_db"] is NSNull)
  }

  @Test func `levels that are not finite are null`() throws {
    var broken = summary
    broken.mix = .init(meanInDB: [.nan, .infinity], maximumInDB: [])
    let bands = try #require(try object(SpectrumTable(broken).jsonText)["bands"] as? [[String: Any]])
    #expect(bands.allSatisfy { $0["mean_db"] is NSNull && $0["max_db"] is NSNull })
  }

  private func object(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }
}

import Foundation
import MediaExport
import MediaModel
import Testing
import TestSupport

/// `.dat` and JSON of others become peaks, or say at which byte they cannot.
struct WaveformReadingTests {
  private let split = WaveformPeaks(
    sampleRateInHz: 8000, framesPerPoint: 4, channelCount: 2, resolution: .bits8,
    values: [-11, 7, -3, 2, 0, 46, -128, 0])

  private func json(_ text: String) throws -> (peaks: WaveformPeaks, announcedPointCount: Int) {
    try WaveformPeaks.read(json: Array(text.utf8))
  }

  @Test func `what is written is read again`() throws {
    let fromText = try json(split.jsonText)
    #expect(fromText.peaks == split && fromText.announcedPointCount == 2)
    let fromBytes = try WaveformPeaks.read(dat: split.datBytes)
    #expect(fromBytes.peaks == split && fromBytes.announcedPointCount == 2)
  }

  @Test func `keys may come in any order, with blanks and others between them`() throws {
    let text = """
      { "data" : [ -300, 200 ,-32768,32767 ], "comment": {"a\\"": [null, true, {"b": 1.5e3}]},
        "length": 2, "samples_per_pixel": 256, "sample_rate": 44100, "version": 1 }
      """
    let peaks = try json(text).peaks
    #expect(peaks.values == [-300, 200, -32768, 32767])
    #expect(peaks.channelCount == 1 && peaks.resolution == .bits16)
  }

  @Test func `fewer points than announced are those that are there`() throws {
    let short = try WaveformPeaks.read(dat: split.datBytes.dropLast(3))
    #expect(short.peaks.pointCount == 1 && short.announcedPointCount == 2)
    let text = try json(split.jsonText.replacing("-128,0]", with: "-128]"))
    #expect(text.peaks.pointCount == 1 && text.announcedPointCount == 2)
  }

  @Test(arguments: [
    ("", 0), ("[]", 0), ("{\"version\":2", 12), ("{\"version\":3,\"length\":0}", 11), ("{\"version\":2,}", 13),
    ("{\"data\":[1,2.5]}", 11), ("{\"data\":[40000]}", 9), ("{\"data\":[1,]}", 11), ("{\"data\":[1 2]}", 11),
    ("{\"data\":[1,2]} x", 15), ("{\"version\":99999999999999999999}", 11), ("{\"data", 1), ("{\"a\":nul}", 5),
    ("{\"version\":1,\"sample_rate\":8000,\"samples_per_pixel\":1,\"length\":0,\"data\":[]}", 52),
    ("{\"version\":1,\"sample_rate\":8000,\"samples_per_pixel\":4,\"bits\":8,\"length\":1,\"data\":[0,128]}", 84),
    ("{\"version\":1,\"sample_rate\":8000,\"samples_per_pixel\":4,\"bits\":12,\"length\":1,\"data\":[]}", 61),
  ])
  func `what is no JSON of peaks is refused where it goes wrong`(text: String, offset: Int) {
    let failure = #expect(throws: ByteReader.Failure.self) { try json(text) }
    #expect(failure?.offset == offset, "\(String(describing: failure))")
  }

  @Test func `values too deep in each other are refused`() {
    let text = "{\"a\":" + String(repeating: "[", count: 100_000)
    #expect(throws: ByteReader.Failure.self) { try json(text) }
  }

  @Test(arguments: [(0, 3), (8, 0), (12, 1), (20, 25)])
  func `a header that cannot be is refused at its field`(offset: Int, value: UInt8) {
    var bytes = split.datBytes
    bytes.replaceSubrange(offset..<offset + 4, with: [value, 0, 0, 0])
    let failure = #expect(throws: ByteReader.Failure.self) { try WaveformPeaks.read(dat: bytes) }
    #expect(failure?.offset == offset)
  }

  @Test func `random changes are read or refused, and never trap`() {
    var random = RepeatableRandom(seed: 11)
    let text = Array(split.jsonText.utf8)
    for _ in 0..<5000 {
      var bytes = text
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      bytes.removeLast(Int.random(in: 0...bytes.count / 4, using: &random))
      if let peaks = try? WaveformPeaks.read(json: bytes).peaks {
        #expect(peaks.values.count.isMultiple(of: 2 * peaks.channelCount))
      }
    }
  }

  @Test func `players get the largest excursion of each channel and the duration`() {
    #expect(
      split.playerText(durationInSeconds: 1.25)
        == "{\"duration\":1.25,\"peaks\":[[0.0859,0.3594],[0.0234,1]]}\n")
  }

  @Test(
    .enabled(if: Corpora.root != nil, Comment(rawValue: Corpora.absence)),
    arguments: ["stereo.wav.b8.z512.json", "stereo.wav.b8.z512.split.json"])
  func `audiowaveform's JSON is read`(name: String) throws {
    let bytes = try Array(Data(contentsOf: try #require(Corpora.root).appending(path: "waveforms/\(name)")))
    let (peaks, count) = try WaveformPeaks.read(json: bytes)
    #expect(peaks.pointCount == count && Array(peaks.jsonText.utf8) == bytes)
  }
}

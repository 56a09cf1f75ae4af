import Base
import Foundation
import MediaExchange
import MediaModel
import Testing
import TestSupport

struct WaveformTextTests {
  let split = WaveformPeaks(
    sampleRateInHz: 8000, framesPerPoint: 4, channelCount: 2, resolution: .bits8,
    values: [-11, 7, -3, 2, 0, 46, -128, 0])
  let mono = WaveformPeaks(
    sampleRateInHz: 8000, framesPerPoint: 4, channelCount: 1, resolution: .bits16,
    values: [-300, 200, -32768, 32767, -255, 255])

  @Test func `JSON is one line in audiowaveform's order`() {
    #expect(
      split.jsonText
        == "{\"version\":2,\"channels\":2,\"sample_rate\":8000,\"samples_per_pixel\":4,\"bits\":8,\"length\":2,"
        + "\"data\":[-11,7,-3,2,0,46,-128,0]}\n")
  }

  @Test func `no points are an empty list`() {
    let empty = WaveformPeaks(
      sampleRateInHz: 8000, framesPerPoint: 4, channelCount: 1, resolution: .bits8, values: [])
    #expect(empty.jsonText.hasSuffix("\"length\":0,\"data\":[]}\n"))
    #expect(empty.plainText.isEmpty)
    #expect(empty.csvText == "time_seconds,min,max\n")
  }

  @Test func `text has one line per point with the pairs of all channels`() {
    #expect(split.plainText == "-11,7,-3,2\n0,46,-128,0\n")
  }

  @Test func `CSV names its columns and gives the time of each point`() {
    #expect(
      split.csvText == "time_seconds,min_1,max_1,min_2,max_2\n0,-11,7,-3,2\n0.0005,0,46,-128,0\n")
  }

  @Test func `8 bit is the 16-bit value over 256, truncated`() {
    #expect(mono.converted(to: .bits8).values == [-1, 0, -128, 127, 0, 0])
  }

  @Test func `16 bit is the 8-bit value times 256`() {
    #expect(split.converted(to: .bits16).values == [-2816, 1792, -768, 512, 0, 11776, -32768, 0])
  }

  @Test func `automatic scaling of data is decided by the negative excursion`() {
    var peaks = mono
    peaks.values = [-1000, 200, 0, 2000]
    // 32767 / 1000 = 32.767: the positive excursion is clipped.
    #expect(peaks.scaledAutomatically.values == [-32767, 6553, 0, 32767])
  }

  @Test func `automatic scaling leaves silence alone`() {
    var peaks = mono
    peaks.values = [0, 0]
    #expect(peaks.scaledAutomatically.values == [0, 0])
  }

  @Test(
    .enabled(if: Corpora.root != nil, Comment(rawValue: Corpora.absence)),
    arguments: ["stereo.wav.b8.z512.json", "stereo.wav.b8.z512.split.json"])
  func `JSON of rescaled peaks equals audiowaveform's`(name: String) throws {
    let folder = try #require(Corpora.root).appending(path: "waveforms")
    let isSplit = name.contains("split")
    let source = try WaveformPeaks(
      datBytes: Array(Data(contentsOf: folder.appending(path: "stereo.wav.b8.z256\(isSplit ? ".split" : "").dat"))))
    let expected = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    #expect(source.rescaled(toFramesPerPoint: 512).jsonText == expected)
  }
}

/// Peaks are read from `.dat` and JSON files; errors give the offset.
struct WaveformReadingTests {
  private let split = WaveformPeaks(
    sampleRateInHz: 8000, framesPerPoint: 4, channelCount: 2, resolution: .bits8,
    values: [-11, 7, -3, 2, 0, 46, -128, 0])

  private func json(_ text: String) throws -> (peaks: WaveformPeaks, announcedPointCount: Int) {
    try WaveformPeaks.read(json: Array(text.utf8))
  }

  @Test func `what is written is read back`() throws {
    let fromText = try json(split.jsonText)
    #expect(fromText.peaks == split && fromText.announcedPointCount == 2)
    let fromBytes = try WaveformPeaks.read(dat: split.datBytes)
    #expect(fromBytes.peaks == split && fromBytes.announcedPointCount == 2)
  }

  @Test func `keys may come in any order, with white space and unknown keys`() throws {
    let text = """
      { "data" : [ -300, 200 ,-32768,32767 ], "comment": {"a\\"": [null, true, {"b": 1.5e3}]},
        "length": 2, "samples_per_pixel": 256, "sample_rate": 44100, "version": 1 }
      """
    let peaks = try json(text).peaks
    #expect(peaks.values == [-300, 200, -32768, 32767])
    #expect(peaks.channelCount == 1 && peaks.resolution == .bits16)
  }

  @Test func `fewer points than announced are read`() throws {
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
  func `invalid JSON is refused with the offset of the error`(text: String, offset: Int) {
    let failure = #expect(throws: ByteReader.Failure.self) { try json(text) }
    #expect(failure?.offset == offset, "\(String(describing: failure))")
  }

  @Test func `values nested too deep are refused`() {
    let text = "{\"a\":" + String(repeating: "[", count: 100_000)
    #expect(throws: ByteReader.Failure.self) { try json(text) }
  }

  @Test(arguments: [(0, 3), (8, 0), (12, 1), (20, 25)])
  func `an invalid header is refused at its field`(offset: Int, value: UInt8) {
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

  @Test func `players get the largest absolute value of each channel and the duration`() {
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

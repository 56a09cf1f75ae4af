import Foundation
import MediaExport
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

  @Test func `text has a line a point with the pairs of all channels`() {
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

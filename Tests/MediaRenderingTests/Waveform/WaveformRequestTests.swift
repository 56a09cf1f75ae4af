import Foundation
import MediaModel
import MediaRendering
import Testing
import TestSupport

struct WaveformRequestTests {
  /// A stereo recording of 4 seconds as the store keeps it.
  let stored = WaveformInventory(
    sampleRateInHz: 44_100, frameCount: 176_400, channelCount: 2,
    mix: .init(framesPerPoint: 256, resolution: .bits8, channelCount: 1),
    channels: .init(framesPerPoint: 512, resolution: .bits8, channelCount: 2))

  @Test(arguments: [256, 512, 1024, 25_600])
  func `a multiple of the stored zoom needs no audio`(zoom: Int) throws {
    let request = WaveformRequest(zoom: .framesPerPoint(zoom), isExact: true)
    #expect(try request.selection(from: stored) == .storedMix)
  }

  @Test func `a coarser zoom that is not a multiple is rescaled unless it must be exact`() throws {
    var request = WaveformRequest(zoom: .framesPerPoint(1000))
    #expect(try request.selection(from: stored) == .storedMix)
    request.isExact = true
    #expect(
      try request.selection(from: stored)
        == .decoded(WaveformDecoding(framesPerPoint: 1000, resolution: .bits8, splitsChannels: false)))
  }

  @Test func `a finer zoom is decoded`() throws {
    #expect(
      try WaveformRequest(zoom: .framesPerPoint(255)).selection(from: stored)
        == .decoded(WaveformDecoding(framesPerPoint: 255, resolution: .bits8, splitsChannels: false)))
  }

  @Test func `16 bit is decoded at any zoom`() throws {
    #expect(
      try WaveformRequest(zoom: .framesPerPoint(512), resolution: .bits16).selection(from: stored)
        == .decoded(WaveformDecoding(framesPerPoint: 512, resolution: .bits16, splitsChannels: false)))
  }

  @Test func `automatic scaling starts from 16 bit`() throws {
    #expect(
      try WaveformRequest(scalesAutomatically: true).selection(from: stored)
        == .decoded(WaveformDecoding(framesPerPoint: 256, resolution: .bits16, splitsChannels: false)))
  }

  @Test(arguments: [(512, WaveformSelection.storedChannels), (1536, .storedChannels)])
  func `channels are stored at 512`(zoom: Int, selection: WaveformSelection) throws {
    #expect(
      try WaveformRequest(zoom: .framesPerPoint(zoom), splitsChannels: true).selection(from: stored) == selection)
  }

  @Test func `channels at 256 are decoded`() throws {
    #expect(
      try WaveformRequest(splitsChannels: true).selection(from: stored)
        == .decoded(WaveformDecoding(framesPerPoint: 256, resolution: .bits8, splitsChannels: true)))
  }

  @Test func `the one channel of a mono recording is its mix`() throws {
    var mono = stored
    mono.channelCount = 1
    #expect(try WaveformRequest(splitsChannels: true).selection(from: mono) == .storedMix)
  }

  @Test func `more channels than are stored are decoded`() throws {
    var surround = stored
    surround.channelCount = 10
    surround.channels?.channelCount = 8
    let selection = try WaveformRequest(zoom: .framesPerPoint(512), splitsChannels: true).selection(from: surround)
    #expect(
      selection == .decoded(WaveformDecoding(framesPerPoint: 512, resolution: .bits8, splitsChannels: true)))
  }

  @Test func `without stored peaks everything is decoded`() throws {
    let bare = WaveformInventory(
      sampleRateInHz: 44_100, frameCount: 176_400, channelCount: 2, mix: nil, channels: nil)
    #expect(
      try WaveformRequest().selection(from: bare)
        == .decoded(WaveformDecoding(framesPerPoint: 256, resolution: .bits8, splitsChannels: false)))
  }

  @Test func `a picture decodes only what it shows`() throws {
    let request = WaveformRequest(zoom: .framesPerPoint(100))
    let view = try WaveformView(zoom: request.zoom, startInSeconds: 1, pointCount: 50, of: stored)
    #expect(view.firstPoint == 441)
    #expect(
      try request.selection(from: stored, showing: view)
        == .decoded(
          WaveformDecoding(
            framesPerPoint: 100, resolution: .bits8, splitsChannels: false, frames: 44_100..<49_100)))
  }

  @Test func `peaks finer than asked are brought to zoom and resolution`() throws {
    let peaks = WaveformPeaks(
      sampleRateInHz: 44_100, framesPerPoint: 256, channelCount: 1, resolution: .bits8, values: [-1, 2, -3, 1])
    let request = WaveformRequest(zoom: .framesPerPoint(512), resolution: .bits16)
    #expect(try request.result(from: peaks, of: stored).values == [-768, 512])
  }

  @Test func `peaks coarser than asked are an error`() throws {
    let peaks = WaveformPeaks(
      sampleRateInHz: 44_100, framesPerPoint: 512, channelCount: 1, resolution: .bits8, values: [-1, 2])
    #expect(throws: RenderingError.self) { try WaveformRequest().result(from: peaks, of: stored) }
  }

  /// What audiowaveform made of the same recording, and the request that its file name stands for.
  @Test(
    .enabled(if: Corpora.root != nil, Comment(rawValue: Corpora.absence)),
    arguments: [
      ("stereo.wav.b8.z256.dat", WaveformZoom.framesPerPoint(256), 8, false),
      ("stereo.wav.b8.z1000.dat", .framesPerPoint(1000), 8, false),
      ("stereo.wav.b8.z1000.split.dat", .framesPerPoint(1000), 8, true),
      ("stereo.wav.b16.z256.dat", .framesPerPoint(256), 16, false),
      ("stereo.wav.b16.z1000.split.dat", .framesPerPoint(1000), 16, true),
      ("stereo.wav.pps50.dat", .pointsPerSecond(50), 8, false),
      ("stereo.wav.s1.e3.w200.dat", .range(startInSeconds: 1, endInSeconds: 3, pointCount: 200), 8, false),
    ])
  func `exact requests give audiowaveform's bytes`(
    name: String, zoom: WaveformZoom, bits: Int, isSplit: Bool
  ) throws {
    let folder = try #require(Corpora.root).appending(path: "waveforms")
    let expected = try Array(Data(contentsOf: folder.appending(path: name)))
    let wave = try Data(contentsOf: folder.appending(path: "stereo.wav"))
    let request = WaveformRequest(
      zoom: zoom, resolution: bits == 8 ? .bits8 : .bits16, splitsChannels: isSplit, isExact: true)
    let peaks: WaveformPeaks
    switch try request.selection(from: stored) {
    case .decoded(let decoding): peaks = plainPeaks(ofStereoWave: wave, decoding)
    case .storedMix, .storedChannels:
      peaks = plainPeaks(
        ofStereoWave: wave,
        WaveformDecoding(framesPerPoint: 256, resolution: .bits8, splitsChannels: isSplit))
    }
    #expect(try request.result(from: peaks, of: stored).datBytes == expected)
  }

  @Test(.enabled(if: Corpora.root != nil, Comment(rawValue: Corpora.absence)))
  func `rescaling 256 to 1024 gives audiowaveform's bytes`() throws {
    let folder = try #require(Corpora.root).appending(path: "waveforms")
    let mix = try WaveformPeaks(datBytes: Array(Data(contentsOf: folder.appending(path: "stereo.wav.b8.z256.dat"))))
    let expected = try Array(Data(contentsOf: folder.appending(path: "stereo.wav.b8.z256-to-1024.dat")))
    let request = WaveformRequest(zoom: .framesPerPoint(1024))
    #expect(try request.result(from: mix, of: stored).datBytes == expected)
  }

  /// Peaks by the book, from the samples behind a plain 44-byte header.
  private func plainPeaks(ofStereoWave wave: Data, _ decoding: WaveformDecoding) -> WaveformPeaks {
    let samples: [Int] = Array(wave.dropFirst(44)).withUnsafeBytes { bytes in
      bytes.bindMemory(to: Int16.self).map { Int($0) }
    }
    let frames: [[Int]] = stride(from: 0, to: samples.count, by: 2).map { index in
      let (left, right) = (samples[index], samples[index + 1])
      return decoding.splitsChannels ? [left, right] : [(left + right) / 2]
    }
    let divisor = decoding.resolution == .bits8 ? 256 : 1
    let channels = decoding.splitsChannels ? 2 : 1
    var values: [Int16] = []
    for start in stride(from: 0, to: frames.count, by: decoding.framesPerPoint) {
      let block = frames[start..<min(start + decoding.framesPerPoint, frames.count)]
      for channel in 0..<channels {
        let samples = block.map { $0[channel] }
        values += [samples.min() ?? 0, samples.max() ?? 0].map { Int16($0 / divisor) }
      }
    }
    return WaveformPeaks(
      sampleRateInHz: 44_100, framesPerPoint: decoding.framesPerPoint, channelCount: channels,
      resolution: decoding.resolution, values: values)
  }
}

import MediaModel
import Testing

@testable import WebAPI

struct RecentWaveformsTests {
  private func peaks(pointCount: Int, channelCount: Int = 1, _ resolution: WaveformPeaks.Resolution = .bits8)
    -> WaveformPeaks
  {
    let values = (0..<2 * channelCount * pointCount).map { Int16(truncatingIfNeeded: $0 * 7 % 120 - 60) }
    return WaveformPeaks(
      sampleRateInHz: 44_100, framesPerPoint: 256, channelCount: channelCount, resolution: resolution, values: values)
  }

  private func key(_ recordingID: Int64, revision: String = "a") -> RecentWaveforms.Key {
    RecentWaveforms.Key(
      revision: revision, recordingID: recordingID, framesPerPoint: 256, resolution: .bits8, splitsChannels: false)
  }

  @Test(arguments: [1, 2], [WaveformPeaks.Resolution.bits8, .bits16])
  func `a part is a file of its points`(channelCount: Int, resolution: WaveformPeaks.Resolution) throws {
    let whole = peaks(pointCount: 100, channelCount: channelCount, resolution)
    let encoded = EncodedWaveform(whole)
    #expect(encoded.part(from: 0, count: nil) == whole.datBytes)
    for (first, count, points) in [
      (10, 20, 10..<30), (90, 20, 90..<100), (100, 5, 100..<100), (1 << 40, 5, 100..<100), (7, nil, 7..<100),
    ] as [(Int64, Int64?, Range<Int>)] {
      let part = try WaveformPeaks(datBytes: encoded.part(from: first, count: count))
      let values = whole.values[2 * channelCount * points.lowerBound..<2 * channelCount * points.upperBound]
      #expect(part.values == Array(values), "\(first), \(count ?? -1)")
      #expect(part.channelCount == channelCount && part.resolution == resolution && part.framesPerPoint == 256)
    }
  }

  @Test func `another revision of the library has waveforms of its own`() {
    let known = RecentWaveforms()
    known.note(EncodedWaveform(peaks(pointCount: 3)), for: key(1))
    #expect(known.waveform(for: key(1)) != nil && known.waveform(for: key(1, revision: "b")) == nil)
  }

  @Test func `those that were not asked for the longest make room`() {
    let known = RecentWaveforms()
    // Each takes 2 MiB and a little: five fit into twelve.
    let waveform = EncodedWaveform(peaks(pointCount: 1 << 20))
    for id in 1...5 { known.note(waveform, for: key(Int64(id))) }
    #expect((1...5).allSatisfy { known.waveform(for: key(Int64($0))) != nil })
    _ = known.waveform(for: key(1))
    known.note(waveform, for: key(6))
    #expect(known.waveform(for: key(1)) != nil && known.waveform(for: key(6)) != nil)
    #expect(known.waveform(for: key(2)) == nil)
  }
}

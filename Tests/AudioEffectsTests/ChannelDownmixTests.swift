import AudioEffects
import MediaModel
import Testing
import TestSupport

struct ChannelDownmixTests {
  /// What one loudspeaker alone gives on the left and right.
  private func pair(_ channel: Int, of count: Int, mask: UInt32? = nil, _ order: AudioFormat.ChannelOrder = .standard)
    throws -> [Float]
  {
    let format = AudioFormat(sampleRateInHz: 48_000, channelCount: count, channelOrder: order, channelMask: mask)
    let downmix = ChannelDownmix(format)
    #expect(downmix.format.channelCount == 2 && downmix.format.unusualMask == nil)
    #expect(downmix.outputFrameCount(for: 77) == 77)
    var frame = [Float](repeating: 0, count: count)
    frame[channel] = 1
    return try output(of: downmix, for: frame + frame, channelCount: count)
  }

  /// The gains of ITU-R BS.775-3, table 2, for 3/2 to 2/0.
  @Test func `each loudspeaker goes to its side`() throws {
    let half = Float(0.5).squareRoot()
    let expected: [[Float]] = [[1, 0], [0, 1], [half, half], [0, 0], [half, 0], [0, half]]
    for (channel, gains) in expected.enumerated() {
      #expect(try pair(channel, of: 6) == gains + gains, "channel \(channel)")
      // With side instead of back channels.
      #expect(try pair(channel, of: 6, mask: 0x60F) == gains + gains, "channel \(channel)")
    }
    #expect(try pair(2, of: 4) == [half, 0, half, 0], "quadraphonic back left")
    #expect(try pair(6, of: 7) == [0, half, 0, half], "6.1 side right")
    #expect(try pair(4, of: 7) == [0.5, 0.5, 0.5, 0.5], "6.1 back centre")
  }

  @Test func `channels without loudspeakers are left and right in turns`() throws {
    for channel in 0..<12 {
      let gains: [Float] = channel.isMultiple(of: 2) ? [1, 0] : [0, 1]
      #expect(try pair(channel, of: 12) == gains + gains)
      if channel < 6 { #expect(try pair(channel, of: 6, .unspecified) == gains + gains) }
    }
  }
}

package import MediaModel

/// The order of channels in a file against that of WAVE and FLAC.
package enum ChannelOrder {
  /// For each channel of WAVE, the channel of the source that goes there; nil where they are the same.
  ///
  /// Vorbis (Vorbis I section 4.3.9) and Opus (RFC 7845 section 5.1.1.2) put the centre second and the low frequencies last.
  package static func permutation(from order: AudioFormat.ChannelOrder, channelCount: Int) -> [Int]? {
    guard order == .vorbis else { return nil }
    return switch channelCount {
    case 3: [0, 2, 1]
    case 5: [0, 2, 1, 3, 4]
    case 6: [0, 2, 1, 5, 3, 4]
    case 7: [0, 2, 1, 6, 5, 3, 4]
    case 8: [0, 2, 1, 7, 5, 6, 3, 4]
    default: nil
    }
  }

  /// For each channel of Vorbis and Opus, the channel of WAVE that goes there.
  static func vorbisOrder(channelCount: Int) -> [Int] {
    let order = permutation(from: .vorbis, channelCount: channelCount) ?? Array(0..<channelCount)
    return order.indices.map { order.firstIndex(of: $0) ?? $0 }
  }

  /// Samples with the channels of each frame in the order of `permutation`.
  package static func reordered(_ samples: Span<Float>, by permutation: [Int]) -> [Float] {
    let channelCount = permutation.count
    return [Float](unsafeUninitializedCapacity: samples.count) { buffer, count in
      for frame in 0..<samples.count / channelCount {
        for (channel, source) in permutation.enumerated() {
          buffer.initializeElement(at: frame * channelCount + channel, to: samples[frame * channelCount + source])
        }
      }
      count = samples.count / channelCount * channelCount
    }
  }
}

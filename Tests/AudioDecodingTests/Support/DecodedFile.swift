import AudioDecoding
import Foundation
import MediaModel

/// A file decoded from its start to its end.
struct DecodedFile {
  let format: AudioFormat
  let mediaFormat: MediaFormat
  let outcome: DecodingOutcome
  /// Interleaved.
  let samples: [Float]

  init(_ url: URL, blockFrameCount: Int = 4096, verifiesChecksum: Bool = false) throws {
    let file = try OpenFile(url)
    let decoder = try file.decoder(verifiesChecksum: verifiesChecksum)
    samples = try decoder.readAll(blockFrameCount: blockFrameCount)
    format = decoder.format
    mediaFormat = decoder.mediaFormat
    outcome = decoder.outcome
  }

  var frameCount: Int { samples.count / format.channelCount }

  /// As integers of that many bits, rounded and clipped.
  func integers(bits: Int) -> [Int32] {
    let scale = Double(1 << (bits - 1))
    return samples.map { Int32(min(scale - 1, max(-scale, (Double($0) * scale).rounded()))) }
  }
}

extension AudioDecoder {
  /// As many of the next frames as there are, up to `count`.
  func readFrames(_ count: Int) throws -> [Float] {
    var buffer = [Float](repeating: .nan, count: count * format.channelCount)
    var span = buffer.mutableSpan
    let read = try read(into: &span)
    return Array(buffer.prefix(read * format.channelCount))
  }

  func readAll(blockFrameCount: Int = 4096) throws -> [Float] {
    var samples: [Float] = []
    while case let block = try readFrames(blockFrameCount), !block.isEmpty { samples += block }
    return samples
  }
}

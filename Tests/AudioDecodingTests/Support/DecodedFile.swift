import AudioDecoding
import Foundation
import Glibc
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

  /// As integers of `bits` bits, rounded and clipped.
  func integers(bits: Int) -> [Int32] {
    let scale = Double(1 << (bits - 1))
    return samples.map { Int32(min(scale - 1, max(-scale, (Double($0) * scale).rounded()))) }
  }
}

extension AudioDecoder {
  /// The next frames, up to `count`.
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

/// A file that stays open as long as the value lives, as decoders need it.
final class OpenFile {
  let descriptor: Int32
  let byteCount: Int64
  private let pathExtension: String

  init(_ url: URL) throws {
    descriptor = open(url.path, O_RDONLY | O_CLOEXEC)
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
      throw CocoaError(.fileReadNoSuchFile, userInfo: [NSFilePathErrorKey: url.path])
    }
    byteCount = Int64(status.st_size)
    pathExtension = url.pathExtension.lowercased()
  }

  deinit { close(descriptor) }

  func mediaFile() throws(DecodingError) -> MediaFile {
    try MediaFile(descriptor: descriptor, byteCount: byteCount, pathExtension: pathExtension)
  }

  func decoder(verifiesChecksum: Bool = false) throws(DecodingError) -> any AudioDecoder {
    try mediaFile().makeDecoder(verifiesChecksum: verifiesChecksum)
  }

  func streamHash() throws -> ContentHash { try identity().hash }

  func identity() throws -> StreamIdentity {
    // The descriptor must stay open.
    defer { withExtendedLifetime(self) {} }
    var file = try mediaFile()
    return try file.identify()
  }

  func tags() throws -> TagReading { try mediaFile().readTags() }
}

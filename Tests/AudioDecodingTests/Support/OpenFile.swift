import AudioDecoding
import Foundation
import Glibc
import MediaModel

/// A file opened for reading as long as the value lives, as decoders need it.
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

  func payloadHash() throws -> ContentHash {
    var file = try mediaFile()
    return try file.hashPayload().hash
  }

  func tags() throws -> TagReading { try mediaFile().readTags() }
}

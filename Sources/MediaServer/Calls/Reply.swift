internal import Base
internal import Glibc

/// What is sent back.
struct Reply: Sendable {
  enum Body: Sendable {
    case bytes([UInt8])
    /// A part of an open file, which is read while it is sent.
    case file(OpenFile, Range<Int64>)
    /// Events until the client leaves.
    case events(EventSubscription)
  }

  var status = 200
  var headers: [(String, String)] = []
  var body = Body.bytes([])

  init(status: Int, headers: [(String, String)] = []) {
    self.status = status
    self.headers = headers
  }

  init(_ bytes: [UInt8], _ mediaType: MediaType, status: Int = 200) {
    self.init(bytes, type: mediaType.rawValue, status: status)
  }

  init(_ bytes: [UInt8], type: String, status: Int = 200) {
    self.status = status
    headers = [("Content-Type", type)]
    body = .bytes(bytes)
  }

  init(status: Int = 200, _ document: JSONValue) {
    self.init(Array(document.preceded(by: [.init("schema", .integer(1))]).text.utf8), .json, status: status)
    headers.append(("Cache-Control", "no-store"))
  }

  static let noContent = Reply(status: 204)

  /// nil for events, whose end is not known.
  var byteCount: Int64? {
    switch body {
    case .bytes(let bytes): Int64(bytes.count)
    case .file(_, let range): Int64(range.count)
    case .events: nil
    }
  }
}

/// A file that stays open until the reply was sent.
final class OpenFile: Sendable {
  let descriptor: Int32
  let byteCount: Int64

  init(descriptor: Int32, byteCount: Int64) {
    self.descriptor = descriptor
    self.byteCount = byteCount
  }

  deinit { close(descriptor) }
}

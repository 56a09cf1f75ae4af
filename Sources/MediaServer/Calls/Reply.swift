internal import Base
internal import Glibc

/// What is sent back.
struct Reply: Sendable {
  enum Body: Sendable {
    case bytes([UInt8])
    /// A document that is written while it is sent.
    case document(DocumentStream)
    /// A part of an open file, which is read while it is sent.
    case file(OpenFile, Range<Int64>)
    /// A sound file that is encoded while it is sent.
    case stream(StreamedBody)
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

  /// - Parameter isTagged: Whether a tag, and how long it holds, is added later.
  init(status: Int = 200, _ document: JSONValue, isTagged: Bool = false) {
    self.init(Array(document.preceded(by: [.init("schema", .integer(1))]).text.utf8), .json, status: status)
    if !isTagged { headers.append(("Cache-Control", "no-store")) }
  }

  /// The connection ends with the stream, which is how a client that leaves is noticed.
  init(sending stream: StreamedBody) {
    headers = [("Connection", "close")]
    body = .stream(stream)
  }

  /// Says that the body is a range of all bytes.
  mutating func makePartial(_ range: Range<Int64>, of byteCount: Int64) {
    status = 206
    headers.append(("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(byteCount)"))
  }

  /// What the reply keeps in memory until it was sent, about; nil for what has bounds of its own.
  var heldByteCount: Int? {
    switch body {
    case .bytes(let bytes): bytes.count
    case .document(let document): document.heldByteCount
    case .file, .stream, .events: nil
    }
  }

  static let noContent = Reply(status: 204)

  /// nil if the end is not known.
  var byteCount: Int64? {
    switch body {
    case .bytes(let bytes): Int64(bytes.count)
    case .document(let document): document.byteCount
    case .file(_, let range): Int64(range.count)
    case .stream(let stream): stream.byteCount
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

  /// A file without a name in the folder for temporary files, with what `write` puts into it.
  convenience init(temporary write: (Int32) throws -> Void) throws {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var name = Array("\(folder)/deadwax-XXXXXX".utf8CString)
    let descriptor = mkstemp(&name)
    guard descriptor >= 0 else { throw SystemError(call: "mkstemp", detail: "\(folder) cannot be written") }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unlink(name)
    do { try write(descriptor) } catch {
      close(descriptor)
      throw error
    }
    self.init(descriptor: descriptor, byteCount: Int64(lseek(descriptor, 0, SEEK_END)))
  }

  deinit { close(descriptor) }
}

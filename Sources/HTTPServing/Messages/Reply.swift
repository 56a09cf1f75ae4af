internal import Base
internal import Glibc

/// What is sent back.
package struct Reply: Sendable {
  package enum Body: Sendable {
    case bytes([UInt8])
    /// A document that is written while it is sent.
    case document(DocumentStream)
    /// A part of an open file, which is read while it is sent.
    case file(OpenFile, Range<Int64>)
    /// Bytes that are produced while they are sent.
    case stream(StreamedBody)
    /// Events until the client leaves.
    case events(EventSubscription)
  }

  package var status = 200
  package var headers: [(String, String)] = []
  package var body = Body.bytes([])

  package static let noContent = Reply(status: 204)

  package init(status: Int, headers: [(String, String)] = []) {
    self.status = status
    self.headers = headers
  }

  /// The same with more headers.
  package func with(_ headers: [(String, String)]) -> Reply {
    var reply = self
    reply.headers += headers
    return reply
  }

  package init(_ bytes: [UInt8], _ mediaType: MediaType, status: Int = 200) {
    self.init(bytes, type: mediaType.rawValue, status: status)
  }

  package init(_ bytes: [UInt8], type: String, status: Int = 200) {
    self.status = status
    headers = [("Content-Type", type)]
    body = .bytes(bytes)
  }

  /// The connection ends with the stream, which is how a client that leaves is noticed.
  package init(sending stream: StreamedBody) {
    headers = [("Connection", "close")]
    body = .stream(stream)
  }

  /// A file, or a range of its bytes.
  package init(_ file: OpenFile, _ range: Range<Int64>?) {
    body = .file(file, range ?? 0..<file.byteCount)
    if let range { makePartial(range, of: file.byteCount) }
  }

  /// Says that the body is a range of all bytes.
  package mutating func makePartial(_ range: Range<Int64>, of byteCount: Int64) {
    status = 206
    headers.append(("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(byteCount)"))
  }

  /// Lets a browser save it under any name (`filename*` of RFC 6266).
  package mutating func makeAttachment(named name: String) {
    let encoded = name.utf8.map { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
        String(UnicodeScalar(byte))
      default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    headers.append(("Content-Disposition", "attachment; filename*=UTF-8''\(encoded.joined())"))
  }

  /// What the reply keeps in memory until it was sent, about; nil for what has bounds of its own.
  var heldByteCount: Int? {
    switch body {
    case .bytes(let bytes): bytes.count
    case .document(let document): document.heldByteCount
    case .file, .stream, .events: nil
    }
  }

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

/// What a handler gives: the reply, or, if sound or pictures must be decoded for it, the rest of its work.
package enum Answer: Sendable {
  case reply(Reply)
  /// Makes the reply on a thread that may decode.
  case decoding(@Sendable () throws -> Reply)

  /// The answer with a change of its reply.
  package func map(_ change: @escaping @Sendable (Reply) throws -> Reply) rethrows -> Answer {
    switch self {
    case .reply(let reply): .reply(try change(reply))
    case .decoding(let rest): .decoding { try change(rest()) }
    }
  }

  /// The reply, whose work is finished on this thread.
  package func finished() throws -> Reply {
    switch self {
    case .reply(let reply): reply
    case .decoding(let rest): try rest()
    }
  }
}

/// The media types of answers; `audio/*` and `image/*` stand for all that begin so.
package enum MediaType: String, Sendable {
  case json = "application/json"
  case problem = "application/problem+json"
  case bytes = "application/octet-stream"
  case events = "text/event-stream"
  case flac = "audio/flac"
  case sound = "audio/*"
  case picture = "image/*"
  case html = "text/html; charset=utf-8"
}

/// A file that stays open until the reply was sent.
package final class OpenFile: Sendable {
  package let descriptor: Int32
  package let byteCount: Int64

  package init(descriptor: Int32, byteCount: Int64) {
    self.descriptor = descriptor
    self.byteCount = byteCount
  }

  deinit { close(descriptor) }
}

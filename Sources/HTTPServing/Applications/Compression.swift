internal import Base

/// Compresses texts; sound, pictures and small answers stay as they are.
enum Compression {
  private static let smallest = 1024

  static func applied(to reply: Reply, accepted: String?) -> Reply {
    guard isLong(reply.body), let type = reply.headers.first(where: { $0.0 == "Content-Type" })?.1, isText(type),
      !reply.headers.contains(where: { $0.0 == "Content-Encoding" || $0.0 == "Content-Range" })
    else { return reply }
    var reply = reply
    if let other = reply.headers.firstIndex(where: { $0.0 == "Vary" }) {
      if !reply.headers[other].1.contains("Accept-Encoding") { reply.headers[other].1 += ", Accept-Encoding" }
    } else {
      reply.headers.append(("Vary", "Accept-Encoding"))
    }
    guard accepts(accepted ?? ""), let compressed = compressed(reply.body) else { return reply }
    reply.headers.append(("Content-Encoding", "gzip"))
    reply.body = compressed
    return reply
  }

  private static func isLong(_ body: Reply.Body) -> Bool {
    switch body {
    case .bytes(let bytes): bytes.count >= smallest
    case .document: true
    case .file, .stream, .events: false
    }
  }

  /// nil if there is no memory for it.
  private static func compressed(_ body: Reply.Body) -> Reply.Body? {
    switch body {
    case .bytes(let bytes): Zlib.gzipped(bytes, isSmallest: false).map { .bytes($0) }
    case .document(let document): document.compressed().map { .document($0) }
    case .file, .stream, .events: nil
    }
  }

  /// Whether a client takes gzip.
  static func accepts(_ header: String) -> Bool {
    header.lowercased().split(separator: ",").contains { item in
      let parts = item.split(separator: ";").map { $0.trimmingPrefix(" ") }
      return parts.first == "gzip" && !parts.dropFirst().contains { $0 == "q=0" || $0 == "q=0.0" }
    }
  }

  private static func isText(_ type: String) -> Bool {
    ["application/json", "application/problem+json", "text/", "image/svg"].contains { type.hasPrefix($0) }
  }
}

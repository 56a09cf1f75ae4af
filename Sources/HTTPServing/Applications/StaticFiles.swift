package import Base

/// Files that are only read, such as those of a page; a path that is no file's is the first page itself.
package struct StaticFiles: HTTPApplication {
  private struct File {
    let bytes: [UInt8]
    let compressed: [UInt8]?
    let tag: String
    let type: String
  }

  private static let index = "index.html"

  private let files: [String: File]
  private let folder: BytePath?

  /// Files in memory, which are compressed once.
  ///
  /// - Parameter files: By their paths without a slash at the start.
  package init(_ files: [String: [UInt8]]) {
    self.files = Dictionary(
      uniqueKeysWithValues: files.map { ($0.key, Self.file($0.key, $0.value, isCompressed: true)) })
    folder = nil
  }

  /// The files of a folder as they are when they are asked for.
  package init(in folder: BytePath) {
    files = [:]
    self.folder = folder
  }

  package func reply(to exchange: inout Exchange) async throws -> Reply {
    guard exchange.call.method == "GET" else {
      throw HTTPProblem(405, "the page is only read", headers: [("Allow", "GET, HEAD")])
    }
    return reply(to: exchange.call)
  }

  private func reply(to call: Call) -> Reply {
    let name = call.path == "/" ? Self.index : String(call.path.dropFirst())
    let isView = !(name.split(separator: "/").last ?? "").contains(".")
    guard let file = file(name) ?? (isView ? file(Self.index) : nil) else {
      return HTTPProblem(404, "there is no \(call.path)").reply
    }
    let headers = [("ETag", "\"\(file.tag)\""), ("Cache-Control", "no-cache"), ("Vary", "Accept-Encoding")]
    if call[header: "if-none-match"]?.contains(file.tag) == true { return Reply(status: 304, headers: headers) }
    var reply = Reply(file.bytes, type: file.type)
    reply.headers += headers
    if let compressed = file.compressed, Compression.accepts(call[header: "accept-encoding"] ?? "") {
      reply.headers.append(("Content-Encoding", "gzip"))
      reply.body = .bytes(compressed)
    }
    return reply
  }

  private func file(_ name: String) -> File? {
    guard let folder else { return files[name] }
    // The names in a folder are looked up, never opened as they come.
    guard
      !name.split(separator: "/", omittingEmptySubsequences: false).contains(where: { $0.isEmpty || $0.first == "." })
    else { return nil }
    guard let bytes = try? Self.bytes(of: folder.appending(BytePath(name))) else { return nil }
    return Self.file(name, bytes)
  }

  private static func bytes(of path: BytePath) throws -> [UInt8] {
    let folder = try FolderDescriptor(opening: path.folder)
    let file = try folder.openRegularFile(path.lastComponent)
    let open = OpenFile(descriptor: file.descriptor, byteCount: file.status.byteCount)
    return try DescriptorBytes.bytes(from: open.descriptor, count: Int(open.byteCount))
  }

  private static func file(_ name: String, _ bytes: [UInt8], isCompressed: Bool = false) -> File {
    let ending = name.split(separator: ".").last.map(String.init) ?? ""
    let isPacked = ["woff2", "png", "wasm"].contains(ending)
    return File(
      bytes: bytes, compressed: isCompressed && !isPacked ? Zlib.gzipped(bytes, isSmallest: true) : nil,
      tag: "\(String(CRC32.checksum(bytes), radix: 16))-\(bytes.count)",
      type: types[ending] ?? MediaType.bytes.rawValue)
  }

  private static let types = [
    "html": MediaType.html.rawValue, "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
    "mjs": "text/javascript; charset=utf-8", "json": "application/json", "webmanifest": "application/manifest+json",
    "svg": "image/svg+xml", "png": "image/png", "woff2": "font/woff2", "wasm": "application/wasm",
    "txt": "text/plain; charset=utf-8",
  ]
}

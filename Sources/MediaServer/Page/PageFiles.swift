internal import Base
internal import CWebPage

/// The files of the page: those in the program, or those of a folder while somebody works on them.
struct PageFiles: Sendable {
  private struct File {
    let bytes: [UInt8]
    let compressed: [UInt8]?
    let tag: String
    let type: String
  }

  private let files: [String: File]
  private let folder: BytePath?

  init(folder: BytePath?) {
    self.folder = folder
    files = folder == nil ? Self.inProgram : [:]
  }

  /// A file of the page; a path of no file is the page itself, which then shows what the path means.
  func reply(to request: CallRequest) -> Reply {
    let name = request.path == "/" ? "index.html" : String(request.path.dropFirst())
    let isView = !(name.split(separator: "/").last ?? "").contains(".")
    guard let file = file(name) ?? (isView ? file("index.html") : nil) else {
      return Problem(404, "there is no \(request.path)").reply
    }
    let headers = [("ETag", "\"\(file.tag)\""), ("Cache-Control", "no-cache"), ("Vary", "Accept-Encoding")]
    if request[header: "if-none-match"]?.contains(file.tag) == true { return Reply(status: 304, headers: headers) }
    var reply = Reply(file.bytes, type: file.type)
    reply.headers += headers
    if let compressed = file.compressed, Compression.accepts(request[header: "accept-encoding"] ?? "") {
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

  private static let inProgram: [String: File] = Dictionary(
    uniqueKeysWithValues: (0..<Int(dw_page_file_count())).map { index in
      let embedded = dw_page_file(index)
      let bytes = Array(UnsafeBufferPointer(start: embedded.bytes, count: embedded.size))
      let name = String(cString: embedded.name)
      return (name, file(name, bytes, isCompressed: true))
    })

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

internal import Glibc
internal import MediaModel

/// Where a library really lies.
enum LibraryPath {
  /// An absolute path without symbolic links, so that SQLite's own files lie beside the library itself.
  static func resolved(_ path: BytePath) throws(StoreError) -> BytePath {
    if let real = real(path) { return real }
    guard errno == ENOENT else { throw .system(errno, "cannot open", at: path) }
    var status = stat()
    guard path.withCString({ lstat($0, &status) }) != 0 else {
      throw .inputOutput(path, reason: "a symbolic link to nothing")
    }
    let name = path.lastComponent
    guard !name.bytes.isEmpty else { throw .notALibrary(path, reason: "not a regular file") }
    let folder = path.bytes.contains(UInt8(ascii: "/")) ? path.folder : BytePath(".")
    if let real = real(folder) { return real.appending(name) }
    return path.bytes.first == UInt8(ascii: "/") ? path : (real(BytePath(".")) ?? BytePath("")).appending(path)
  }

  private static func real(_ path: BytePath) -> BytePath? {
    guard let found = path.withCString({ realpath($0, nil) }) else { return nil }
    defer { free(found) }
    return BytePath(UnsafeBufferPointer(start: found, count: strlen(found)).map { UInt8(bitPattern: $0) })
  }

  /// Whether anything has that name.
  static func exists(_ path: BytePath) -> Bool {
    var status = stat()
    return path.withCString { lstat($0, &status) } == 0
  }

  /// A name beside a library for what it is before something large happens to it.
  static func freeName(toKeep path: BytePath) -> BytePath {
    let moment = Timestamp(secondsSince1970: Int64(time(nil))).description.filter { $0.isNumber }
    var name = BytePath(path.bytes + Array(".before-\(moment)".utf8))
    var number = 2
    while exists(name) {
      name = BytePath(path.bytes + Array(".before-\(moment)-\(number)".utf8))
      number += 1
    }
    return name
  }

  /// The names in a folder, also `.` and `..`, in no order.
  static func names(in folder: BytePath) throws(StoreError) -> [[UInt8]] {
    guard let stream = folder.withCString({ opendir($0) }) else { throw .system(errno, "cannot list", at: folder) }
    defer { closedir(stream) }
    var names: [[UInt8]] = []
    while let entry = readdir(stream) {
      names.append(withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) })
    }
    return names
  }

  /// The absolute paths that a user may mean by a path: as written, without `.` and `..`, and without symbolic links.
  static func candidates(for path: BytePath, in workingDirectory: BytePath?) -> [BytePath] {
    guard !path.bytes.isEmpty, !path.bytes.contains(0) else { return [] }
    let start = workingDirectory ?? real(BytePath(".")) ?? BytePath("/")
    let absolute = path.bytes.first == UInt8(ascii: "/") ? path : start.appending(path)
    let written = normalized(absolute)
    // Behind a link `..` leads elsewhere than it is written: both may be meant.
    let resolved = (written == absolute ? [written] : [written, absolute]).flatMap { path in
      let folder = real(path.folder)
      return [folder?.appending(path.lastComponent), real(path)].compactMap { $0 }
    }
    return ([written] + resolved).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// Without empty components, `.` and `..`.
  private static func normalized(_ path: BytePath) -> BytePath {
    var parts: [ArraySlice<UInt8>] = []
    for part in path.bytes.split(separator: UInt8(ascii: "/")) {
      switch part {
      case [0x2E]: break
      case [0x2E, 0x2E]: _ = parts.popLast()
      default: parts.append(part)
      }
    }
    return BytePath([UInt8(ascii: "/")] + parts.joined(separator: [UInt8(ascii: "/")]))
  }
}

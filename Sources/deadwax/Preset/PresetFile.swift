internal import Glibc
internal import MediaExport
internal import MediaModel

/// A file of presets, and the files that it names.
struct PresetFile {
  let path: BytePath
  let bytes: [UInt8]

  /// - Parameter path: `-` is standard input.
  init(_ path: BytePath) throws(InputFile.Failure) {
    self.path = path
    bytes = try InputFile.bytes(of: path, limit: PresetImport.maximumByteCount)
  }

  /// What a preset without a name is called after.
  var name: String { path == InputFile.standardInput ? "Imported" : path.lastComponent.displayString }

  /// The path without links; nil for standard input.
  var identity: String? {
    guard path != InputFile.standardInput, let real = path.withCString({ realpath($0, nil) }) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  /// The file that `name` stands for in the file `includer`: a path from its folder, with slashes of either kind and, as
  /// on the systems such files come from, in any case.
  func included(_ name: String, by includer: String?) -> IncludedFile? {
    let unquoted = name.trimmingPrefix("\"").prefix { $0 != "\"" }
    let asked = BytePath(String(unquoted.map { $0 == "\\" ? "/" : $0 }))
    guard !asked.bytes.isEmpty, !asked.bytes.contains(0) else { return nil }
    let folder = includer.map { BytePath($0).parent } ?? (path == InputFile.standardInput ? BytePath("") : path.parent)
    let isAbsolute = asked.bytes.first == UInt8(ascii: "/")
    let exact = isAbsolute ? asked : folder.appending(asked)
    return Self.regularFile(exact)
      ?? Self.inAnyCase(asked, below: isAbsolute ? BytePath("/") : folder).flatMap(Self.regularFile)
  }

  private static func regularFile(_ path: BytePath) -> IncludedFile? {
    // Without waiting: a pipe has nothing to say here.
    let descriptor = path.withCString { open($0, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) }
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      let bytes = try? InputFile.bytes(from: descriptor, of: path, limit: PresetImport.maximumByteCount),
      let real = path.withCString({ realpath($0, nil) })
    else { return nil }
    defer { free(real) }
    return IncludedFile(identity: String(cString: real), bytes: bytes)
  }

  /// The first path whose components differ in case only.
  private static func inAnyCase(_ path: BytePath, below folder: BytePath) -> BytePath? {
    var found = folder
    for component in path.bytes.split(separator: UInt8(ascii: "/")) {
      if component.elementsEqual(".".utf8) || component.elementsEqual("..".utf8) {
        found = found.appending(BytePath(component))
        continue
      }
      let wanted = String(decoding: component, as: UTF8.self).lowercased()
      let folder = found.bytes.isEmpty ? BytePath(".") : found
      guard let entries = folder.withCString({ opendir($0) }) else { return nil }
      defer { closedir(entries) }
      var names: [BytePath] = []
      while let entry = readdir(entries) {
        let name = withUnsafePointer(to: entry.pointee.d_name) { pointer in
          pointer.withMemoryRebound(to: CChar.self, capacity: 256) {
            BytePath(UnsafeRawBufferPointer(start: $0, count: strnlen($0, 256)))
          }
        }
        if name.displayString.lowercased() == wanted { names.append(name) }
      }
      guard let name = names.min() else { return nil }
      found = found.appending(name)
    }
    return found
  }
}

internal import Glibc

extension BytePath {
  /// The absolute path of a file or folder that exists, without links, and with each name as its folder lists it.
  ///
  /// Many file systems find names in another case or form of Unicode than they keep: vfat, exFAT, NTFS, casefolded
  /// ext4, shares of other systems. Without this, one file would have several paths, and what is known under one would
  /// be unknown under the others.
  package func resolved() throws(SystemError) -> BytePath {
    guard let real = withCString({ realpath($0, nil) }) else { throw SystemError(call: "realpath") }
    defer { free(real) }
    let path = BytePath(UnsafeRawBufferPointer(start: real, count: strlen(real)))
    var listed = BytePath("/")
    for name in path.bytes.split(separator: UInt8(ascii: "/")) {
      let name = BytePath(name)
      listed = listed.appending(ListedName.of(name, in: listed) ?? name)
    }
    return listed
  }
}

/// How a folder lists a name by which it finds a file.
enum ListedName {
  /// nil if the folder lists the name as it is, or cannot be read.
  static func of(_ name: BytePath, in folder: BytePath) -> BytePath? {
    let path = folder.appending(name)
    guard mayBeFolded(name, in: folder), let identity = identity(of: path) else { return nil }
    guard let stream = folder.withCString({ opendir($0) }) else { return nil }
    defer { closedir(stream) }
    var names: [BytePath] = []
    while let entry = readdir(stream) {
      let other = BytePath(withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) })
      if other == name { return nil }
      names.append(other)
    }
    return match(name, among: names, has: { Self.identity(of: folder.appending($0)) == identity })
  }

  /// Whether the file system may find the name under another spelling. One that finds no other case keeps case, and
  /// ASCII has only one form of Unicode; so elsewhere a name costs two calls, and no folder is listed.
  private static func mayBeFolded(_ name: BytePath, in folder: BytePath) -> Bool {
    guard let text = String(validating: name.bytes, as: UTF8.self), text.utf8.allSatisfy({ $0 < 0x80 }) else {
      return true
    }
    return [text.uppercased(), text.lowercased()].contains { other in
      other != text && identity(of: folder.appending(BytePath(other))) != nil
    }
  }

  /// The name among those of a folder that is the same file.
  ///
  /// - Parameter isSameFile: whether a name leads to the file that was asked for. Where inodes are made up for each
  ///   look, as by some file systems in user space, none does; then the text decides.
  static func match(_ name: BytePath, among names: [BytePath], has isSameFile: (BytePath) -> Bool) -> BytePath? {
    let key = name.displayString.lowercased()
    // Equal as text: in any form of Unicode.
    let alike = names.filter { $0.displayString.lowercased() == key }
    return alike.first(where: isSameFile) ?? alike.first ?? names.first(where: isSameFile)
  }

  private static func identity(of path: BytePath) -> FileIdentity? {
    var status = stat()
    return path.withCString { lstat($0, &status) } == 0 ? FileIdentity(status) : nil
  }
}

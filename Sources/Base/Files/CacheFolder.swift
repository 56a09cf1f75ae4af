internal import Glibc
internal import Synchronization

/// Files that can be made again, in a folder whose size is bounded: what was not used for longest is deleted first.
///
/// Several processes may use one folder. A file is written beside its place and then renamed, so that nobody sees a part of one.
/// Whatever fails is as if the file were not known. A link in the place of the folder is not followed, and only files with names that
/// this program gives are counted and deleted: 32 hexadecimal digits first.
package final class CacheFolder: Sendable {
  private static let mode: mode_t = 0o700

  private let path: BytePath
  private let capacityInBytes: Int64
  private struct Size {
    /// When the folder was last measured.
    var total: Int64
    /// Written since by this process; others write, too.
    var written: Int64 = 0
  }

  /// nil before it was measured.
  private let size = Mutex<Size?>(nil)

  /// - Parameter path: made when something is first kept.
  package init(_ path: BytePath, capacityInBytes: Int64) {
    self.path = path
    self.capacityInBytes = capacityInBytes
  }

  /// The contents of a file, which counts as used from now on; nil if there is none, or if it is larger than `limit`.
  ///
  /// - Parameter name: without a slash.
  package func bytes(_ name: String, limit: Int) -> [UInt8]? {
    guard let folder = opened(), let (descriptor, status) = try? folder.openRegularFile(BytePath(name)) else {
      return nil
    }
    defer { close(descriptor) }
    guard status.byteCount <= Int64(limit),
      let bytes = try? DescriptorBytes.bytes(from: descriptor, count: Int(status.byteCount)),
      bytes.count == Int(status.byteCount)
    else { return nil }
    futimens(descriptor, nil)
    return bytes
  }

  /// The path of a file, which counts as used from now on; nil if there is none.
  package func path(of name: String) -> BytePath? {
    guard let folder = opened(), let (descriptor, _) = try? folder.openRegularFile(BytePath(name)) else { return nil }
    defer { close(descriptor) }
    futimens(descriptor, nil)
    return path.appending(BytePath(name))
  }

  /// Keeps the contents of a file, and deletes others if there are too many bytes.
  package func keep(_ bytes: [UInt8], as name: String) {
    guard Self.isOwn(Array(name.utf8)), Int64(bytes.count) <= capacityInBytes / 4, let folder = open() else { return }
    let unfinished = "\(name).\(getpid()).\(UInt32.random(in: 0...UInt32.max))"
    let descriptor = openat(folder.rawValue, unfinished, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return }
    let isWritten = (try? DescriptorBytes.write(bytes, to: descriptor, at: 0)) != nil
    close(descriptor)
    guard isWritten, renameat(folder.rawValue, unfinished, folder.rawValue, name) == 0 else {
      unlinkat(folder.rawValue, unfinished, 0)
      return
    }
    size.withLock { size in
      size?.written += Int64(bytes.count)
      let isDue = size.map { $0.total + $0.written > capacityInBytes || $0.written > capacityInBytes / 16 } ?? true
      if isDue { size = Size(total: shrink(folder)) }
    }
  }

  private func opened() -> FolderDescriptor? {
    guard let parent = try? FolderDescriptor(opening: path.folder) else { return nil }
    return try? FolderDescriptor(opening: path.lastComponent, below: parent)
  }

  private func open() -> FolderDescriptor? {
    if let folder = opened() { return folder }
    var made = BytePath("")
    for component in path.bytes.split(separator: UInt8(ascii: "/")) {
      made = BytePath(made.bytes + [UInt8(ascii: "/")] + component)
      _ = made.withCString { mkdir($0, Self.mode) }
    }
    return opened()
  }

  // MARK: - Size

  /// Whether a file with a name is of this program.
  private static func isOwn(_ name: [UInt8]) -> Bool {
    name.count > 32 && name.prefix(32).allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  private struct File {
    /// With its NUL.
    var name: [CChar]
    var byteCount: Int64
    /// In nanoseconds since 1970.
    var usedAt: Int64
  }

  /// Deletes what was not used for longest, if there is too much, until a tenth of the capacity is free.
  ///
  /// - Returns: the number of bytes that are left.
  private func shrink(_ folder: borrowing FolderDescriptor) -> Int64 {
    let files = Self.files(in: folder)
    var total = files.reduce(0) { $0 + $1.byteCount }
    guard total > capacityInBytes else { return total }
    for file in files.sorted(by: { $0.usedAt < $1.usedAt }) where total > capacityInBytes / 10 * 9 {
      if unlinkat(folder.rawValue, file.name, 0) == 0 { total -= file.byteCount }
    }
    return total
  }

  private static func files(in folder: borrowing FolderDescriptor) -> [File] {
    let again = openat(folder.rawValue, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard again >= 0 else { return [] }
    guard let stream = fdopendir(again) else {
      close(again)
      return []
    }
    defer { closedir(stream) }
    var files: [File] = []
    while let entry = readdir(stream) {
      let bytes = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      guard isOwn(bytes) else { continue }
      let name = bytes.map { CChar(bitPattern: $0) } + [0]
      var information = stat()
      guard fstatat(folder.rawValue, name, &information, AT_SYMLINK_NOFOLLOW) == 0,
        information.st_mode & S_IFMT == S_IFREG
      else { continue }
      // Of one that is written just now, and of those that a process left behind when it died.
      files.append(
        File(
          name: name, byteCount: Int64(information.st_size),
          usedAt: FileStatus(information).modificationTimeInNanoseconds))
    }
    return files
  }
}

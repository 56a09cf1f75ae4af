internal import Base
internal import CPosix
internal import Glibc
internal import MediaModel
internal import TagEditing

/// A file beside the one whose place it is to take: `init` writes it, ``sync(_:)`` waits until it is on the disk; without
/// ``takePlace(of:)`` `deinit` removes it.
final class NewFile {
  /// Hidden, so that no scan looks at it.
  static func newName() -> BytePath {
    let digits = (0..<2).map { _ in
      let word = String(UInt64.random(in: 0...UInt64.max), radix: 16)
      return String(repeating: "0", count: 16 - word.count) + word
    }
    return BytePath(".deadwax-\(digits.joined()).tmp")
  }

  private let original: OriginalFile
  private let name: BytePath
  /// Open for writing until it is on the disk; -1 then.
  private var writing: Int32 = -1
  /// Open for reading only, as soon as it is on the disk: a worker gets it.
  private(set) var descriptor: Int32 = -1
  private let byteCount: Int64
  private var identity: FileIdentity?

  /// Writes what a plan makes of the original, with its owner, rights and attributes.
  init(
    _ plan: SplicePlan, of original: OriginalFile, named name: BytePath, keepsModificationTime: Bool
  ) throws(WriteRefusal) {
    (self.original, self.name, byteCount) = (original, name, plan.newByteCount)
    try original.requireRoom(for: plan.newByteCount)
    let folder = original.folder.rawValue
    let flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
    writing = name.withCString { openat(folder, $0, flags, 0o600) }
    guard writing >= 0 else { throw .system(SystemError(call: "open")) }
    var information = stat()
    guard fstat(writing, &information) == 0 else { throw .system(SystemError(call: "fstat")) }
    identity = FileIdentity(information)
    try calling { () throws(SystemError) in try Self.write(plan, from: original.descriptor, to: writing) }
    try keepAttributes(of: writing, keepsModificationTime: keepsModificationTime)
  }

  /// Waits until files are on the disk, and opens them for reading.
  ///
  /// - Returns: for each why it cannot take the place of the old one; nil if it can.
  static func sync(_ files: [NewFile]) -> [WriteRefusal?] {
    zip(files, DiskSync.sync(files.map(\.writing))).map { file, failure in
      if let failure { return .system(failure) }
      do throws(WriteRefusal) { try file.openForReading() } catch { return error }
      return nil
    }
  }

  private func openForReading() throws(WriteRefusal) {
    descriptor = name.withCString { openat(original.folder.rawValue, $0, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) }
    guard descriptor >= 0 else { throw .system(SystemError(call: "open")) }
    close(writing)
    writing = -1
    guard let status, FileIdentity(status) == identity, status.byteCount == byteCount else {
      throw WriteRefusal(code: "proof", reason: "another program changed the new file")
    }
  }

  deinit {
    if writing >= 0 { close(writing) }
    if descriptor >= 0 { close(descriptor) }
    removeIfOwn()
  }

  var status: FileStatus? {
    var information = stat()
    return fstat(descriptor, &information) == 0 ? FileStatus(information) : nil
  }

  static func write(_ plan: SplicePlan, from source: Int32, to file: Int32) throws(SystemError) {
    var place: Int64 = 0
    for segment in plan.segments {
      switch segment {
      case .bytes(let bytes): try DescriptorBytes.write(bytes, to: file, at: place)
      case .copy(let range):
        guard dw_copy_range(source, range.lowerBound, file, place, range.upperBound - range.lowerBound) == 0 else {
          throw SystemError(call: "copy")
        }
      }
      place += segment.byteCount
    }
  }

  /// The owner first, because a change of it takes rights away; lists of rights last, because they are part of the mode.
  private func keepAttributes(of file: Int32, keepsModificationTime: Bool) throws(WriteRefusal) {
    let old = original.information
    var new = stat()
    guard fstat(file, &new) == 0 else { throw .system(SystemError(call: "fstat")) }
    if new.st_uid != old.st_uid || new.st_gid != old.st_gid, fchown(file, old.st_uid, old.st_gid) != 0 {
      throw WriteRefusal(code: "owner", reason: "the new file cannot be given its owner and group")
    }
    guard fchmod(file, old.st_mode & 0o7777) == 0 else { throw .system(SystemError(call: "chmod")) }
    var failed = [CChar](repeating: 0, count: 256)
    if dw_copy_attributes(original.descriptor, file, &failed, failed.count) != 0 {
      let error = SystemError(call: "setxattr")
      let name = String(decoding: failed.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      if error.code == ENOSPC || error.code == EDQUOT { throw .system(error) }
      throw WriteRefusal(code: "attributes", reason: "the new file cannot be given its attribute \(name) (\(error))")
    }
    guard fstat(file, &new) == 0, new.st_mode == old.st_mode, new.st_uid == old.st_uid, new.st_gid == old.st_gid else {
      throw WriteRefusal(code: "attributes", reason: "the new file cannot be given its permissions")
    }
    if keepsModificationTime {
      var times = [old.st_atim, old.st_mtim]
      guard futimens(file, &times) == 0 else { throw .system(SystemError(call: "utimensat")) }
    }
  }

  /// Exchanges the two files, and removes the old one once it is certain that it is the one that was read.
  ///
  /// - Returns: the status of the new file in its place, and whether the old one is gone from beside it.
  /// - Throws: only while the old file is in its place.
  func takePlace(of original: OriginalFile) throws(WriteRefusal) -> (status: FileStatus?, isTidy: Bool) {
    let folder = original.folder.rawValue
    guard original.isUnchanged else { throw .changedMeanwhile }
    guard exchange() == 0 else {
      guard [EINVAL, ENOSYS, EOPNOTSUPP, EPERM].contains(errno) else { throw .system(SystemError(call: "rename")) }
      return try takePlaceByRename(of: original)
    }
    var old = stat()
    // A rename changes the time of change of a file, but nobody else may have touched it.
    let isOld =
      name.withCString({ fstatat(folder, $0, &old, AT_SYMLINK_NOFOLLOW) }) == 0
      && FileIdentity(old) == FileIdentity(original.information) && FileStatus(old).stamp == original.status.stamp
    guard isOld else {
      // What came out is somebody's: it goes back.
      _ = exchange()
      throw .changedMeanwhile
    }
    identity = nil
    let isTidy = name.withCString { unlinkat(folder, $0, 0) } == 0
    return (status, isTidy)
  }

  private func exchange() -> Int32 {
    let folder = original.folder.rawValue
    return name.withCString { new in original.name.withCString { old in dw_exchange_names(folder, new, old) } }
  }

  /// For file systems that cannot exchange names: what comes between the look and the rename is lost.
  private func takePlaceByRename(
    of original: OriginalFile
  ) throws(WriteRefusal) -> (status: FileStatus?, isTidy: Bool) {
    let folder = original.folder.rawValue
    guard original.isUnchanged else { throw .changedMeanwhile }
    let code = name.withCString { new in original.name.withCString { old in renameat(folder, new, folder, old) } }
    guard code == 0 else { throw .system(SystemError(call: "rename")) }
    identity = nil
    return (status, true)
  }

  /// Removes it unless its name is another file's now.
  private func removeIfOwn() {
    guard let identity else { return }
    let folder = original.folder.rawValue
    var found = stat()
    name.withCString { name in
      guard fstatat(folder, name, &found, AT_SYMLINK_NOFOLLOW) == 0, FileIdentity(found) == identity else { return }
      _ = unlinkat(folder, name, 0)
    }
  }
}

package import Base
internal import Glibc

/// Why a file is not written: it stays as it is, byte for byte.
package struct WriteRefusal: Error, Hashable, Sendable {
  /// One of ``codes``, or of `TagEditRefusal`.
  package var code: String
  /// Without the file's name.
  package var reason: String

  package init(code: String, reason: String) { (self.code, self.reason) = (code, reason) }

  /// Each with its meaning, as docs/writing-tags.md has them.
  package static let codes: [(code: String, meaning: String)] = [
    ("protected", "`roots protect` forbids writing below its root"),
    ("missing", "it no longer exists"),
    ("not-regular", "it is a link, is reached through one, or is not a regular file"),
    ("not-scanned", "no scan has read it completely, or only another version of this program has"),
    ("changed", "it differs from what the last scan saw, or was changed while it was being written"),
    ("hard-links", "it has another name, under which the old file would remain; `--break-links` allows that"),
    ("owner", "it belongs to another user or group, and the new file would not"),
    ("write-protected", "nobody has permission to write it, or it or its folder is immutable"),
    ("folder", "its folder cannot be written to"),
    ("read-only", "it is on a read-only file system"),
    ("attributes", "the new file cannot have all of its attributes and permissions"),
    ("no-space", "the disk has no room for a copy"),
    ("system", "a system call failed"),
    ("worker", "the process that reads it crashed or hung"),
    ("proof", "the new file, read back, was not exactly what was requested"),
    ("undo", "the data for restoring the old file are missing or damaged"),
  ]

  static func system(_ error: SystemError) -> WriteRefusal {
    switch error.code {
    case ENOSPC, EDQUOT: WriteRefusal(code: "no-space", reason: error.description)
    case EROFS: WriteRefusal(code: "read-only", reason: "its file system is read-only")
    case ENOENT: WriteRefusal(code: "missing", reason: "it is no longer there")
    default: WriteRefusal(code: "system", reason: "\(error.call): \(error)")
    }
  }

  static let changed = WriteRefusal(code: "changed", reason: "it was changed after the last scan")
  static let changedMeanwhile = WriteRefusal(
    code: "changed", reason: "another program changed it meanwhile; it was left alone")
}

/// Passes on what the system refuses.
func calling<Result>(_ body: () throws(SystemError) -> Result) throws(WriteRefusal) -> Result {
  do throws(SystemError) { return try body() } catch { throw .system(error) }
}

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
    ("protected", "`roots protect` forbids to write below its root"),
    ("missing", "it is no longer there"),
    ("not-regular", "it is a link, lies behind one, or is not a regular file"),
    ("not-scanned", "it was not read to its end by a scan, or by another version of this program"),
    ("changed", "it is not as the last scan saw it, or was changed while it was being written"),
    ("hard-links", "it has another name, whose file would stay as it is; `--break-links` allows that"),
    ("owner", "it belongs to another user, and the new file would not"),
    ("write-protected", "nobody has the right to write it"),
    ("folder", "nothing can be written in its folder"),
    ("read-only", "it is on a file system that is read-only"),
    ("attributes", "the new file cannot have all of its attributes and rights"),
    ("no-space", "the disk has no room for a copy"),
    ("system", "a call of the system failed"),
    ("worker", "the process that reads it crashed or hung"),
    ("proof", "the new file, read again, was not exactly what was asked for"),
    ("undo", "the data to restore the former file are missing or damaged"),
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

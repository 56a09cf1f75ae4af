package import MediaModel

/// Which paths below a root are left out: `--exclude` patterns and the `.deadwaxignore` files on the way down.
///
/// As in git, the last pattern that matches decides, patterns of deeper folders come after those above them, and nothing
/// below an excluded folder can be taken back in. `--exclude` comes last: no file undoes it, and a `!` of it undoes files.
package struct IgnoreRules: Sendable {
  package static let fileName = ".deadwaxignore"
  /// Larger files are cut here; nobody writes so many patterns.
  package static let maximumByteCount = 1 << 20

  private struct Group: Sendable {
    /// Relative to the root; empty for the root itself.
    let folder: BytePath
    let patterns: [GlobPattern]
  }

  private var groups: [Group] = []
  private let excluded: [GlobPattern]

  /// - Parameter globs: as arguments, see ``ArgumentText``.
  package init(excluding globs: [String] = []) {
    excluded = globs.compactMap { GlobPattern(line: ArgumentText.bytes(of: $0)) }
  }

  /// These rules with those of an ignore file of one folder.
  package func adding(ignoreFile bytes: [UInt8], of folder: BytePath) -> IgnoreRules {
    // Editors of other systems begin with a mark.
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    let lines = text.prefix(Self.maximumByteCount).split(separator: UInt8(ascii: "\n"))
    var result = self
    result.groups.append(Group(folder: folder, patterns: lines.compactMap { GlobPattern(line: $0) }))
    return result
  }

  /// Whether a path relative to the root is left out; the folders above it are known to be in.
  package func excludes(_ path: BytePath, isDirectory: Bool) -> Bool {
    if let last = excluded.last(where: { $0.matches(path.bytes, isDirectory: isDirectory) }) { return !last.isNegated }
    for group in groups.reversed() {
      let below = path.bytes.dropFirst(group.folder.bytes.isEmpty ? 0 : group.folder.bytes.count + 1)
      if let last = group.patterns.last(where: { $0.matches(below, isDirectory: isDirectory) }) {
        return !last.isNegated
      }
    }
    return false
  }
}

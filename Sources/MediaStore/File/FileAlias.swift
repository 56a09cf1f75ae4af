/// A second name of a library's file.
///
/// SQLite puts the write-ahead log beside the name by which it opened the file. Under two names there are two logs:
/// what is written by one is lost for the other, and two writers damage the file.
package enum FileAlias: Hashable, Sendable {
  /// - Parameter count: of the names on its file system.
  case hardLinks(count: Int)
  /// The file itself is mounted at the path, not the folder that it is in.
  case mountPoint

  /// Why nothing is written, and what to do.
  package var refusal: String {
    let (what, wayOut) =
      switch self {
      case .hardLinks(let count):
        (
          "the file has \(count) names (hard links)",
          "replace this one with a copy of the library (`cp`, not `ln` or `cp -al`)"
        )
      case .mountPoint: ("the file itself is mounted here", "mount its folder instead")
      }
    return "\(what), and each name has its own log: writes would be lost. Nothing was written; \(wayOut)"
  }

  /// What may be wrong with what is read.
  var warning: String {
    let what =
      switch self {
      case .hardLinks(let count): "the file has \(count) names (hard links)"
      case .mountPoint: "the file itself is mounted here, not its folder"
      }
    return "\(what), and each name has its own log: the latest changes made under another name may be missing"
  }
}

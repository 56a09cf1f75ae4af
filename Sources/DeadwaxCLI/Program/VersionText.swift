internal import Base
internal import MediaStore
internal import Synchronization

/// What `--version` prints.
enum VersionText {
  private static let builtCommit = Mutex("")

  /// The commit that was built; empty if the build did not record it.
  static var commit: String {
    get { builtCommit.withLock { $0 } }
    set { builtCommit.withLock { $0 = newValue } }
  }

  static let line = "deadwax \(ProgramVersion.current)"

  /// With `--verbose`, what a report of a fault needs: the commit, the newest schema that is read, and the libraries on this
  /// machine.
  static var lines: [String] {
    let libraries = UsedLibraries.all.map { "\($0.name) \($0.version ?? "not installed")" }
    return [
      line, "commit    \(commit.isEmpty ? "not recorded" : commit)", "schema    \(LibraryHeader.currentVersion)",
      "libraries \(libraries.joined(separator: ", "))",
    ]
  }

  /// The text that arguments ask for if they ask for nothing else: `--version`, perhaps with `--verbose`.
  static func asked(by arguments: [String]) -> String? {
    switch Set(arguments) {
    case ["--version"]: line
    case ["--version", "--verbose"], ["--version", "-v"]: lines.joined(separator: "\n")
    default: nil
    }
  }
}

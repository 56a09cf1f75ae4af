package import Base
internal import Glibc

/// Folders of the user and of the computer that are known without being named.
package enum UserFolders {
  /// Where music usually is, that of the user first; folders that do not exist are among them.
  static var likelyToHaveMusic: [BytePath] {
    let home = LibraryOptions.homeFolder()
    return [music(in: home), home].compactMap { $0 } + ["/music", "/mnt", "/media"].map { BytePath($0) }
  }

  /// The music folder as the desktop has it (xdg-user-dirs), else `~/Music`.
  private static func music(in home: BytePath?) -> BytePath? {
    guard let home else { return nil }
    let named = LibraryOptions.environment("XDG_CONFIG_HOME").flatMap { $0.bytes.first == UInt8(ascii: "/") ? $0 : nil }
    let file = (named ?? home.appending(BytePath(".config"))).appending(BytePath("user-dirs.dirs"))
    let bytes = (try? InputFile.bytes(of: file, limit: 1 << 16)) ?? []
    return music(inSettings: bytes, home: home) ?? home.appending(BytePath("Music"))
  }

  /// The value of a line such as `XDG_MUSIC_DIR="$HOME/Musik"`; the last one counts, as in a shell.
  package static func music(inSettings bytes: [UInt8], home: BytePath) -> BytePath? {
    let (start, homeStart) = (Array("XDG_MUSIC_DIR=\"".utf8), Array("$HOME".utf8))
    let values = bytes.split(separator: UInt8(ascii: "\n")).compactMap { line -> BytePath? in
      guard line.starts(with: start), let end = line.lastIndex(of: UInt8(ascii: "\"")) else { return nil }
      var value = Array(line[..<end].dropFirst(start.count)).filter { $0 != UInt8(ascii: "\\") }
      if value.starts(with: homeStart) { value.replaceSubrange(..<homeStart.count, with: home.bytes) }
      return value.first == UInt8(ascii: "/") ? BytePath(value).withoutTrailingSlashes : nil
    }
    // The home folder itself means that there is none.
    return values.last.flatMap { $0 == home.withoutTrailingSlashes ? nil : $0 }
  }
}

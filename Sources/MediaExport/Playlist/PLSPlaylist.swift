internal import MediaModel

/// PLS: `FileK`, `TitleK` and `LengthK`, counted from 1; of ours, `DeadwaxHashK`.
enum PLSPlaylist {
  static func text(of playlist: Playlist) -> String {
    var text = "[playlist]\n"
    var count = 0
    for entry in playlist.entries {
      guard let path = entry.path else { continue }
      count += 1
      let seconds = entry.durationInSeconds.map { String(Int64(max(0, min($0, 1e12)).rounded())) } ?? "-1"
      text += "File\(count)=\(PlaylistPath.line(path))\n"
      text += "Title\(count)=\(TerminalText.escaped(entry.name))\nLength\(count)=\(seconds)\n"
      if let hash = entry.hash { text += "DeadwaxHash\(count)=\(hash)\n" }
    }
    return text + "NumberOfEntries=\(count)\nVersion=2\n"
  }

  static func playlist(from bytes: [UInt8]) -> Playlist {
    var entries: [Int: Playlist.Entry] = [:]
    // Only these two end a line: names may hold what Unicode has besides.
    for part in bytes.split(whereSeparator: { $0 == 10 || $0 == 13 }) {
      let line = String(decoding: part, as: UTF8.self)
      guard let equals = line.firstIndex(of: "=") else { continue }
      let key = line[..<equals].lowercased()
      let value = String(line[line.index(after: equals)...])
      for (name, change) in readers where key.hasPrefix(name) {
        guard let number = Int(key.dropFirst(name.count)), (1...1_000_000).contains(number) else { continue }
        change(value, &entries[number, default: Playlist.Entry(path: nil)])
      }
    }
    return Playlist(entries: entries.sorted { $0.key < $1.key }.map(\.value))
  }

  private static let readers: [(String, @Sendable (String, inout Playlist.Entry) -> Void)] = [
    (
      "file",
      { value, entry in
        let lower = value.lowercased()
        entry.path =
          lower.hasPrefix("file:")
          ? PlaylistPath.path(ofAddress: value) : PlaylistPath.isStream(lower) ? nil : BytePath(value)
      }
    ),
    ("title", { value, entry in (entry.artist, entry.title) = PlaylistName.parts(value) }),
    (
      "length", { value, entry in entry.durationInSeconds = Double(value).flatMap { $0 > 0 && $0.isFinite ? $0 : nil } }
    ),
    ("deadwaxhash", { value, entry in entry.hash = value.lowercased() }),
  ]
}

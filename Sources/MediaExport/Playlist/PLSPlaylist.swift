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
      text += "Title\(count)=\(PlaylistText.line(entry.name))\nLength\(count)=\(seconds)\n"
      if let hash = entry.hash { text += "DeadwaxHash\(count)=\(hash)\n" }
    }
    return text + "NumberOfEntries=\(count)\nVersion=2\n"
  }

  static func playlist(from bytes: [UInt8]) -> Playlist {
    var entries: [Int: Playlist.Entry] = [:]
    // Only these two end a line: names may hold what Unicode has besides.
    for line in bytes.split(whereSeparator: { $0 == 10 || $0 == 13 }) {
      guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else { continue }
      let key = PlaylistText.trimmed(String(decoding: line[..<equals], as: UTF8.self)).lowercased()
      let value = line[(equals + 1)...].drop { $0 == 0x20 || $0 == 9 }
      let text = LegacyText.decoded(value)
      for (name, change) in readers where key.hasPrefix(name) {
        guard let number = Int(key.dropFirst(name.count)), (1...1_000_000).contains(number) else { continue }
        change(value, text, &entries[number, default: Playlist.Entry(path: nil)])
      }
    }
    return Playlist(entries: entries.sorted { $0.key < $1.key }.map(\.value))
  }

  private typealias Reader = @Sendable (_ bytes: ArraySlice<UInt8>, _ text: String, inout Playlist.Entry) -> Void

  private static let readers: [(String, Reader)] = [
    ("file", { bytes, text, entry in entry.take(PlaylistText.path(bytes, text: text), from: text) }),
    ("title", { _, text, entry in (entry.artist, entry.title) = PlaylistText.parts(ofName: text) }),
    (
      "length",
      { _, text, entry in entry.durationInSeconds = Double(text).flatMap { $0 > 0 && $0.isFinite ? $0 : nil } }
    ),
    ("deadwaxhash", { _, text, entry in entry.hash = text.lowercased() }),
  ]
}

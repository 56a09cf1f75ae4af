internal import Base

/// M3U8: one path per line, with comments before it.
///
/// A comment of our own, `#DEADWAX-HASH:`, holds the hash of the stream. Paths that a line cannot hold, because they
/// contain a line break or are not UTF-8, are written as URLs.
enum M3UPlaylist {
  private static let hashMark = "#DEADWAX-HASH:"

  static func text(of playlist: Playlist) -> String {
    var text = "#EXTM3U\n"
    if let title = playlist.title { text += "#PLAYLIST:\(PlaylistText.line(title))\n" }
    for entry in playlist.entries {
      guard let path = entry.path else { continue }
      let seconds = entry.durationInSeconds.map { String(Int64(max(0, min($0, 1e12)).rounded())) } ?? "-1"
      text += "#EXTINF:\(seconds),\(PlaylistText.line(entry.name))\n"
      if let hash = entry.hash { text += "\(hashMark)\(hash)\n" }
      text += PlaylistPath.line(path) + "\n"
    }
    return text
  }

  static func playlist(from bytes: [UInt8]) -> Playlist {
    let hasMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
    var playlist = Playlist(entries: [])
    var next = Playlist.Entry(path: nil)
    for part in bytes.dropFirst(hasMark ? 3 : 0).split(whereSeparator: { $0 == 10 || $0 == 13 }) {
      let text = LegacyText.decoded(part)
      guard !text.allSatisfy(\.isWhitespace) else { continue }
      if part.first == UInt8(ascii: "#") {
        read(text, into: &next, &playlist)
      } else {
        next.take(PlaylistText.path(part, text: text), from: text)
        playlist.entries.append(next)
        next = Playlist.Entry(path: nil)
      }
    }
    return playlist
  }

  private static func read(_ line: String, into entry: inout Playlist.Entry, _ playlist: inout Playlist) {
    if line.hasPrefix("#PLAYLIST:") {
      playlist.title = PlaylistText.trimmed(line.dropFirst(10))
    } else if line.hasPrefix(hashMark) {
      entry.hash = String(line.dropFirst(hashMark.count)).lowercased()
    } else if line.hasPrefix("#EXTALB:") {
      entry.album = String(line.dropFirst(8))
    } else if line.hasPrefix("#EXTINF:"), let comma = firstComma(of: line) {
      let seconds = line.dropFirst(8).prefix { $0 != "," && $0 != " " }
      entry.durationInSeconds = DecimalText.parse(String(seconds)).flatMap { $0 > 0 ? $0 : nil }
      (entry.artist, entry.title) = PlaylistText.parts(ofName: String(line[line.index(after: comma)...]))
    }
  }

  /// The comma before the name. Attributes may precede it and have commas inside quotation marks; if a quotation mark
  /// is never closed, quotation marks are disregarded.
  private static func firstComma(of line: String) -> String.Index? {
    var isQuoted = false
    let comma = line.indices.first { index in
      if line[index] == "\"" { isQuoted.toggle() }
      return line[index] == "," && !isQuoted
    }
    return comma ?? line.firstIndex(of: ",")
  }
}

/// PLS: `FileN`, `TitleN` and `LengthN`, with N from 1; `DeadwaxHashN` is our own.
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
    // Only these two end a line: names may contain the other line separators of Unicode.
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
      { _, text, entry in entry.durationInSeconds = DecimalText.parse(text).flatMap { $0 > 0 ? $0 : nil } }
    ),
    ("deadwaxhash", { _, text, entry in entry.hash = text.lowercased() }),
  ]
}

/// Reads and writes the texts of playlist formats that consist of lines.
enum PlaylistText {
  /// The text as one line: each control character becomes a space.
  static func line(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
  }

  /// The path that a line holds; nil for URLs of anything but files.
  ///
  /// A path keeps its bytes: it need not be in the encoding of the other text.
  ///
  /// - Parameter text: `bytes`, decoded.
  static func path(_ bytes: ArraySlice<UInt8>, text: String) -> BytePath? {
    let lower = text.lowercased()
    if lower.hasPrefix("file:") { return PlaylistPath.path(ofAddress: text) }
    return PlaylistPath.isStream(lower) ? nil : BytePath(bytes)
  }

  /// Splits `Artist - Title`, the only text that old playlists have for an entry.
  static func parts(ofName name: String) -> (artist: String?, title: String?) {
    guard let dash = name.firstRange(of: " - ") else { return (nil, name.isEmpty ? nil : name) }
    return (String(name[..<dash.lowerBound]), String(name[dash.upperBound...]))
  }

  static func trimmed(_ text: some StringProtocol) -> String {
    String(text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
  }
}

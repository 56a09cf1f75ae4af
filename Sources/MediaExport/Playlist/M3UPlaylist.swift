internal import MediaModel

/// M3U8: a path a line, comments before it.
///
/// A line of ours, `#DEADWAX-HASH:`, holds the hash of the sound. Names that a line cannot hold, because they have a line
/// break in them or are not UTF-8, are written as addresses.
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
      entry.durationInSeconds = Double(seconds).flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
      (entry.artist, entry.title) = PlaylistText.parts(ofName: String(line[line.index(after: comma)...]))
    }
  }

  /// The comma before the name. Attributes may stand before it, with commas in their quotes; a quote that is never closed
  /// is none.
  private static func firstComma(of line: String) -> String.Index? {
    var isQuoted = false
    let comma = line.indices.first { index in
      if line[index] == "\"" { isQuoted.toggle() }
      return line[index] == "," && !isQuoted
    }
    return comma ?? line.firstIndex(of: ",")
  }
}

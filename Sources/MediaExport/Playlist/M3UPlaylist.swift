internal import MediaModel

/// M3U8: a path a line, comments before it.
///
/// A line of ours, `#DEADWAX-HASH:`, holds the hash of the sound. Names that a line cannot hold, because they have a line
/// break in them or are not UTF-8, are written as addresses.
enum M3UPlaylist {
  private static let hashMark = "#DEADWAX-HASH:"

  static func text(of playlist: Playlist) -> String {
    var text = "#EXTM3U\n"
    if let title = playlist.title { text += "#PLAYLIST:\(line(title))\n" }
    for entry in playlist.entries {
      guard let path = entry.path else { continue }
      let seconds = entry.durationInSeconds.map { String(Int64(max(0, min($0, 1e12)).rounded())) } ?? "-1"
      text += "#EXTINF:\(seconds),\(line(entry.name))\n"
      if let hash = entry.hash { text += "\(hashMark)\(hash)\n" }
      text += PlaylistPath.line(path) + "\n"
    }
    return text
  }

  private static func line(_ text: String) -> String { TerminalText.escaped(text) }

  static func playlist(from bytes: [UInt8]) -> Playlist {
    let hasMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
    let isUTF8 = String(validating: bytes, as: UTF8.self) != nil
    var playlist = Playlist(entries: [])
    var next = Playlist.Entry(path: nil)
    for part in bytes.dropFirst(hasMark ? 3 : 0).split(whereSeparator: { $0 == 10 || $0 == 13 }) {
      let text = isUTF8 ? String(decoding: part, as: UTF8.self) : latin(part)
      guard !text.allSatisfy(\.isWhitespace) else { continue }
      if text.hasPrefix("#") {
        read(text, into: &next, &playlist)
      } else {
        // Bytes stay what they are: a name need not be in the encoding of the rest.
        next.path = path(text, bytes: part)
        playlist.entries.append(next)
        next = Playlist.Entry(path: nil)
      }
    }
    return playlist
  }

  private static func latin(_ bytes: ArraySlice<UInt8>) -> String {
    String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }

  private static func path(_ text: String, bytes: ArraySlice<UInt8>) -> BytePath? {
    if text.lowercased().hasPrefix("file:") { return PlaylistPath.path(ofAddress: text) }
    return PlaylistPath.isStream(text.lowercased()) ? nil : BytePath(bytes)
  }

  private static func read(_ line: String, into entry: inout Playlist.Entry, _ playlist: inout Playlist) {
    if line.hasPrefix("#PLAYLIST:") {
      playlist.title = String(line.dropFirst(10))
    } else if line.hasPrefix(hashMark) {
      entry.hash = String(line.dropFirst(hashMark.count)).lowercased()
    } else if line.hasPrefix("#EXTALB:") {
      entry.album = String(line.dropFirst(8))
    } else if line.hasPrefix("#EXTINF:"), let comma = line.firstIndex(of: ",") {
      // Attributes may stand between the seconds and the comma.
      let seconds = line.dropFirst(8).prefix { $0 != "," && $0 != " " }
      entry.durationInSeconds = Double(seconds).flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
      (entry.artist, entry.title) = PlaylistName.parts(String(line[line.index(after: comma)...]))
    }
  }
}

/// `Artist - Title`, the one text that old playlists have.
enum PlaylistName {
  static func parts(_ name: String) -> (artist: String?, title: String?) {
    guard let dash = name.firstRange(of: " - ") else { return (nil, name.isEmpty ? nil : name) }
    return (String(name[..<dash.lowerBound]), String(name[dash.upperBound...]))
  }
}

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

  static func playlist(from lines: PlaylistLines) -> Playlist {
    var playlist = Playlist(entries: [])
    var next = Playlist.Entry(path: nil)
    for line in lines.lines {
      let text = PlaylistText.trimmed(line.text)
      guard !text.isEmpty else { continue }
      let isComment = text.utf8.first == UInt8(ascii: "#")
      if isComment, !isFileName(text) {
        read(text, into: &next, &playlist)
      } else if playlist.entries.count < Playlist.maximumEntryCount {
        var entry = isComment ? Playlist.Entry(path: nil) : next
        entry.take(PlaylistText.paths(line), from: text)
        entry.mayBeComment = isComment
        playlist.entries.append(entry)
        if !isComment { next = Playlist.Entry(path: nil) }
      } else {
        playlist.omittedCount += 1
      }
    }
    return playlist
  }

  /// Whether a comment may be the name of a file: `#1 Hit.mp3`.
  private static func isFileName(_ comment: String) -> Bool {
    guard !comment.hasPrefix("#EXT"), !comment.hasPrefix("#PLAYLIST:"), !comment.hasPrefix(hashMark),
      let dot = comment.lastIndex(of: ".")
    else { return false }
    let suffix = comment[comment.index(after: dot)...]
    return (2...4).contains(suffix.utf8.count) && suffix.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
      && !comment.contains("://")
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

/// PLS: `FileN`, `TitleN` and `LengthN`, with N from 1, or from 0 in some programs; `DeadwaxHashN` is our own.
///
/// Lists that were put together by hand have numbers several times, or none: no file is lost for that. What has no number
/// belongs to the file before it.
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

  static func playlist(from lines: PlaylistLines) -> Playlist {
    var entries: [Key: Playlist.Entry] = [:]
    var named: Set<Key> = []
    // The last key with each number.
    var current: [Int: Key] = [:]
    var (last, lastRound) = (Key(round: 0, number: 0), 0)
    var omittedCount = 0
    for line in lines.lines {
      if PlaylistText.trimmed(line.text).lowercased() == "[playlist]" {
        lastRound += entries.isEmpty ? 0 : 1
        (last, current) = (Key(round: lastRound, number: 0), [:])
      }
      guard let (name, value) = line.divided(at: UInt8(ascii: "=")) else { continue }
      let key = PlaylistText.trimmed(name).lowercased()
      for (name, change) in readers where key.hasPrefix(name) {
        let digits = PlaylistText.trimmed(key.dropFirst(name.count))
        let isFile = name == "file"
        guard let number = digits.isEmpty ? isFile ? last.number + 1 : last.number : Int(digits),
          (0..<Int.max).contains(number)
        else {
          omittedCount += isFile ? 1 : 0
          continue
        }
        var place = current[number] ?? Key(round: last.round, number: number)
        if isFile {
          if !named.insert(place).inserted {
            place.round += 1
            named.insert(place)
          }
          last.number = number
          lastRound = max(lastRound, place.round)
        }
        current[number] = place
        change(value, &entries[place, default: Playlist.Entry(path: nil)])
      }
    }
    var playlist = Playlist(entries: entries.sorted { $0.key < $1.key }.map(\.value))
    playlist.omittedCount = omittedCount
    return playlist
  }

  /// Where an entry stands: numbers that come again begin a new round.
  private struct Key: Hashable, Comparable {
    var round: Int
    var number: Int

    static func < (first: Key, second: Key) -> Bool { (first.round, first.number) < (second.round, second.number) }
  }

  private typealias Reader = @Sendable (_ value: PlaylistLines.Line, inout Playlist.Entry) -> Void

  private static let readers: [(String, Reader)] = [
    ("file", { value, entry in entry.take(PlaylistText.paths(value), from: value.text) }),
    ("title", { value, entry in (entry.artist, entry.title) = PlaylistText.parts(ofName: value.text) }),
    (
      "length",
      { value, entry in entry.durationInSeconds = DecimalText.parse(value.text).flatMap { $0 > 0 ? $0 : nil } }
    ),
    ("deadwaxhash", { value, entry in entry.hash = value.text.lowercased() }),
  ]
}

/// The lines of a playlist as text, and as the bytes that a path in them has.
struct PlaylistLines {
  struct Line {
    /// As they are written, but UTF-16 in UTF-8.
    var bytes: ArraySlice<UInt8>
    var text: String

    /// What is before and behind the first `separator`, without blanks around the separator.
    func divided(at separator: UInt8) -> (name: String, value: Line)? {
      guard let place = bytes.firstIndex(of: separator), let end = text.utf8.firstIndex(of: separator) else {
        return nil
      }
      let value = bytes[(place + 1)...].drop { $0 == 0x20 || $0 == 9 }
      let rest = text[text.utf8.index(after: end)...].drop { $0 == " " || $0 == "\t" }
      return (String(text[..<end]), Line(bytes: value, text: String(rest)))
    }
  }

  let lines: [Line]

  /// The encoding is guessed from all of the bytes at once.
  init(_ bytes: [UInt8]) {
    let text = GuessedText.decoded(bytes)
    // UTF-16, also without its mark.
    let isWide = LegacyText.isWide(bytes) || bytes.contains(0) && !text.utf8.contains(0)
    let whole = isWide ? Array(text.utf8) : bytes
    let body = whole.starts(with: [0xEF, 0xBB, 0xBF]) ? whole.dropFirst(3) : whole[...]
    // Only these two end a line: names may contain the other line separators of Unicode. In no encoding are they part of a
    // character.
    func isEnd(_ byte: UInt8) -> Bool { byte == 10 || byte == 13 }
    let parts = body.split(whereSeparator: isEnd)
    let texts = text.utf8.split(whereSeparator: isEnd)
    lines = parts.indices.map { index in
      var line = Line(
        bytes: parts[index],
        text: texts.count == parts.count ? String(texts[index]) ?? "" : LegacyText.decoded(parts[index]))
      // No name has a NUL; some programs end texts with one.
      line.bytes = line.bytes.prefix { $0 != 0 }
      line.text = String(line.text.prefix { $0 != "\0" })
      return line
    }.filter { !$0.bytes.isEmpty }
  }
}

/// Reads and writes the texts of playlist formats that consist of lines.
enum PlaylistText {
  /// The text as one line: each control character becomes a space.
  static func line(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
  }

  /// The paths that a line may hold, the most likely first; none for URLs of anything but files.
  ///
  /// A path keeps its bytes: it need not be in the encoding of the other text. Some programs encode paths like URLs, or put
  /// blanks around them; old ones of Apple separate folders with colons.
  static func paths(_ line: PlaylistLines.Line) -> [BytePath] {
    let text = trimmed(line.text)
    let lower = text.lowercased()
    let isAddress = lower.hasPrefix("file:") || PlaylistPath.isSharedFolder(lower)
    guard !text.isEmpty, isAddress || !PlaylistPath.isStream(lower) else { return [] }
    if isAddress { return PlaylistPath.paths(ofAddress: text) }
    let bytes = BytePath(line.bytes)
    let bare = BytePath(
      line.bytes.drop { $0 == 0x20 || $0 == 9 }.reversed().drop { $0 == 0x20 || $0 == 9 }.reversed())
    var paths = [bytes, bare, bare.percentDecoded, BytePath(text)]
    if !text.contains("/"), !text.contains("\\"), case let folders = text.split(separator: ":"), folders.count > 2 {
      paths.append(BytePath("/" + folders.dropFirst().joined(separator: "/")))
    }
    if let query = text.firstIndex(of: "?"), query > text.startIndex {
      paths.append(PlaylistPath.percentDecoded(text[..<query]))
    }
    if let mark = text.first, mark == "\"" || mark == "'", text.count > 2, text.last == mark {
      let inner = PlaylistLines.Line(
        bytes: ArraySlice(bare.bytes.dropFirst().dropLast()), text: String(text.dropFirst().dropLast()))
      paths += Self.paths(inner)
    }
    return PlaylistPath.distinct(paths)
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

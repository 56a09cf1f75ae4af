import Base
import MediaExchange

/// A playlist, read and written again: paths, hashes and lengths must be the same then.
struct PlaylistTarget: FuzzTarget {
  let format: PlaylistFormat

  init(_ format: PlaylistFormat) { self.format = format }

  var name: String { format.rawValue }

  var seeds: [[UInt8]] {
    let entries = [
      Playlist.Entry(
        path: BytePath("/music/Ärger/a b.mp3"), title: "Slow - Tide", artist: "Nora & Vale", album: "<A>",
        trackNumber: 3,
        durationInSeconds: 61.5, hash: "00112233445566778899aabbccddeeff"),
      Playlist.Entry(path: BytePath("../x/#1.flac")), Playlist.Entry(path: BytePath([0x2F, 0xFF, 0x0A, 0x25])),
    ]
    let texts = [
      format.text(of: Playlist(title: "Ö", entries: entries)), format.text(of: Playlist(entries: [])),
      "\u{FEFF}#EXTM3U\r\na.mp3\r\n",
      "#EXTINF:12 logo=\"x\",A - B\nhttp://radio/x\nfile://localhost/a%20b\nC:\\x\\y.mp3",
      "<playlist><!-- --><trackList/><![CDATA[x]]>&#x41;",
    ]
    return texts.map { Array($0.utf8) } + [[0x61, 0xE9, 0x0A, 0x62]]
  }

  var dictionary: [String] {
    switch format {
    case .m3u8, .m3u:
      ["#EXTM3U\n", "#EXTINF:", "#PLAYLIST:", "#EXTALB:", "#DEADWAX-HASH:", "file:///", "%2F", "\r", " - ", "http://"]
    case .xspf:
      [
        "<playlist>", "<track>", "</track>", "<location>", "</location>", "<title>", "<identifier>urn:deadwax:",
        "<duration>",
        "<![CDATA[", "]]>", "<!--", "-->", "<?", "?>", "&amp;", "&#x", "&#0;", "x:", "'", "/>", "<!",
      ]
    case .jspf:
      JSONTarget.words + [
        "{\"playlist\":{\"track\":[", "\"location\":[\"", "\"duration\":", "\"trackNum\":", "\"identifier\":[",
        "\"title\":",
      ]
    case .pls:
      ["[playlist]\n", "File1=", "Title1=", "Length1=", "DeadwaxHash1=", "NumberOfEntries=", "File999999=", "file:"]
    }
  }

  func check(_ bytes: [UInt8]) throws {
    guard let playlist = try? format.playlist(from: bytes) else { return }
    let text = format.text(of: playlist)
    let again: Playlist
    do throws(ExchangeError) { again = try format.playlist(from: Array(text.utf8)) } catch {
      throw PropertyFailure("what was written is not read: \(error)")
    }
    let entries = playlist.entries.filter { $0.path != nil }
    try require(again.entries.count == entries.count, "\(again.entries.count) of \(entries.count) entries come back")
    for (old, new) in zip(entries, again.entries) where Self.isPlain(old) {
      let (old, new) = (Self.withoutDot(old), Self.withoutDot(new))
      try require(new == old, "\(old) comes back as \(new)")
    }
    // What was read once stays the same.
    let third = (try? format.playlist(from: Array(format.text(of: again).utf8)))?.entries ?? []
    let difference = zip(third, again.entries).first { $0.path != $1.path }
    try require(
      third.count == again.entries.count && difference == nil,
      "\(difference?.1.path?.bytes ?? []) changes to \(difference?.0.path?.bytes ?? [])")
  }

  /// `./` is written before paths that would be read as something else.
  private static func withoutDot(_ entry: Playlist.Entry) -> [UInt8] {
    let bytes = entry.path?.bytes ?? []
    return bytes.starts(with: "./".utf8) ? Array(bytes.dropFirst(2)) : bytes
  }

  /// Whether a path can come back unchanged: a relative one that does not fit a line is written as an address.
  private static func isPlain(_ entry: Playlist.Entry) -> Bool {
    entry.path.map { !$0.bytes.isEmpty && !$0.bytes.contains(0) && PlaylistPath.fitsLine($0) } ?? false
  }
}

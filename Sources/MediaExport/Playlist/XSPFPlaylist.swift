internal import MediaModel

/// XSPF 1, with the hash of a sound as its identifier.
enum XSPFPlaylist {
  static func text(of playlist: Playlist) -> String {
    var text = #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n"
    text += #"<playlist version="1" xmlns="http://xspf.org/ns/0/">"# + "\n"
    if let title = playlist.title { text += "  " + element("title", title) }
    text += "  <trackList>\n"
    for entry in playlist.entries {
      guard let path = entry.path else { continue }
      let duration = entry.durationInSeconds.map { String(Int64(max(0, min($0, 1e12)) * 1000)) }
      let parts: [(String, String?)] = [
        ("location", PlaylistPath.address(path)), ("identifier", entry.hash.map { hashScheme + $0 }),
        ("title", entry.title), ("creator", entry.artist), ("album", entry.album),
        ("trackNum", entry.trackNumber.flatMap { $0 >= 1 ? String($0) : nil }), ("duration", duration),
      ]
      text += "    <track>\n"
      for (name, value) in parts { if let value { text += "      " + element(name, value) } }
      text += "    </track>\n"
    }
    return text + "  </trackList>\n</playlist>\n"
  }

  static let hashScheme = "urn:deadwax:"

  private static func element(_ name: String, _ text: String) -> String {
    "<\(name)>\(XMLText.escaped(text))</\(name)>\n"
  }

  static func playlist(from bytes: [UInt8]) throws(PlaylistError) -> Playlist {
    var scanner = try XMLScanner(bytes)
    var playlist = Playlist(entries: [])
    var entry: Playlist.Entry?
    var hasPlaylist = false
    var text = ""
    while let event = try scanner.next() {
      switch event {
      case .text(let part): text += part
      case .start(let name):
        text = ""
        if name == "playlist" { hasPlaylist = true }
        if name == "track" { entry = Playlist.Entry(path: nil) }
      case .end(let name):
        let value = PlaylistText.trimmed(text)
        text = ""
        if name == "track", let done = entry {
          playlist.entries.append(done)
          entry = nil
        } else if entry == nil {
          if name == "title" { playlist.title = value }
        } else if !value.isEmpty {
          read(name, value, into: &entry)
        }
      }
    }
    guard hasPlaylist else { throw PlaylistError(reason: "not an XSPF playlist") }
    return playlist
  }

  private static func read(_ name: String, _ value: String, into entry: inout Playlist.Entry?) {
    switch name {
    case "location": if entry?.path == nil { entry?.take(PlaylistPath.path(ofAddress: value), from: value) }
    case "identifier" where value.hasPrefix(hashScheme): entry?.hash = String(value.dropFirst(hashScheme.count))
    case "title": entry?.title = value
    case "creator": entry?.artist = value
    case "album": entry?.album = value
    case "trackNum": entry?.trackNumber = Int(value)
    case "duration": entry?.durationInSeconds = Double(value).map { $0 / 1000 }
    default: break
    }
  }
}

/// Text in XML.
enum XMLText {
  /// With entities for what is special, and without characters that XML cannot hold.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\n": result += "&#10;"
      case "\t": result += "&#9;"
      case "\r": result += "&#13;"
      case "\u{7F}"..."\u{9F}": result += "&#\(scalar.value);"
      case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

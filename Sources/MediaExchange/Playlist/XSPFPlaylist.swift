internal import Base

/// XSPF 1, with the hash of the stream as the identifier of a track.
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

  static func playlist(from bytes: [UInt8]) throws(ExchangeError) -> Playlist {
    var playlist = Playlist(entries: [])
    var entry: Playlist.Entry?
    var hasPlaylist = false
    // Files that identifiers name come behind all locations.
    var identifiers: [String] = []
    var text = ""
    try XMLEvents.read(bytes) { event in
      switch event {
      case .text(let part): text += part
      case .start(let name):
        text = ""
        if name == "playlist" { hasPlaylist = true }
        if name == "track" { entry = Playlist.Entry(path: nil) }
      case .end(let name):
        let value = PlaylistText.trimmed(text)
        text = ""
        if name == "track", var done = entry {
          for address in identifiers { done.take(PlaylistPath.paths(ofAddress: address), from: address) }
          playlist.entries.append(done)
          (entry, identifiers) = (nil, [])
        } else if entry != nil, name == "identifier", value.lowercased().hasPrefix("file:") {
          identifiers.append(value)
        } else if entry == nil {
          if name == "title" { playlist.title = value }
        } else if !value.isEmpty {
          read(name, value, into: &entry)
        }
      }
    }
    guard hasPlaylist else { throw .unreadable("not an XSPF playlist") }
    return playlist
  }

  private static func read(_ name: String, _ value: String, into entry: inout Playlist.Entry?) {
    switch name {
    case "location": entry?.take(PlaylistPath.paths(ofAddress: value), from: value)
    case "identifier" where value.hasPrefix(hashScheme): entry?.hash = String(value.dropFirst(hashScheme.count))
    case "title": entry?.title = value
    case "creator": entry?.artist = value
    case "album": entry?.album = value
    case "trackNum": entry?.trackNumber = Int(value)
    case "duration": entry?.durationInSeconds = DecimalText.parse(value).map { $0 / 1000 }
    default: break
    }
  }
}

/// Text in XML documents.
enum XMLText {
  /// Replaces special characters by entities, and characters that XML cannot hold by U+FFFD.
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

/// JSPF: XSPF as JSON.
enum JSPFPlaylist {
  static func text(of playlist: Playlist) -> String {
    let tracks = playlist.entries.compactMap { entry -> JSONValue? in
      guard let path = entry.path else { return nil }
      var members: [JSONValue.Member] = [.init("location", .array([.string(PlaylistPath.address(path))]))]
      if let hash = entry.hash {
        members.append(.init("identifier", .array([.string(XSPFPlaylist.hashScheme + hash)])))
      }
      let texts = [("title", entry.title), ("creator", entry.artist), ("album", entry.album)]
      for (key, value) in texts { if let value { members.append(.init(key, .string(value))) } }
      if let number = entry.trackNumber, number >= 1 { members.append(.init("trackNum", .integer(Int64(number)))) }
      if let seconds = entry.durationInSeconds {
        members.append(.init("duration", .integer(Int64(max(0, min(seconds, 1e12)) * 1000))))
      }
      return .object(members)
    }
    let title = playlist.title.map { [JSONValue.Member("title", .string($0))] } ?? []
    let inner: JSONValue = .object(title + [.init("track", .array(tracks))])
    return JSONValue.object([.init("playlist", inner)]).prettyText + "\n"
  }

  /// Accepts numbers that are written as text and a single location without a list around it, as some programs write
  /// them. Values of other types are ignored.
  ///
  /// - Throws: ``ExchangeError`` if the bytes are not JSON, or have no playlist.
  static func playlist(from bytes: [UInt8]) throws(ExchangeError) -> Playlist {
    let document: JSONValue
    do {
      document = try JSONValue(parsing: bytes)
    } catch {
      throw .unreadable("not a JSPF playlist: \(error)")
    }
    guard case .object? = document["playlist"], let playlist = document["playlist"] else {
      throw .unreadable("not a JSPF playlist: it has no \"playlist\"")
    }
    let entries = (playlist["track"]?.array ?? []).map { track in
      let identifiers = texts(track["identifier"])
      let addresses = texts(track["location"]) + identifiers.filter { $0.lowercased().hasPrefix("file:") }
      var entry = Playlist.Entry(
        path: nil, title: track["title"]?.string, artist: track["creator"]?.string,
        album: track["album"]?.string, trackNumber: number(track["trackNum"]).flatMap { Int(exactly: $0) },
        durationInSeconds: number(track["duration"]).map { $0 / 1000 },
        hash: identifiers.first { $0.hasPrefix(XSPFPlaylist.hashScheme) }
          .map { String($0.dropFirst(XSPFPlaylist.hashScheme.count)) })
      for address in addresses { entry.take(PlaylistPath.paths(ofAddress: address), from: address) }
      return entry
    }
    return Playlist(title: playlist["title"]?.string, entries: entries)
  }

  private static func texts(_ value: JSONValue?) -> [String] {
    value?.array?.compactMap(\.string) ?? value?.string.map { [$0] } ?? []
  }

  private static func number(_ value: JSONValue?) -> Double? {
    (value?.double ?? value?.string.flatMap(DecimalText.parse)).flatMap { $0.isFinite ? $0 : nil }
  }
}

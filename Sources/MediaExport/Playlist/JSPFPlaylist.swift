internal import MediaModel

/// JSPF: what XSPF says, in JSON.
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

  /// Other programs write numbers as text, and one place without a list around it; what is of no kind that makes sense is
  /// left out.
  ///
  /// - Throws: ``PlaylistError`` where it is no JSON, or no playlist.
  static func playlist(from bytes: [UInt8]) throws(PlaylistError) -> Playlist {
    let document: JSONValue
    do {
      document = try JSONValue(parsing: bytes)
    } catch {
      throw PlaylistError(reason: "not a JSPF playlist: \(error)")
    }
    guard case .object? = document["playlist"], let playlist = document["playlist"] else {
      throw PlaylistError(reason: "not a JSPF playlist: it has no \"playlist\"")
    }
    let entries = (playlist["track"]?.array ?? []).map { track in
      Playlist.Entry(
        path: texts(track["location"]).lazy.compactMap(PlaylistPath.path(ofAddress:)).first,
        title: track["title"]?.string, artist: track["creator"]?.string, album: track["album"]?.string,
        trackNumber: number(track["trackNum"]).flatMap { Int(exactly: $0) },
        durationInSeconds: number(track["duration"]).map { $0 / 1000 },
        hash: texts(track["identifier"]).first { $0.hasPrefix(XSPFPlaylist.hashScheme) }
          .map { String($0.dropFirst(XSPFPlaylist.hashScheme.count)) })
    }
    return Playlist(title: playlist["title"]?.string, entries: entries)
  }

  private static func texts(_ value: JSONValue?) -> [String] {
    value?.array?.compactMap(\.string) ?? value?.string.map { [$0] } ?? []
  }

  private static func number(_ value: JSONValue?) -> Double? {
    (value?.double ?? value?.string.flatMap { Double($0) }).flatMap { $0.isFinite ? $0 : nil }
  }
}

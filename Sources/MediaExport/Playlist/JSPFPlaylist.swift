internal import Foundation
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

  private struct Document: Decodable {
    struct List: Decodable {
      var title: String?
      var track: [Track]?
    }

    struct Track: Decodable {
      var location: [String]?
      var identifier: [String]?
      var title: String?
      var creator: String?
      var album: String?
      var trackNum: Int?
      var duration: Double?
    }

    var playlist: List
  }

  static func playlist(from bytes: [UInt8]) throws(PlaylistError) -> Playlist {
    let document: Document
    do {
      document = try JSONDecoder().decode(Document.self, from: Data(bytes))
    } catch {
      throw PlaylistError(reason: "not a JSPF playlist")
    }
    let entries = (document.playlist.track ?? []).map { track in
      Playlist.Entry(
        path: track.location?.lazy.compactMap(PlaylistPath.path(ofAddress:)).first, title: track.title,
        artist: track.creator, album: track.album, trackNumber: track.trackNum,
        durationInSeconds: track.duration.map { $0 / 1000 },
        hash: track.identifier?.first { $0.hasPrefix(XSPFPlaylist.hashScheme) }
          .map { String($0.dropFirst(XSPFPlaylist.hashScheme.count)) })
    }
    return Playlist(title: document.playlist.title, entries: entries)
  }
}

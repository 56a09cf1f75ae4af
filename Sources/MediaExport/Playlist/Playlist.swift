package import MediaModel

/// A list of tracks as other programs write and read it.
package struct Playlist: Hashable, Sendable {
  package struct Entry: Hashable, Sendable {
    /// As a playlist has it: absolute, or relative to the playlist's folder. nil for addresses of streams.
    package var path: BytePath?
    package var title: String?
    package var artist: String?
    package var album: String?
    package var trackNumber: Int?
    package var durationInSeconds: Double?
    /// Of the sound, as 32 hexadecimal digits: with it the entry is found again, whatever the file is called.
    package var hash: String?

    package init(
      path: BytePath?, title: String? = nil, artist: String? = nil, album: String? = nil, trackNumber: Int? = nil,
      durationInSeconds: Double? = nil, hash: String? = nil
    ) {
      self.path = path
      self.title = title
      self.artist = artist
      self.album = album
      self.trackNumber = trackNumber
      self.durationInSeconds = durationInSeconds
      self.hash = hash
    }

    /// Takes what a playlist says of the place; an address of a stream is at least a name.
    ///
    /// - Parameter path: What the text names, nil for addresses of anything but files.
    mutating func take(_ path: BytePath?, from text: String) {
      self.path = path
      if path == nil, title == nil { title = text }
    }

    /// `Artist - Title`, as lists show it; the file's name where nothing else is known.
    package var name: String {
      let words = [artist, title].compactMap { $0 }.filter { !$0.isEmpty }
      return words.isEmpty ? path?.lastComponent.displayString ?? "" : words.joined(separator: " - ")
    }
  }

  package var title: String?
  package var entries: [Entry]

  package init(title: String? = nil, entries: [Entry]) {
    self.title = title
    self.entries = entries
  }
}

/// The forms of playlists that are written and read.
package enum PlaylistFormat: String, CaseIterable, Sendable {
  case m3u8, m3u, xspf, jspf, pls

  package func text(of playlist: Playlist) -> String {
    switch self {
    case .m3u8, .m3u: M3UPlaylist.text(of: playlist)
    case .xspf: XSPFPlaylist.text(of: playlist)
    case .jspf: JSPFPlaylist.text(of: playlist)
    case .pls: PLSPlaylist.text(of: playlist)
    }
  }

  /// - Throws: ``PlaylistError``.
  package func playlist(from bytes: [UInt8]) throws(PlaylistError) -> Playlist {
    guard bytes.count <= 64 << 20 else { throw PlaylistError(reason: "larger than 64 MiB") }
    let bytes = LegacyText.isWide(bytes) ? Array(LegacyText.decoded(bytes[...]).utf8) : bytes
    switch self {
    case .m3u8, .m3u: return M3UPlaylist.playlist(from: bytes)
    case .xspf: return try XSPFPlaylist.playlist(from: bytes)
    case .jspf: return try JSPFPlaylist.playlist(from: bytes)
    case .pls: return PLSPlaylist.playlist(from: bytes)
    }
  }
}

/// Why bytes are no playlist.
package struct PlaylistError: Error, Hashable, CustomStringConvertible {
  package let reason: String

  package var description: String { reason }
}

package import Base

/// A playlist as other programs write and read it.
package struct Playlist: Hashable, Sendable {
  package struct Entry: Hashable, Sendable {
    /// As the playlist has it: absolute, or relative to the playlist's folder. nil for URLs of anything but files.
    package var path: BytePath?
    /// What the same text may mean if there is no file at ``path``: without percent-encoding, or without blanks around it.
    package var otherPaths: [BytePath] = []
    package var title: String?
    package var artist: String?
    package var album: String?
    package var trackNumber: Int?
    package var durationInSeconds: Double?
    /// The hash of the stream, as 32 hexadecimal digits; it finds the entry again after its file was renamed or moved.
    package var hash: String?
    /// Whether the line begins like a comment: it is an entry only if there is a file with that name.
    package var mayBeComment = false

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

    /// More are not looked for: no program writes so many for one track.
    private static let maximumPathCount = 64

    /// Adds paths behind those that it has. If there is none, the text that stands for it (the URL of a radio station, say) becomes the
    /// title.
    ///
    /// - Parameter paths: The paths that `text` may name, the most likely first; none for URLs of anything but files.
    mutating func take(_ paths: [BytePath], from text: String) {
      let all = PlaylistPath.distinct(Array((allPaths + paths).prefix(Self.maximumPathCount)))
      path = all.first
      otherPaths = Array(all.dropFirst())
      if path == nil, title == nil { title = text }
    }

    /// ``path`` and then ``otherPaths``.
    package var allPaths: [BytePath] { (path.map { [$0] } ?? []) + otherPaths }

    /// `Artist - Title`, as playlists show it; the file's name if neither is known.
    package var name: String {
      let words = [artist, title].compactMap { $0 }.filter { !$0.isEmpty }
      return words.isEmpty ? path?.lastComponent.displayString ?? "" : words.joined(separator: " - ")
    }
  }

  /// More entries are not read: many times more than a list that people make.
  package static let maximumEntryCount = 250_000

  package var title: String?
  package var entries: [Entry]
  /// The number of entries that were not read, because there are too many, or their numbers are impossible.
  package var omittedCount = 0

  package init(title: String? = nil, entries: [Entry]) {
    self.title = title
    self.entries = entries
  }
}

/// The playlist formats that can be written and read.
package enum PlaylistFormat: String, CaseIterable, Sendable {
  case m3u8, m3u, xspf, jspf, pls

  private static let maximumByteCount = 64 << 20

  /// The format of a file by its content, and by the extension of its name if the content fits several; nil if neither
  /// says it.
  package static func detect(_ bytes: [UInt8], extension name: String) -> PlaylistFormat? {
    let named = PlaylistFormat(rawValue: name.lowercased())
    let lines = PlaylistLines(Array(bytes.prefix(64 << 10))).lines.map { PlaylistText.trimmed($0.text).lowercased() }
    guard let first = lines.first(where: { !$0.isEmpty }) else { return named }
    if first.hasPrefix("#extm3u") { return named == .m3u ? .m3u : .m3u8 }
    if first.hasPrefix("[playlist]") { return .pls }
    if first.hasPrefix("<"), lines.contains(where: { $0.contains("<playlist") || $0.contains(":playlist") }) {
      return .xspf
    }
    if first.hasPrefix("{"), lines.contains(where: { $0.contains("\"playlist\"") }) { return .jspf }
    guard named == .pls || named == .m3u || named == .m3u8 else { return named }
    let isPLS = lines.contains { line in
      line.hasPrefix("file") && line.dropFirst(4).drop { $0.isNumber || $0 == " " }.hasPrefix("=")
    }
    return isPLS ? .pls : named == .pls ? .m3u8 : named
  }

  package func text(of playlist: Playlist) -> String {
    switch self {
    case .m3u8, .m3u: M3UPlaylist.text(of: playlist)
    case .xspf: XSPFPlaylist.text(of: playlist)
    case .jspf: JSPFPlaylist.text(of: playlist)
    case .pls: PLSPlaylist.text(of: playlist)
    }
  }

  /// - Throws: ``ExchangeError`` if the bytes are not a playlist of this format, or more than 64 MiB.
  package func playlist(from bytes: [UInt8]) throws(ExchangeError) -> Playlist {
    guard bytes.count <= Self.maximumByteCount else {
      throw .tooLarge(byteCount: bytes.count, limit: Self.maximumByteCount)
    }
    var playlist: Playlist
    switch self {
    case .m3u8, .m3u: playlist = M3UPlaylist.playlist(from: PlaylistLines(bytes))
    // XML declares its encoding.
    case .xspf: playlist = try XSPFPlaylist.playlist(from: bytes)
    case .jspf: playlist = try JSPFPlaylist.playlist(from: Array(GuessedText.decoded(bytes).utf8))
    case .pls: playlist = PLSPlaylist.playlist(from: PlaylistLines(bytes))
    }
    playlist.omittedCount += max(0, playlist.entries.count - Playlist.maximumEntryCount)
    playlist.entries.removeLast(max(0, playlist.entries.count - Playlist.maximumEntryCount))
    return playlist
  }
}

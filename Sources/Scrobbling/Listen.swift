internal import Base
internal import LibraryTracks
internal import MediaModel

/// That somebody has heard a song, or hears it now, as ListenBrainz is told.
///
/// The names are those of https://listenbrainz.readthedocs.io/en/latest/users/json.html.
struct Listen: Hashable, Sendable {
  /// What may be said of one song; the service refuses more than 10,240 bytes.
  private static let largestByteCount = 10_000
  /// The service refuses what was heard before 2002.
  private static let earliestStart: Int64 = 1_033_430_400

  /// A member of the payload of a submission.
  let document: JSONValue

  /// nil if the tags do not name an artist and a title, or if the service would refuse it.
  ///
  /// - Parameters:
  ///   - startedAt: in seconds since 1970; nil for what is heard now.
  ///   - player: the program that plays; nil if it is not known.
  init?(of song: Song, tags: Tags, startedAt: Int64?, player: String?, version: String) {
    guard let title = song.title, !title.isEmpty, let artist = Self.artist(of: song, tags) else { return nil }
    if let startedAt, startedAt < Self.earliestStart { return nil }
    var track: [JSONValue.Member] = [
      .init("artist_name", .string(artist)), .init("track_name", .string(title)),
    ]
    if let album = song.album, !album.isEmpty { track.append(.init("release_name", .string(album))) }
    track.append(.init("additional_info", .object(Self.details(of: song, tags, player: player, version: version))))
    var members = [JSONValue.Member("track_metadata", .object(track))]
    if let startedAt { members.insert(.init("listened_at", .integer(startedAt)), at: 0) }
    document = .object(members)
    guard document.text.utf8.count <= Self.largestByteCount else { return nil }
  }

  /// - Parameter stored: A document of this type, from the queue.
  init(stored: JSONValue) { document = stored }

  /// One text for several artists, which the column separates by "; ".
  private static func artist(of song: Song, _ tags: Tags) -> String? {
    let names = tags["ARTIST"].isEmpty ? [song.artist ?? song.albumArtist ?? ""] : tags["ARTIST"]
    let name = names.filter { !$0.isEmpty }.joined(separator: ", ")
    return name.isEmpty ? nil : name
  }

  private static func details(
    of song: Song, _ tags: Tags, player: String?, version: String
  ) -> [JSONValue.Member] {
    var details: [JSONValue.Member] = [
      .init("submission_client", .string("Deadwax")), .init("submission_client_version", .string(version)),
    ]
    if let player, !player.isEmpty { details.append(.init("media_player", .string(player))) }
    if let seconds = song.durationInSeconds, seconds > 0 {
      details.append(.init("duration_ms", .integer(Int64(min(seconds, 1e9) * 1000))))
    }
    // TagLib calls a recording a track, and a track of a release a release track.
    for (key, name) in [
      ("recording_mbid", "MUSICBRAINZ_TRACKID"), ("track_mbid", "MUSICBRAINZ_RELEASETRACKID"),
      ("release_mbid", "MUSICBRAINZ_ALBUMID"), ("release_group_mbid", "MUSICBRAINZ_RELEASEGROUPID"),
    ] {
      if let id = tags[name].first(where: isMusicBrainzID) { details.append(.init(key, .string(id))) }
    }
    let artists = tags["MUSICBRAINZ_ARTISTID"].filter(isMusicBrainzID)
    if !artists.isEmpty { details.append(.init("artist_mbids", .array(artists.map { .string($0) }))) }
    if let number = song.track, number > 0 { details.append(.init("tracknumber", .integer(number))) }
    if let isrc = song.isrc, !isrc.isEmpty { details.append(.init("isrc", .string(isrc))) }
    return details
  }

  /// 32 hexadecimal digits in groups of 8, 4, 4, 4 and 12; one that is not refuses the whole submission.
  static func isMusicBrainzID(_ text: String) -> Bool {
    let groups = text.split(separator: "-", omittingEmptySubsequences: false)
    return groups.map(\.utf8.count) == [8, 4, 4, 4, 12]
      && groups.allSatisfy { $0.utf8.allSatisfy { Character(UnicodeScalar($0)).isHexDigit } }
  }
}

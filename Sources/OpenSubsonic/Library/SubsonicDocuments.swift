internal import Base
internal import Foundation
internal import HTTPServing
internal import LibraryServing
internal import LibraryTracks
internal import MediaModel

/// A song as the protocol has it (`Child`).
enum SongDocument {
  static func object(_ song: Song, _ view: SubsonicView) -> SubsonicObject {
    let browseIndex = view.browseIndex
    let sent = view.hearing.sent(of: song)
    let place = browseIndex.song(ofFile: song.fileID)
    let album = place.map { Int(browseIndex.albumOfSong[$0]) }
    var object = SubsonicObject()
    object.reserve(40)
    object.add("id", song.key)
    object.add("parent", album.map { browseIndex.albums[$0].id })
    object.add("isDir", false)
    object.add(
      "title",
      song.title ?? String(song.fileName.prefix(upTo: song.fileName.lastIndex(of: ".") ?? song.fileName.endIndex)))
    object.add("album", album.map { browseIndex.albums[$0].name } ?? song.album)
    object.add("artist", song.artist ?? song.albumArtist)
    object.add("track", song.track)
    object.add("year", song.year)
    object.add("coverArt", CoverID.text(song.coverHash, else: album.map { browseIndex.albums[$0].id } ?? song.key))
    object.add("size", song.byteCount)
    object.add("contentType", SoundFileType.mediaType(song.container))
    object.add("suffix", song.fileExtension.isEmpty ? song.container.rawValue : song.fileExtension)
    if sent != nil {
      object.add("transcodedContentType", StreamFormat.unlimited.mediaType)
      object.add("transcodedSuffix", StreamFormat.unlimited.rawValue)
    }
    object.add(
      "duration", song.durationInSeconds.map { WholeSeconds.of(sent?.duration(ofSeconds: $0) ?? $0) })
    object.add("bitRate", song.bitRateInBitsPerSecond.map { $0 / 1000 })
    object.add("bitDepth", song.bitsPerSample)
    object.add("samplingRate", song.sampleRateInHz)
    object.add("channelCount", song.channelCount)
    object.add("path", song.path)
    object.add("isVideo", false)
    object.add("userRating", song.rating.flatMap(StarRating.stars))
    object.add("playCount", song.playCount)
    object.add("discNumber", song.disc)
    object.add("created", Timestamp(secondsSince1970: song.addedAt).description)
    object.add("starred", song.starredAt)
    object.add("albumId", album.map { browseIndex.albums[$0].id })
    object.add("type", "music")
    object.add("mediaType", "song")
    object.add("bookmarkPosition", song.bookmark.flatMap(Bookmark.init(text:)).map { $0.positionInMilliseconds / 1000 })
    object.add("played", song.lastPlayedAt.map { Timestamp(secondsSince1970: $0).description })
    object.add("bpm", song.beatsPerMinute.flatMap { Double($0) }.flatMap { Int64(exactly: $0.rounded()) })
    object.add("musicBrainzId", song.musicBrainzID)
    if let isrc = song.isrc { object.add("isrc", texts: [isrc]) }
    addGenres(song.genre, to: &object)
    addArtists(song, place, browseIndex, to: &object)
    CreditDocument.add(song, browseIndex, to: &object)
    object.add("replayGain", replayGain(song, sent))
    return object
  }

  private static func addGenres(_ text: String?, to object: inout SubsonicObject) {
    guard let text, !text.isEmpty else { return }
    let names = GenreText.names(text, limit: GenreText.songLimit, keepsEmpty: true)
    object.add("genre", names.first)
    object.add("genres", names.map(Self.named))
  }

  static func named(_ name: String) -> SubsonicObject {
    var object = SubsonicObject()
    object.add("name", name)
    return object
  }

  /// - Parameter place: Of the song in the browse index; nil if it is newer.
  private static func addArtists(
    _ song: Song, _ place: Int?, _ browseIndex: BrowseIndex, to object: inout SubsonicObject
  ) {
    guard let place else { return }
    let album = browseIndex.albums[Int(browseIndex.albumOfSong[place])]
    let artists = browseIndex.artists(ofSong: place)
    object.add("artistId", artists.first.map { browseIndex.artists[$0].id })
    object.add("artists", artists.map { ArtistDocument.reference($0, browseIndex) })
    object.add("displayArtist", song.artist ?? artists.map { browseIndex.artists[$0].name }.joined(separator: ", "))
    let names = song.credits.albumArtists
    object.add(
      "albumArtists",
      names.isEmpty
        ? album.artists.map { ArtistDocument.reference($0, browseIndex) }
        : names.map { CreditDocument.reference($0, browseIndex) })
    object.add(
      "displayAlbumArtist", names.isEmpty ? browseIndex.artistText(ofAlbum: album) : names.joined(separator: ", "))
  }

  /// From what was measured, whether or not the file has tags of it: of the track, and of its edition of its album.
  private static func replayGain(_ song: Song, _ sent: SongHearing.Sent?) -> SubsonicObject? {
    let album = song.albumLoudness
    guard song.loudnessInLUFS != nil || album?.loudnessInLUFS != nil else { return nil }
    // What is levelled already stays as it is.
    func gain(_ loudness: Double?) -> Double? {
      loudness.map { sent?.isLevelled == true ? 0 : (LoudnessScale.replayGain(ofLoudness: $0) * 100).rounded() / 100 }
    }
    func peak(_ level: Double?) -> Double? {
      sent == nil ? level.map { (pow(10, $0 / 20) * 1_000_000).rounded() / 1_000_000 } : nil
    }
    var object = SubsonicObject()
    object.add("trackGain", gain(song.loudnessInLUFS))
    object.add("albumGain", gain(album?.loudnessInLUFS))
    object.add("trackPeak", peak(song.truePeakInDBTP))
    object.add("albumPeak", peak(album?.truePeakInDBTP))
    return object
  }
}

/// Durations of the protocol; a damaged library can hold any number.
enum WholeSeconds {
  static func of(_ seconds: Double) -> Int64 { seconds.isFinite ? Int64(min(max(seconds.rounded(), 0), 1e12)) : 0 }
}

/// Stars of the protocol, 1 to 5, and ratings of the library, 0 to 100.
enum StarRating {
  static func stars(_ rating: Double) -> Int? {
    guard rating > 0, rating.isFinite else { return nil }
    return Int(min(5, (rating / 20).rounded(.up)))
  }
  static func rating(stars: Int) -> String { String(stars * 20) }
}

/// An album as the protocol has it (`AlbumID3`, or `Child` where folders are asked for).
enum AlbumDocument {
  /// - Parameter heardSeconds: How long it is heard, if that is not how long it lasts.
  static func object(
    _ place: Int, cover: ContentHash?, _ heardSeconds: Double?, _ view: SubsonicView
  ) -> SubsonicObject {
    let (browseIndex, album) = (view.browseIndex, view.browseIndex.albums[place])
    var object = SubsonicObject()
    object.reserve(20)
    object.add("id", album.id)
    object.add("name", album.name)
    addCommon(album, cover, heardSeconds, browseIndex, to: &object)
    object.add("songCount", album.songs.count)
    addMarks(view.marks(ofAlbum: place), to: &object)
    object.add("genres", album.genres.map { SongDocument.named(browseIndex.genres[$0].name) })
    object.add("artists", album.artists.map { ArtistDocument.reference($0, browseIndex) })
    object.add("displayArtist", browseIndex.artistText(ofAlbum: album))
    object.add("isCompilation", album.isCompilation)
    object.add("sortName", album.sortName)
    return object
  }

  /// As an entry of a folder.
  static func folder(
    _ place: Int, cover: ContentHash?, _ heardSeconds: Double?, _ view: SubsonicView
  ) -> SubsonicObject {
    let (browseIndex, album) = (view.browseIndex, view.browseIndex.albums[place])
    var object = SubsonicObject()
    object.add("id", album.id)
    object.add("parent", album.artists.first.map { browseIndex.artists[$0].id })
    object.add("isDir", true)
    object.add("title", album.name)
    object.add("album", album.name)
    addCommon(album, cover, heardSeconds, browseIndex, to: &object)
    addMarks(view.marks(ofAlbum: place), to: &object)
    object.add("mediaType", "album")
    return object
  }

  private static func addCommon(
    _ album: BrowseIndex.Album, _ cover: ContentHash?, _ heardSeconds: Double?, _ browseIndex: BrowseIndex,
    to object: inout SubsonicObject
  ) {
    object.add("artist", browseIndex.artistText(ofAlbum: album))
    object.add("artistId", album.artists.first.map { browseIndex.artists[$0].id })
    object.add("coverArt", CoverID.text(cover, else: album.id))
    object.add("duration", WholeSeconds.of(heardSeconds ?? album.durationInSeconds))
    object.add("created", Timestamp(secondsSince1970: album.addedAt).description)
    object.add("year", album.year)
    object.add("genre", album.genres.first.map { browseIndex.genres[$0].name })
  }

  private static func addMarks(_ marks: SubsonicView.Marks, to object: inout SubsonicObject) {
    object.add("starred", marks.starredAt)
    object.add("userRating", marks.rating.flatMap(StarRating.stars))
  }
}

/// An artist as the protocol has it (`ArtistID3` and `Artist`).
enum ArtistDocument {
  static func object(_ place: Int, _ view: SubsonicView) -> SubsonicObject {
    let artist = view.browseIndex.artists[place]
    var object = reference(place, view.browseIndex)
    object.add("albumCount", artist.albums.count + artist.guestAlbums.count)
    object.add("starred", view.marks(ofArtist: place).starredAt)
    object.add("sortName", artist.taggedSortName ?? artist.sortName)
    object.add("roles", texts: artist.albums.isEmpty ? ["artist"] : ["albumartist", "artist"])
    return object
  }

  /// As part of a song or an album.
  static func reference(_ place: Int, _ browseIndex: BrowseIndex) -> SubsonicObject {
    var object = SubsonicObject()
    object.add("id", browseIndex.artists[place].id)
    object.add("name", browseIndex.artists[place].name)
    return object
  }

  /// In the lists by folders.
  static func folder(_ place: Int, _ view: SubsonicView) -> SubsonicObject {
    var object = reference(place, view.browseIndex)
    let marks = view.marks(ofArtist: place)
    object.add("starred", marks.starredAt)
    object.add("userRating", marks.rating.flatMap(StarRating.stars))
    return object
  }
}

/// The id of a cover: the hash of its bytes, so that what a client has kept stays right for ever; where there is none, the id of the
/// album or song whose engraved cover is shown.
enum CoverID {
  static let prefix = "co-"

  static func text(_ cover: ContentHash?, else id: String) -> String {
    cover.map { prefix + $0.description } ?? id
  }
}

/// A place in a song that a person wants to come back to, as the library keeps it: a JSON object.
struct Bookmark: Equatable {
  var positionInMilliseconds: Int64
  var comment: String?
  /// Seconds since 1970.
  var createdAt: Int64
  var changedAt: Int64

  init(positionInMilliseconds: Int64, comment: String?, createdAt: Int64, changedAt: Int64) {
    self.positionInMilliseconds = positionInMilliseconds
    self.comment = comment
    self.createdAt = createdAt
    self.changedAt = changedAt
  }

  /// nil for anything else.
  init?(text: String) {
    guard let json = try? JSONValue(parsing: Array(text.utf8)), case .integer(let position) = json["position_ms"],
      case .integer(let created) = json["created_at"], case .integer(let changed) = json["changed_at"]
    else { return nil }
    self.init(
      positionInMilliseconds: position, comment: json["comment"]?.string, createdAt: created, changedAt: changed)
  }

  var text: String {
    JSONValue.object([
      "position_ms": .integer(positionInMilliseconds), "comment": .string(comment), "created_at": .integer(createdAt),
      "changed_at": .integer(changedAt),
    ]).text
  }
}

/// What of a file decides to which album it belongs.
package struct AlbumFile: Hashable, Sendable {
  package var id: Int64
  /// As its tags have it; empty without one.
  package var title = ""
  /// The album artist as one text; empty without one.
  package var albumArtist = ""
  /// The artist as one text; empty without one.
  package var artist = ""
  /// Each artist of its own, if the tags have several values.
  package var artists: [String] = []
  /// As ARTISTSORT, ALBUMARTISTSORT and ALBUMSORT have them; empty without one.
  package var artistSort = ""
  package var albumArtistSort = ""
  package var titleSort = ""
  package var isCompilation = false
  /// MUSICBRAINZ_RELEASEGROUPID, in lower case.
  package var releaseGroup: String?
  /// MUSICBRAINZ_ALBUMID, in lower case.
  package var release: String?
  /// The first of RELEASETYPE, such as `single`, in lower case.
  package var releaseType: String?
  package var rootID: Int64
  /// Below its root, without the folder of a disc, see ``AlbumEdition``.
  package var folder: String
  /// The last component of its path.
  package var name = ""
  package var trackTitle = ""
  package var disc: Int?
  package var track: Int?
  package var recordingID: Int64?
  /// Whether its bytes are a sound that could be decoded, at least in part.
  package var isDecoded = true
  /// What somebody said by hand: the names of the album to which its recording belongs.
  package var choice: AlbumNames?

  package init(id: Int64, rootID: Int64, folder: String) {
    self.id = id
    self.rootID = rootID
    self.folder = folder
  }

  /// Whether no tag says what it is.
  var isUntagged: Bool { title.isEmpty && albumArtist.isEmpty && artist.isEmpty && trackTitle.isEmpty }

  /// Files of other shelves are never of one album, but for MusicBrainz ids: those with one title have one, and those without a
  /// title that lie in one folder.
  package var shelf: String { Self.shelf(ofTitle: title) ?? "/\(rootID)/\(folder)" }

  /// nil for a title that says nothing.
  package static func shelf(ofTitle title: String) -> String? {
    let key = AlbumTitle.key(title)
    return key.isEmpty ? nil : "=" + key
  }
}

/// The names by which what people decided about an album is found. An album keeps them for good.
package struct AlbumNames: Hashable, Sendable {
  package var artist: String
  package var title: String

  package init(artist: String, title: String) {
    self.artist = artist
    self.title = title
  }

  /// What tracks without an album are shown under, by artist.
  package static let unknownTitle = "[Unknown Album]"
  /// What is shown in place of an artist whom nothing names.
  package static let unknownArtist = "[Unknown Artist]"

  /// The names of an album that is called like others: `Tides`, `Tides (2)` and so on.
  package func numbered(_ number: Int) -> AlbumNames {
    number == 1 ? self : AlbumNames(artist: artist, title: "\(title) (\(number))")
  }
}

/// Files that are one album, as ``AlbumRule`` finds them.
package struct AlbumGroup: Hashable, Sendable {
  /// Empty for files that no album is known of.
  package var title: String
  /// Empty if it is not known.
  package var artist: String
  /// Whether it has tracks of several artists, by ``AlbumRule/variousArtists`` or by COMPILATION.
  package var isCompilation: Bool
  package var releaseGroup: String?
  /// Of an album that was chosen by hand, and of what can be one album in several folders although it has no title.
  package var names: AlbumNames?
  /// In the order of their ids.
  package var fileIDs: [Int64]
  /// By which artist and title are ordered, as most of its files have them; nil if their tags say nothing.
  package var artistSort: String?
  package var titleSort: String?
}

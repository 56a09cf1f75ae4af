internal import Base
internal import LibraryServing
internal import LibraryTracks
internal import MediaModel

/// Lyrics from tags, and from the file beside a song, which comes first.
enum LyricsMethods {
  static let all: [String: SubsonicMethod] = [
    "getLyricsBySongId": SubsonicMethod(.listen) { call in
      let id = try call.parameters.required("id")
      let (song, texts) = try call.reading { library in
        let fileID = try library.fileID(ofSong: id)
        return (try library.store.songs.all(in: [fileID], of: nil).first, try lyrics(of: id, library))
      }
      return .holding("lyricsList", "structuredLyrics", SubsonicItems(texts) { structured($0, song) })
    },
    "getLyrics": SubsonicMethod(.listen, lyrics),
  ]

  private static func lyrics(of id: String, _ library: SubsonicLibrary) throws -> [LyricsText] {
    try SongLyrics.texts(of: library.track(ofSong: id).file, in: library.store).map(\.text)
  }

  private static func structured(_ text: LyricsText, _ song: Song?) -> SubsonicObject {
    var lyrics = SubsonicObject()
    lyrics.add("displayArtist", text.artist ?? song?.artist)
    lyrics.add("displayTitle", text.title ?? song?.title)
    lyrics.add("lang", text.language)
    lyrics.add("offset", Int64(0))
    lyrics.add("synced", text.isSynced)
    lyrics.add(
      "line",
      SubsonicItems(text.lines) { line in
        var object = SubsonicObject()
        object.add("start", line.startInMilliseconds)
        object.add("value", line.text)
        return object
      })
    return lyrics
  }

  /// Of the first song with that artist and title; without any if there is none.
  private static func lyrics(_ call: SubsonicCall) throws -> SubsonicObject {
    let (artist, title) = (call.parameters["artist"] ?? "", call.parameters["title"] ?? "")
    let words = TextFolding.fold("\(artist) \(title)").split(whereSeparator: \.isWhitespace).map(String.init)
    return try call.reading { library in
      let songs = library.store.songs
      let found = try songs.all(in: songs.fileIDs(containing: words, from: 0, limit: 50), of: nil).first {
        TextFolding.fold($0.title ?? "") == TextFolding.fold(title)
          && (artist.isEmpty || TextFolding.fold($0.artist ?? "") == TextFolding.fold(artist))
      }
      let text = try found.flatMap { try self.lyrics(of: $0.key, library).first }
      var lyrics = SubsonicObject()
      if let found, text != nil {
        lyrics.add("artist", found.artist)
        lyrics.add("title", found.title)
      }
      lyrics.add("value", text.map { $0.lines.map(\.text).joined(separator: "\n") } ?? "")
      return .holding("lyrics", lyrics)
    }
  }
}

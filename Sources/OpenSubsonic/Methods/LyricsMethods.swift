internal import Base
internal import Glibc
internal import HTTPServing
internal import LibraryServing
internal import LibraryTracks
internal import MediaModel

/// Lyrics from tags, and from the `.lrc` file beside a song, which comes first.
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

  private static let lyricsNames = [
    "LYRICS", "UNSYNCEDLYRICS", "UNSYNCED LYRICS", "SYNCEDLYRICS", "SYNCED LYRICS",
  ]
  /// So many texts of one song are read: translations, for example.
  private static let largestTextCount = 32
  /// The largest file that is read.
  private static let largest = 1 << 20

  private static func lyrics(of id: String, _ library: SubsonicLibrary) throws -> [LyricsText] {
    let (_, file) = try library.track(ofSong: id)
    let tags = try library.store.files.tags(ofFile: file.id)
    // Frames of ID3v2 may have a description, which programs fill with their own names.
    let described = tags.properties.map(\.name).filter { $0.hasPrefix("LYRICS:") }.sorted()
    let embedded = (lyricsNames + described).flatMap { tags[$0] }
    let texts = [beside(file.path, in: try library.store.roots.all())].compactMap { $0 } + embedded
    var allowance = LyricsText.Allowance()
    return texts.prefix(largestTextCount).map { LyricsText($0, within: &allowance) }.filter { !$0.lines.isEmpty }
  }

  /// The text of the `.lrc` file with the name of a song, in any encoding.
  private static func beside(_ path: BytePath, in roots: [Root]) -> String? {
    for ending in [".lrc", ".LRC", ".Lrc"] {
      let name = BytePath(path.stem.bytes + Array(ending.utf8))
      guard let file = try? ServableFile(beside: path.folder.appending(name), in: roots).file,
        file.byteCount <= Int64(largest),
        let bytes = try? DescriptorBytes.bytes(from: file.descriptor, count: Int(file.byteCount), at: 0)
      else { continue }
      return GuessedText.decoded(bytes)
    }
    return nil
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

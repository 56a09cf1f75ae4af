internal import Base
internal import Glibc
internal import HTTPServing
package import LibraryTracks
internal import MediaModel
package import MediaStore

/// Lyrics of a song: those of the `.lrc` and `.txt` files beside it, which come first, and those in its tags.
package enum SongLyrics {
  private static let tagNames = ["LYRICS", "UNSYNCEDLYRICS", "UNSYNCED LYRICS", "SYNCEDLYRICS", "SYNCED LYRICS"]
  /// So many texts of one song are read: translations, for example.
  private static let largestTextCount = 32

  /// What a text was read from.
  package enum Source: String, Sendable {
    case file
    case tags
  }

  /// Texts without lines are left out.
  package static func texts(
    of file: FileDetail, in store: MediaStore
  ) throws -> [(text: LyricsText, source: Source)] {
    let tags = try store.files.tags(ofFile: file.id)
    // Frames of ID3v2 may have a description, which programs fill with their own names.
    let described = tags.properties.map(\.name).filter { $0.hasPrefix("LYRICS:") }.sorted()
    let embedded = (tagNames + described).flatMap { tags[$0] }.map { (text: $0, source: Source.tags) }
    let beside = beside(file.path, in: try store.roots.all()).map { (text: $0, source: Source.file) }
    var allowance = LyricsText.Allowance()
    return (beside + embedded).prefix(largestTextCount).map { (LyricsText($0.text, within: &allowance), $0.source) }
      .filter { !$0.text.lines.isEmpty }
  }

  /// The text of the first file with the name of a song and one of the endings, in any encoding.
  private static func beside(_ path: BytePath, in roots: [Root]) -> [String] {
    for ending in LyricsFile.endings {
      let name = BytePath(path.stem.bytes + Array(ending.utf8))
      guard let file = try? ServableFile(beside: path.folder.appending(name), in: roots).file,
        file.byteCount <= LyricsFile.largestByteCount,
        let bytes = try? DescriptorBytes.bytes(from: file.descriptor, count: Int(file.byteCount), at: 0)
      else { continue }
      return [GuessedText.decoded(bytes).replacing("\0", with: "")]
    }
    return []
  }
}

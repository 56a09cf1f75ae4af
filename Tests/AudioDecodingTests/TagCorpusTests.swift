import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

/// The tags of the tinytag project's samples, as that project expects them.
@Suite(.enabled(if: Corpora.root != nil, "\(Corpora.absence)"))
struct TagCorpusTests {
  /// Compares texts and numbers that mean the same there and here.
  private static let fields = [
    "title", "artist", "album", "albumartist", "genre", "composer", "comment", "track", "track_total", "disc",
    "disc_total", "year",
  ]

  private static func field(_ name: String, of tags: CommonTags) -> String? {
    switch name {
    case "title": tags.title
    case "artist": tags.artist
    case "album": tags.album
    case "albumartist": tags.albumArtist
    case "genre": tags.genre
    case "composer": tags.composer
    case "comment": tags.comment
    case "track": tags.track.map(String.init)
    case "track_total": tags.trackTotal.map(String.init)
    case "disc": tags.disc.map(String.init)
    case "disc_total": tags.discTotal.map(String.init)
    default: tags.date
    }
  }

  /// As expected there; of several values the first.
  private static func text(_ value: Any?) -> String? {
    switch value {
    case let text as String: CommonTags(Tags([Tags.Property(name: "TITLE", values: [text])])).title
    case let number as NSNumber: number.intValue == 0 ? nil : number.stringValue
    default: nil
    }
  }

  /// Samples with other values here: the reason, and the number of fields that differ.
  private static let exceptions: [String: (why: String, fieldCount: Int)] = [
    "UTF16.mp3": ("we read the whole date", 1),
    "chinese_id3.mp3": ("GBK that claims to be Latin-1", 5),
    "flac1.5sStereo.flac": ("COMMENTS is not COMMENT", 1),
    "flac1sMono.flac": ("COMMENTS is not COMMENT", 1),
    "grouping.wma": ("we read the track, which is there", 2),
    "id3_broken_frame_size.mp3": ("we read the title before a frame that claims too much", 1),
    "id3_genre_id_out_of_bounds.mp3": ("genre 255 and the year 0 mean none", 2),
    "id3_header_with_a_zero_byte.wav": ("the ID3v2 tag goes before the INFO list", 1),
    "id3_xxx_lang.mp3": ("we read the whole date", 1),
    "id3v24-long-title.mp3": ("we write genres out", 1),
    "multiple_values_images.wma": ("the description counts before the metadata library; and we read the track", 6),
    "no_bitrate.spx": ("a comment in a field of another name", 1),
    "test.opus": ("we read a date with dots", 1),
    "with_padded_id3_header.flac": ("COMMENTS is not COMMENT", 1),
    "with_padded_id3_header2.flac": ("the Vorbis comment goes before the ID3v2 tag", 5),
  ]

  @Test func `every sample has the tags it is known to have`() throws {
    let root = try #require(Corpora.root)
    let data = try Data(contentsOf: root.appending(path: "tags-expected.json"))
    let expected = try #require(try JSONSerialization.jsonObject(with: data) as? [String: [String: Any]])
    #expect(expected.count > 200)
    var comparedCount = 0
    var differing: [String: Int] = [:]
    for (name, fields) in expected.sorted(by: { $0.key < $1.key }) {
      let url = root.appending(path: "tags").appending(path: name)
      guard FileManager.default.fileExists(atPath: url.path) else { continue }
      let reading: TagReading
      do { reading = try OpenFile(url).tags() } catch { continue }
      let found = CommonTags(reading.tags)
      for field in Self.fields {
        let wanted = Self.text(fields[field])
        let ours = Self.field(field, of: found)
        guard wanted != nil || ours != nil else { continue }
        comparedCount += 1
        let isEqual = ours == wanted || (wanted.map { ours?.hasPrefix($0 + "; ") ?? false } ?? false)
        if !isEqual { differing[name, default: 0] += 1 }
      }
    }
    #expect(comparedCount > 400)
    #expect(differing == Self.exceptions.mapValues(\.fieldCount))
  }
}

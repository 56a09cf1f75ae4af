import AudioDecoding
import Foundation
import MediaModel
import TagEditing
import TestSupport

/// A file whose tags are edited, one target for each editor: the edit is refused, or it can be taken back, changes what it names and
/// nothing else, and is complete.
struct TagEditTarget: FuzzTarget {
  let name: String
  private let files: [String]
  let maximumByteCount = 48 << 10
  let repetitionCount = 300

  /// - Parameter files: fixtures with which to start, edited so that there are tags of the kind.
  init(_ name: String, _ files: [String]) { (self.name, self.files) = (name, files) }

  static let all = [
    TagEditTarget("edit-id3v2", ["damaged/clean.mp3", "formats/turn.tta", "formats/Every Connector/06 Spade.aac"]),
    TagEditTarget("edit-flac", ["damaged/one-bit-changed.flac"]),
    TagEditTarget("edit-ogg", ["formats/Every Connector/14 Jack.spx"]),
    TagEditTarget("edit-ape", ["formats/turn.wv", "formats/Every Connector/07 Bantam.mpc"]),
    TagEditTarget("edit-mp4", ["formats/Every Connector/17 Mains.m4b"]),
    TagEditTarget("edit-chunks", ["damaged/one-sample.wav"]),
  ]

  private static let cover = TagEdit.Cover(
    bytes: [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 7, count: 60), mimeType: "image/jpeg")
  private static let edits = [
    TagEdit([.set("TITLE", ["Ebb"]), .set("ARTIST", ["Émile", "夜"]), .setFrontCover(cover)]),
    TagEdit([.remove("TITLE"), .set("TRACKTOTAL", ["12"]), .set("MY OWN NAME", ["x"]), .removeFrontCovers]),
    TagEdit([.set("DATE", ["1999-12-31"]), .set("COMMENT", [String(repeating: "long ", count: 500)])]),
  ]

  /// Each file as it is, and with tags.
  var seeds: [[UInt8]] {
    get throws {
      try files.flatMap { name -> [[UInt8]] in
        let bytes = [UInt8](try Data(contentsOf: Corpora.fixtures.appending(path: name)))
        let file = try NamelessFile(bytes)
        let plan = try? TagEditor.plan(Self.edits[0], descriptor: file.descriptor, byteCount: Int64(bytes.count))
        return [bytes] + (plan.map { [$0.plan.applied(to: bytes)] } ?? [])
      }
    }
  }

  var dictionary: [String] {
    [
      "ID3", "TIT2", "TPE1", "APIC", "TXXX", "TRCK", "APETAGEX", "fLaC", "OggS", "\u{1}vorbis", "OpusTags", "moov",
      "udta",
      "meta", "ilst", "free", "stco", "----", "data", "RIFF", "LIST", "INFO", "id3 ", "ID3 ", "FORM", "TAG",
    ]
  }

  func check(_ bytes: [UInt8]) throws {
    let file = try NamelessFile(bytes)
    for edit in Self.edits {
      let plan: ReversiblePlan
      do { plan = try TagEditor.plan(edit, descriptor: file.descriptor, byteCount: Int64(bytes.count)) } catch {
        continue
      }
      let edited = plan.plan.applied(to: bytes)
      try require(plan.undo.applied(to: edited) == bytes, "an edit that cannot be taken back")
      let new = try NamelessFile(edited)
      let again = try? TagEditor.plan(edit, descriptor: new.descriptor, byteCount: Int64(edited.count))
      try require(again?.plan.isEmpty == true, "an edit that is not complete")
    }
  }
}

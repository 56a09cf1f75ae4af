import AudioDecoding
import Foundation
@testable import TagEditing
import Testing
import TestSupport

/// Rows of random edits of a real file of each format: only what they name changes, all programs read it, and the file that
/// was there comes back.
struct RandomEditsTests {
  static let files = [
    "audio/Émilie Søndergård/Les Échos/01 Marée lente.flac", "audio/Lathe & Lantern/Run-out Groove/01 Lead-in.mp3",
    "audio/Lathe & Lantern/Run-out Groove/04 Broadcast Copy.mp2", "damaged/clean.mp3",
    "formats/Every Connector/05 Phono.tta", "formats/Every Connector/06 Spade.aac", "formats/turn.tta",
    "formats/Every Connector/04 Banana.wv", "formats/turn.wv", "formats/Every Connector/07 Bantam.mpc",
    "audio/星屑電機/夜の配線/01 真空管.ogg", "audio/صدى البحر/موجات/02 الجزر.opus", "formats/Every Connector/14 Jack.spx",
    "audio/Émilie Søndergård/Les Échos/05 Marée haute.oga", "damaged/chained.ogg",
    "audio/The Locked Grooves/Thirty-Three and a Third/01 Kick.wav",
    "audio/The Locked Grooves/Thirty-Three and a Third/02 String.wav",
    "audio/The Locked Grooves/Thirty-Three and a Third/06 Big End.aiff",
    "formats/Every Connector/01 Barrel.m4a", "formats/Every Connector/17 Mains.m4b",
    "audio/Public Address/Announcements/03 Sillon de sortie.m4a",
  ]

  @Test(.enabled(if: Mutagen.isThere, Mutagen.absence), arguments: files)
  func `random edits change only what they name`(name: String) throws {
    let url = Corpora.fixtures.appending(path: name)
    for seed in 1...TestSize.count(4, slow: 40) {
      let original = [UInt8](try Data(contentsOf: url))
      var file = TaggedFile(original)
      var edits = RandomEdits(seed: UInt64(seed))
      for _ in 0..<6 { try file.edit(edits.edit()) }
      let properties = try file.properties()
      let read = try Mutagen.read(file.bytes, named: url.lastPathComponent)
      // Mutagen knows no texts of AIFF.
      let names = RandomEdits.names.filter { $0 != "COMMENT" || url.pathExtension != "aiff" }
      for name in names { #expect(read[name] == properties[name], "\(name), seed \(seed)") }
      #expect(read["COVER"] == (try file.covers().first).map { ["\($0.count)"] })
      file.undoAll()
      #expect(file.bytes == original)
    }
  }
}

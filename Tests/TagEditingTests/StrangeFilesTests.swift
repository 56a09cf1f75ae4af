import Foundation
@testable import TagEditing
import Testing
import TestSupport

/// Damaged, hostile and unusual files: an edit is right, or it is refused; nothing in between.
struct StrangeFilesTests {
  private static func files(in folder: URL?) -> [URL] {
    guard let folder else { return [] }
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
    return names.sorted().map { folder.appending(path: $0) }.filter {
      (try? $0.resourceValues(forKeys: [.isRegularFileKey, .fileSizeKey])).map {
        $0.isRegularFile == true && $0.fileSize ?? 0 < 4 << 20
      } ?? false
    }
  }

  /// How many are edited, and how many refused for each reason.
  private func edit(_ files: [URL]) throws -> [String: Int] {
    var outcomes: [String: Int] = [:]
    for (index, url) in files.enumerated() {
      let original = [UInt8](try Data(contentsOf: url))
      var file = TaggedFile(original)
      file.name = url.lastPathComponent
      var edits = RandomEdits(seed: UInt64(index))
      for number in 0..<3 {
        let edit =
          number == 0
          ? TagEdit([.set("TITLE", ["Ebb"]), .set("ARTIST", ["Émile 夜"])]) : edits.edit(severalValues: false)
        do {
          try file.edit(edit)
          outcomes["edited", default: 0] += 1
        } catch let refusal as TagEditRefusal {
          outcomes[refusal.code, default: 0] += 1
        }
      }
      file.undoAll()
      #expect(file.bytes == original, "\(url.lastPathComponent)")
    }
    return outcomes
  }

  @Test(arguments: ["damaged", "formats", "encoded"])
  func `fixtures are edited right or refused`(folder: String) throws {
    let outcomes = try edit(Self.files(in: Corpora.fixtures.appending(path: folder)))
    #expect(outcomes["edited", default: 0] > 0, "\(outcomes)")
    #expect(outcomes["unreadable"] == nil)
  }

  /// One small file of each kind.
  private static let small = [
    "formats/turn.wv", "formats/turn.tta", "formats/Every Connector/07 Bantam.mpc",
    "formats/Every Connector/17 Mains.m4b",
    "formats/Every Connector/14 Jack.spx", "audio/صدى البحر/موجات/02 الجزر.opus", "damaged/clean.mp3",
    "damaged/one-bit-changed.flac", "damaged/one-sample.wav", "audio/星屑電機/夜の配線/02 配線図.ogg",
    "audio/The Locked Grooves/Thirty-Three and a Third/06 Big End.aiff",
  ]

  @Test(arguments: small)
  func `files with other bytes here and there are edited right or refused`(name: String) throws {
    let original = [UInt8](try Data(contentsOf: Corpora.fixtures.appending(path: name)))
    var whole = TaggedFile(original)
    // With tags around the sound as far as there can be.
    _ = try? whole.edit(.set("TITLE", ["Tide"]), .set("COMMENT", ["x", "y"]), .set("PERFORMER", ["Nora (violin)"]))
    var random = RandomEdits(seed: 7)
    for round in 0..<TestSize.count(120, slow: 5000) {
      var bytes = whole.bytes
      for _ in 0...random.next(3) {
        // Mostly where tags are.
        let end = random.next(2) == 0
        let place = random.next(min(bytes.count, random.next(4) == 0 ? bytes.count : 1500))
        bytes[end ? bytes.count - 1 - place : place] = UInt8(random.next(256))
      }
      if random.next(4) == 0 { bytes.removeLast(random.next(200)) }
      var file = TaggedFile(bytes)
      file.name = "\(name), round \(round)"
      do { try file.edit(random.edit()) } catch is TagEditRefusal {}
    }
  }

  @Test(.enabled(if: Corpora.root != nil, "\(Corpora.absence)"), arguments: ["tags", "hostile", "flac", "mp3-vectors"])
  func `files of others are edited right or refused`(folder: String) throws {
    let outcomes = try edit(Self.files(in: Corpora.root?.appending(path: folder)))
    #expect(outcomes["edited", default: 0] > 0, "\(outcomes)")
    #expect(outcomes["unreadable"] == nil)
  }
}

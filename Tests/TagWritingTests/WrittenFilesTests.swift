import AudioDecoding
import Base
import Foundation
import Glibc
import LibraryQueries
import LibraryScanning
import LibraryTracks
import MediaModel
import MediaStore
import TagEditing
import TagWriting
import Testing
import TestSupport

/// Files of each format that can be written: what is asked for is in them, the library knows it at once, and what was before comes
/// back.
@Suite(.serialized)
struct WrittenFilesTests {
  static let fixtures = [
    "audio/Émilie Søndergård/Les Échos/01 Marée lente.flac", "audio/Lathe & Lantern/Run-out Groove/01 Lead-in.mp3",
    "audio/Lathe & Lantern/Run-out Groove/04 Broadcast Copy.mp2", "damaged/clean.mp3",
    "formats/Every Connector/05 Phono.tta", "formats/Every Connector/06 Spade.aac",
    "formats/Every Connector/04 Banana.wv", "formats/Every Connector/07 Bantam.mpc",
    "audio/星屑電機/夜の配線/01 真空管.ogg", "audio/صدى البحر/موجات/02 الجزر.opus", "formats/Every Connector/14 Jack.spx",
    "audio/Émilie Søndergård/Les Échos/05 Marée haute.oga",
    "audio/The Locked Grooves/Thirty-Three and a Third/01 Kick.wav",
    "audio/The Locked Grooves/Thirty-Three and a Third/06 Big End.aiff",
    "formats/Every Connector/01 Barrel.m4a", "formats/Every Connector/17 Mains.m4b",
  ]

  private static let values: [(name: String, values: [[String]])] = [
    ("TITLE", [["Ebb"], ["Émile 夜"], []]), ("ARTIST", [["Nora Vale"], ["Nora Vale", "Ana B"]]),
    ("ALBUM", [["Tides"], [String(repeating: "Long ", count: 300)]]), ("GENRE", [["Post-Rock"], []]),
    ("DATE", [["1999"], ["2011-05-06"]]), ("TRACKNUMBER", [["7"], ["3/12"]]), ("COMMENT", [["x"], []]),
    ("REPLAYGAIN_TRACK_GAIN", [["-7.25 dB"], []]), ("MY OWN NAME", [["a"], ["b", "c"]]),
  ]
  private static let covers: [[UInt8]] = [
    [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 0xFF, count: 900) + [0xFF, 0xD9],
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + (0..<5000).map { UInt8($0 % 251) },
  ]

  private static func edit(_ random: inout RepeatableRandom) -> TagEdit {
    var changes: [TagEdit.Change] = (0...Int.random(in: 0...2, using: &random)).map { _ in
      let (name, values) = Self.values[Int.random(in: 0..<Self.values.count, using: &random)]
      return .set(name, values[Int.random(in: 0..<values.count, using: &random)])
    }
    switch Int.random(in: 0..<4, using: &random) {
    case 0: changes.append(.removeFrontCovers)
    case 1:
      let bytes = covers[Int.random(in: 0..<2, using: &random)]
      changes.append(.setFrontCover(.init(bytes: bytes, mimeType: bytes[0] == 0xFF ? "image/jpeg" : "image/png")))
    default: break
    }
    return TagEdit(changes)
  }

  @Test func `any number of edits is in the files and the library, and undone byte for byte`() async throws {
    let written = try await WrittenMusic(Self.fixtures)
    var random = RepeatableRandom(seed: TestSize.seed(49))
    let start = try TreeContents(written.music.url)
    var states = [start]
    var refusedCount = 0
    for _ in 0..<TestSize.count(4, slow: 20) {
      let files = try written.files()
      let edits = files.map { _ in Self.edit(&random) }
      let before = try TreeContents(written.music.url)
      let reports = try written.write(edits, of: files)
      for report in reports where report.refusal != nil {
        refusedCount += 1
        // What a kind of tag has no place for is no fault; anything else would be.
        #expect(["value", "contradicted"].contains(report.refusal?.code), "\(report.path.displayString): \(report)")
      }
      let after = try TreeContents(written.music.url)
      for (file, edit) in zip(files, edits) {
        let report = reports.first { $0.path == file.path }
        guard report?.isWritten == true else {
          #expect(before.bytes[file.known.path.displayString] == after.bytes[file.known.path.displayString])
          continue
        }
        // What the library says is what the file says, read on its own.
        let bytes = try written.bytes(file)
        let tags = try MediaFile(BytesInMemory(Array(bytes)).file).readTags(usingLibraries: false).tags
        let stored = try written.store.files.tags(ofFile: file.known.id)
        #expect(stored == tags, "\(file.path.displayString)")
        let settled = edit.settled(in: tags, of: file.container ?? .flac)
        for property in settled.properties {
          #expect(tags[property.name] == property.values, "\(file.path.displayString)")
        }
      }
      if before != after { states.append(after) }
    }
    #expect(states.count > 2)
    #expect(refusedCount < states.count * Self.fixtures.count / 2)
    #expect(try written.names().allSatisfy { !$0.hasPrefix(".") })
    // What a scan finds is what is stored already.
    let scan = try await written.scan()
    #expect(scan.decoded_files == 0 && scan.changed == 0 && scan.new == 0 && scan.missing == 0, "\(scan)")
    #expect(scan.unchanged == Self.fixtures.count)
    #expect(try await written.deadwax.run(["doctor", "--deep"]).status == 0)

    for change in try written.store.fileChanges.all().filter({ $0.doneCount > 0 }) {
      let reports = try written.undo(change.id)
      #expect(reports.allSatisfy { $0.refusal == nil && $0.isWritten }, "\(reports)")
      states.removeLast()
      #expect(try TreeContents(written.music.url) == states.last)
    }
    #expect(states == [start])
    let last = try await written.scan()
    #expect(last.decoded_files == 0 && last.changed == 0, "\(last)")
    #expect(try await written.deadwax.run(["doctor", "--deep"]).status == 0)
  }

  @Test func `a field without a place in a file stays in the library only, and others are written`() async throws {
    let written = try await WrittenMusic(["audio/Lathe & Lantern/Run-out Groove/01 Lead-in.mp3", "damaged/clean.mp3"])
    let (file, other) = try { ($0[0], $0[1]) }(written.files())
    let original = try written.bytes(file)
    // ID3v2 has one text of a song, in whatever version.
    let edit = TagEdit([.set("TITLE", ["Ebb"]), .set("LYRICS", ["a", "b"]), .set("GENRE", ["Post-Rock"])])
    var previews: [WriteReport] = []
    try TagWriter.preview(
      [edit, TagEdit([.set("LYRICS", ["a", "b"])])], of: [file, other], in: written.store, WriteOptions(),
      worker: written.worker, each: { previews.append($0) })
    #expect(previews.map { $0.unwritten.map(\.field) } == [["lyrics"], []], "\(previews)")
    #expect(previews[0].changes.map(\.field) == ["title", "genre"] && previews[0].refusal == nil)
    #expect(previews[0].unwritten[0].refusal.code == "value")
    #expect(previews[1].refusal?.code == "value", "nothing is left of it")

    let reports = try written.write([edit], of: [file])
    #expect(reports.count == 1 && reports[0].isWritten && reports[0].unwritten == previews[0].unwritten)
    let tags = try MediaFile(BytesInMemory(Array(written.bytes(file))).file).readTags(usingLibraries: false).tags
    #expect(tags["TITLE"] == ["Ebb"] && tags["GENRE"] == ["Post-Rock"] && tags["LYRICS"].isEmpty)
    #expect(try written.store.files.tags(ofFile: file.known.id) == tags)
    let scan = try await written.scan()
    #expect(scan.decoded_files == 0 && scan.changed == 0)
    let change = try #require(try written.store.fileChanges.latest())
    #expect(try written.undo(change.id).allSatisfy(\.isWritten))
    #expect(try written.bytes(file) == original)
  }

  @Test func `a later change keeps an earlier one from being undone, until it is undone itself`() async throws {
    let written = try await WrittenMusic(["damaged/clean.mp3"])
    let file = try #require(try written.files().first)
    let original = try written.bytes(file)
    #expect(try written.write(TagEdit([.set("TITLE", ["one"])])).first?.isWritten == true)
    let first = try #require(try written.store.fileChanges.latest())
    #expect(try written.write(TagEdit([.set("TITLE", ["two"])])).first?.isWritten == true)
    let second = try #require(try written.store.fileChanges.latest())
    #expect(first.id != second.id)
    let between = try written.bytes(file)
    #expect(try written.undo(first.id).first?.refusal?.code == "changed")
    #expect(try written.bytes(file) == between)
    #expect(try written.undo(second.id).first?.isWritten == true)
    #expect(try written.undo(first.id).first?.isWritten == true)
    #expect(try written.bytes(file) == original)
    #expect(try written.store.fileChanges.latest() == nil)
  }

  @Test func `a cover that is replaced is kept by its hash, and comes back`() async throws {
    let written = try await WrittenMusic(["audio/Émilie Søndergård/Les Échos/01 Marée lente.flac"])
    let file = try #require(try written.files().first)
    var random = RepeatableRandom(seed: 3)
    let picture = Self.covers[1].prefix(8) + (0..<40_000).map { _ in UInt8.random(in: 0...255, using: &random) }
    let first = TagEdit([.setFrontCover(.init(bytes: Array(picture), mimeType: "image/png"))])
    #expect(try written.write(first).first?.isWritten == true)
    let withPicture = try written.bytes(file)
    #expect(try written.write(TagEdit([.removeFrontCovers])).first?.isWritten == true)
    let change = try #require(try written.store.fileChanges.latest())
    // The bytes of the picture are in the library once, and not in the row.
    #expect(try written.store.fileChanges.undoByteCount() < 20_000)
    #expect(
      try await written.deadwax.sqlite(
        "SELECT count(*) FROM file_change_picture WHERE part_id = (SELECT max(id) FROM file_change_part)") == "1")
    #expect(try written.undo(change.id).first?.isWritten == true)
    #expect(try written.bytes(file) == withPicture)
  }

  @Test func `rights, attributes and, if asked for, the time of modification stay`() async throws {
    let written = try await WrittenMusic(["damaged/clean.mp3"])
    let file = try #require(try written.files().first)
    let path = file.path.displayString
    #expect(chmod(path, 0o640) == 0)
    let setting = "import os,sys; os.setxattr(sys.argv[1], 'user.origin', b'tape')"
    let hasAttributes = (try? Tool.run("bash", "-c", "exec python3 -c \"$1\" \"$2\"", "-", setting, path)) != nil
    try #require(utime(path, nil) == 0)
    var times = utimbuf(actime: 1_000_000_000, modtime: 1_000_000_001)
    try #require(utime(path, &times) == 0)
    _ = try await written.scan()
    var (before, after) = (stat(), stat())
    try #require(stat(path, &before) == 0)
    #expect(
      try written.write(TagEdit([.set("TITLE", ["kept"])]), options: WriteOptions(keepsModificationTime: true))
        .first?.isWritten == true)
    try #require(stat(path, &after) == 0)
    #expect(after.st_mode == before.st_mode && after.st_uid == before.st_uid && after.st_gid == before.st_gid)
    #expect(after.st_mtim.tv_sec == 1_000_000_001 && after.st_ino != before.st_ino)
    if hasAttributes {
      let reading = "import os,sys; print(os.getxattr(sys.argv[1], 'user.origin').decode())"
      let value = try Tool.run("bash", "-c", "exec python3 -c \"$1\" \"$2\"", "-", reading, path)
      #expect(String(decoding: value, as: UTF8.self) == "tape\n")
    }
    #expect(try written.write(TagEdit([.set("TITLE", ["new"])])).first?.isWritten == true)
    try #require(stat(path, &after) == 0)
    #expect(after.st_mtim.tv_sec > 1_700_000_000)
    #expect(try await written.scan().changed == 0)
  }

  @Test func `an edit that says what is there writes nothing`() async throws {
    let written = try await WrittenMusic(["damaged/clean.mp3"])
    #expect(try written.write(TagEdit([.set("TITLE", ["a"])])).count == 1)
    let before = try TreeDigest(of: written.music.url)
    #expect(try written.write(TagEdit([.set("TITLE", ["a"])])).isEmpty)
    #expect(try TreeDigest(of: written.music.url) == before)
    #expect(try written.store.fileChanges.all().count == 1)
  }
}

/// The bytes of each file in a folder.
struct TreeContents: Equatable {
  private(set) var bytes: [String: Data] = [:]

  init(_ folder: URL) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      bytes[name] = try Data(contentsOf: folder.appending(path: name))
    }
  }
}

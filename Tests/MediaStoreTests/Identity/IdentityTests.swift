import Base
import GRDB
import LibraryMerging
import LibraryQueries
import LibraryRecovery
import LibraryScanning
import LibraryTracks
import MediaModel
import MediaStore
import QueryLanguage
import Testing
import TestSupport
import UserData

// Faults: 224
/// How recordings change their hash, and what users decided follows.
struct IdentityTests {
  private let library: TemporaryLibrary
  private var store: MediaStore { library.store }

  init() throws { library = try TemporaryLibrary() }

  private func hash(_ number: UInt64) -> ContentHash { Sample.hash(number) }

  /// A file as it was read by a version that knew only hashes of version 1.
  private func applyFormer(_ path: String, _ former: UInt64) throws {
    var extraction = Sample.extraction(former, title: path)
    extraction.stream = StreamIdentity(hash: hash(former), hashVersion: 1, byteCount: 1)
    try store.scans.apply([.extracted(Sample.record(path, extraction))])
  }

  /// A file as it is read now.
  @discardableResult
  private func apply(
    _ path: String, stream: UInt64, former: UInt64? = nil, samples: UInt64? = nil, isDecoded: Bool = true
  ) throws -> [IdentityChange] {
    var extraction = Sample.extraction(stream, title: path)
    extraction.stream = StreamIdentity(hash: hash(stream), formerHash: former.map(hash), byteCount: 1)
    extraction.decoded = isDecoded ? DecodedStream(sampleHash: samples.map(hash)) : nil
    if !isDecoded { extraction.products = [] }
    return try store.scans.apply([.extracted(Sample.record(path, extraction))])
  }

  private func assign(_ preset: String, to path: String) throws {
    if try !store.presets.all().contains(where: { $0.name.text == preset }) {
      try store.presets.create(try PresetStoreTests.preset(preset))
    }
    let subjects = try store.presets.subjects(.track, of: try store.query("title:=\"\(path)\""))
    #expect(try store.presets.assign(named: preset, to: subjects) == 1)
  }

  private func preset(of path: String) throws -> String? {
    let id = try #require(try library.recording(of: path))
    return try store.presets.resolution(ofRecording: id).presetName
  }

  private func expectSound() throws {
    let check = try store.check(isDeep: true)
    #expect(check.isSound, "\(check)")
    #expect(try library.value("SELECT count(*) FROM former_hash WHERE hash = current") == 0)
  }

  private func decide(about path: String, rating: String = "5", list: String = "mine") throws {
    let id = try #require(try library.recording(of: path))
    try library.execute("INSERT INTO attribute (audio_id, name, value) VALUES (\(id), 'rating', '\(rating)')")
    let entries = try store.lists.all().contains { $0.name == list } ? ids(in: list) : []
    try store.lists.save(list, recordingIDs: entries + [id])
  }

  private func ids(in list: String) throws -> [Int64] {
    try DatabaseQueue(path: library.path.displayString).read {
      try Int64.fetchAll(
        $0,
        sql: """
          SELECT audio_id FROM list_entry JOIN list ON list.id = list_id WHERE name = ? ORDER BY position
          """, arguments: [list])
    }
  }

  @Test func `a file that is read again gives its recording the hash of its stream, then that of its samples`() throws {
    try applyFormer("a", 1)
    try assign("Warm", to: "a")
    try decide(about: "a")
    let id = try library.recording(of: "a")
    #expect(try apply("a", stream: 11, former: 1, isDecoded: false).isEmpty)
    #expect(try store.recordings.recording(id: try #require(id))?.hash == hash(11))
    #expect(try preset(of: "a") == "Warm")
    try apply("a", stream: 11, former: 1, samples: 111)
    #expect(try library.recording(of: "a") == id)
    #expect(try store.recordings.recording(id: try #require(id))?.hash == hash(111))
    #expect(try preset(of: "a") == "Warm")
    #expect(try ids(in: "mine") == [id])
    for former in [1, 11, 111] as [UInt64] { #expect(try store.recordings.recording(hash: hash(former))?.id == id) }
    try expectSound()
  }

  /// A file as it is read by a version that knows of something more that the decoder uses.
  @discardableResult
  private func applyRefined(_ path: String, stream: UInt64, replaced: UInt64) throws -> [IdentityChange] {
    var extraction = Sample.extraction(stream, title: path)
    extraction.stream = StreamIdentity(
      hash: hash(stream), replacedHash: hash(replaced), formerHash: hash(1), byteCount: 1)
    return try store.scans.apply([.extracted(Sample.record(path, extraction))])
  }

  private func rating(of path: String) throws -> String? {
    let id = try #require(try library.recording(of: path))
    return try library.value("SELECT value FROM attribute WHERE name = 'rating' AND audio_id = \(id)")
  }

  @Test func `a stream whose rule was refined keeps what was decided under its hash of before`() throws {
    try apply("a.m4a", stream: 11, former: 1)
    try assign("Warm", to: "a.m4a")
    try decide(about: "a.m4a")
    let id = try library.recording(of: "a.m4a")
    #expect(try applyRefined("a.m4a", stream: 21, replaced: 11).isEmpty)
    #expect(try library.recording(of: "a.m4a") == id)
    #expect(try store.recordings.recording(id: try #require(id))?.hash == hash(21))
    #expect(try preset(of: "a.m4a") == "Warm")
    #expect(try rating(of: "a.m4a") == "5")
    for former in [1, 11, 21] as [UInt64] { #expect(try store.recordings.recording(hash: hash(former))?.id == id) }
    try expectSound()
  }

  @Test func `two files that a refined rule takes apart both keep what was decided about the one`() throws {
    for path in ["a.wma", "b.wma"] { try apply(path, stream: 11, former: 1) }
    try assign("Warm", to: "a.wma")
    try decide(about: "a.wma")
    // The first one has the hash today, too; the other one has not.
    let changes = try applyRefined("b.wma", stream: 21, replaced: 11)
    #expect(changes == [.split(label: "Nora Vale - b.wma", former: hash(11), current: hash(21))])
    try apply("a.wma", stream: 11, former: 1)
    let (a, b) = try (library.recording(of: "a.wma"), library.recording(of: "b.wma"))
    #expect(a != nil && b != nil && a != b)
    for path in ["a.wma", "b.wma"] {
      #expect(try preset(of: path) == "Warm")
      #expect(try rating(of: path) == "5")
    }
    // Reading both again changes nothing.
    #expect(try applyRefined("b.wma", stream: 21, replaced: 11).isEmpty)
    #expect(try apply("a.wma", stream: 11, former: 1).isEmpty)
    #expect(try library.recording(of: "a.wma") == a)
    #expect(try library.recording(of: "b.wma") == b)
    try expectSound()
  }

  @Test func `a new file cannot take over the recording that has its hash of before`() throws {
    try apply("a.wma", stream: 11, former: 1)
    try assign("Warm", to: "a.wma")
    #expect(try applyRefined("b.wma", stream: 21, replaced: 11).isEmpty)
    #expect(try library.recording(of: "a.wma") != library.recording(of: "b.wma"))
    #expect(try preset(of: "a.wma") == "Warm")
    #expect(try preset(of: "b.wma") == nil)
    try expectSound()
  }

  @Test func `the journal speaks of the recording by its present hash`() throws {
    try applyFormer("a", 1)
    try assign("Warm", to: "a")
    try assign("Cold", to: "a")
    try apply("a", stream: 11, former: 1, samples: 111)
    #expect(try preset(of: "a") == "Cold")
    _ = try store.journal.undo()
    // Making the second preset came before it was assigned.
    _ = try store.journal.undo()
    #expect(try preset(of: "a") == "Warm")
    _ = try store.journal.undo()
    #expect(try preset(of: "a") == nil)
    try expectSound()
  }

  @Test(arguments: [true, false])
  func `of two presets on one recording the later one counts, and the other one comes back`(isFirstLater: Bool) throws {
    try apply("a.wav", stream: 1, isDecoded: true)
    try apply("a.flac", stream: 2, isDecoded: true)
    for path in isFirstLater ? ["a.flac", "a.wav"] : ["a.wav", "a.flac"] { try assign("For \(path)", to: path) }
    // All in one second otherwise.
    let later = isFirstLater ? "a.wav" : "a.flac"
    let laterID = try #require(try library.recording(of: later))
    let laterHash = try #require(try store.recordings.recording(id: laterID)?.hash)
    try library.execute(
      "UPDATE preset_assignment SET assigned_at = assigned_at + 10 WHERE hex(hash) = upper('\(laterHash)')")
    try library.execute(
      """
      UPDATE change_row
         SET after = (SELECT json_set(after, '$.assigned_at', assigned_at) FROM preset_assignment
                       WHERE hex(hash) = upper('\(laterHash)'))
       WHERE after LIKE '%\(laterHash)%'
      """)
    try decide(about: "a.wav", rating: "4")
    try decide(about: "a.flac", rating: "2")
    #expect(try apply("a.wav", stream: 1, samples: 9).isEmpty)
    let changes = try apply("a.flac", stream: 2, samples: 9)
    let id = try #require(try library.recording(of: "a.wav"))
    #expect(try library.recording(of: "a.flac") == id)
    let earlier = isFirstLater ? "a.flac" : "a.wav"
    guard case .joined(_, let former, let current, let replaced, let renamed)? = changes.first, changes.count == 1
    else {
      Issue.record("\(changes)")
      return
    }
    #expect(former == hash(2) && current == hash(9) && replaced == "For \(earlier)" && renamed == ["rating_2"])
    #expect(try preset(of: "a.flac") == "For \(later)")
    #expect(try ids(in: "mine") == [id, id])
    #expect(try library.value("SELECT group_concat(name || value) FROM attribute") == "rating4,rating_22")
    try expectSound()
    _ = try store.journal.undo()
    #expect(try preset(of: "a.flac") == "For \(earlier)")
    try expectSound()
  }

  @Test func `a hash that meant several streams is split, and each gets what was decided`() throws {
    try applyFormer("a.ogg", 1)
    for path in ["b.ogg", "c.ogg"] { try applyFormer(path, 1) }
    try applyFormer("other", 5)
    try assign("Warm", to: "a.ogg")
    try decide(about: "a.ogg")
    try decide(about: "other", rating: "1")
    #expect(try apply("b.ogg", stream: 12, former: 1).isEmpty)
    let changes = try apply("a.ogg", stream: 11, former: 1)
    #expect(changes.contains { if case .split(_, hash(1), hash(11)) = $0 { true } else { false } }, "\(changes)")
    try apply("c.ogg", stream: 11, former: 1)
    let (a, b, c) = try (library.recording(of: "a.ogg"), library.recording(of: "b.ogg"), library.recording(of: "c.ogg"))
    #expect(a != b && a == c)
    for path in ["a.ogg", "b.ogg", "c.ogg"] { #expect(try preset(of: path) == "Warm") }
    #expect(try ids(in: "mine").filter { $0 == a || $0 == b }.count == 2)
    #expect(try library.value("SELECT count(*) FROM attribute WHERE name = 'rating' AND value = '5'") == 2)
    try expectSound()
  }

  @Test func `a recording that was forgotten gets its preset back under its new hash`() throws {
    try applyFormer("a", 1)
    try assign("Warm", to: "a")
    try store.scans.apply([.missing(fileID: try #require(try library.id(of: "a")))])
    _ = try store.missingFiles.prune(try store.missingFiles.all(in: .everything), includingOrphans: true)
    #expect(try library.value("SELECT count(*) FROM audio") == 0)
    try apply("elsewhere/a", stream: 11, former: 1, samples: 111)
    #expect(try preset(of: "elsewhere/a") == "Warm")
    try expectSound()
  }

  @Test func `a file whose sound is another one is named if users decided something about the former one`() throws {
    try apply("a", stream: 1)
    try apply("b", stream: 2)
    try assign("Warm", to: "a")
    #expect(try apply("b", stream: 3).isEmpty)
    #expect(try apply("a", stream: 4) == [.replaced(path: BytePath("/music/a"), former: hash(1))])
    #expect(try preset(of: "a") == nil)
    try expectSound()
  }

  @Test(arguments: [false, true])
  func `a library that knows samples and one that knows only former hashes become one`(isOwnFormer: Bool) throws {
    let other = try TemporaryLibrary()
    try applyFormer("a", 1)
    try assign("Warm", to: "a")
    try decide(about: "a")
    var extraction = Sample.extraction(11, title: "a")
    extraction.stream = StreamIdentity(hash: hash(11), formerHash: hash(1), byteCount: 1)
    extraction.decoded = DecodedStream(sampleHash: hash(111))
    // The other library was a copy, and was scanned again.
    var before = Sample.extraction(1, title: "a")
    before.stream = StreamIdentity(hash: hash(1), hashVersion: 1, byteCount: 1)
    try other.store.scans.apply([.extracted(Sample.record("a", before))])
    try other.store.scans.apply([.extracted(Sample.record("a", extraction))])
    let (target, source) = isOwnFormer ? (library, other) : (other, library)
    _ = try target.store.merge([source.path], options: MergeOptions(keepsCopy: false))
    #expect(try target.value("SELECT count(*) FROM audio") == 1)
    #expect(try target.value("SELECT hex(hash) FROM audio") == "\(hash(111))".uppercased())
    let id = try #require(try target.recording(of: "a"))
    #expect(try target.store.presets.resolution(ofRecording: id).presetName == "Warm")
    #expect(try target.value("SELECT value FROM attribute") == "5")
    #expect(try target.value("SELECT audio_id FROM list_entry") == id)
    let check = try target.store.check(isDeep: true)
    #expect(check.isSound, "\(check)")
  }

  @Test func `an older library is merged into one that never saw its hashes`() throws {
    let older = try TemporaryLibrary()
    var before = Sample.extraction(1, title: "a")
    before.stream = StreamIdentity(hash: hash(1), hashVersion: 1, byteCount: 1)
    try older.store.scans.apply([.extracted(Sample.record("a", before))])
    try older.store.presets.create(try PresetStoreTests.preset("Warm"))
    _ = try older.store.presets.assign(named: "Warm", to: [.track(hash(1), label: "a")])
    try older.execute("INSERT INTO attribute (audio_id, name, value) VALUES (1, 'rating', '5')")
    try apply("a", stream: 11, former: 1, samples: 111)
    _ = try store.merge([older.path], options: MergeOptions(keepsCopy: false))
    #expect(try library.value("SELECT count(*) FROM audio") == 1)
    #expect(try preset(of: "a") == "Warm")
    #expect(try library.value("SELECT value FROM attribute") == "5")
    try expectSound()
  }

  @Test func `a stream that shares its former hash with a newer one inherits nothing from it`() throws {
    try apply("a", stream: 11, former: 1)
    try assign("Warm", to: "a")
    #expect(try apply("b", stream: 12, former: 1).isEmpty)
    #expect(try preset(of: "b") == nil)
    try expectSound()
  }

  @Test func `a file that is read with another stream of its former hash was not replaced`() throws {
    for path in ["a.ogg", "b.ogg"] { try applyFormer(path, 1) }
    try assign("Warm", to: "a.ogg")
    try apply("b.ogg", stream: 12, former: 1)
    for change in try apply("a.ogg", stream: 11, former: 1) {
      if case .replaced = change { Issue.record("\(change)") }
    }
  }

  @Test func `streams that shared a hash stay apart when they are merged into a library that took them for one`() throws
  {
    let older = try TemporaryLibrary()
    for path in ["a.ogg", "b.ogg"] {
      var before = Sample.extraction(1, title: path)
      before.stream = StreamIdentity(hash: hash(1), hashVersion: 1, byteCount: 1)
      try older.store.scans.apply([.extracted(Sample.record(path, before))])
    }
    try older.store.presets.create(try PresetStoreTests.preset("Warm"))
    _ = try older.store.presets.assign(named: "Warm", to: [.track(hash(1), label: "a")])
    try older.store.lists.save("mine", recordingIDs: [1])
    try apply("a.ogg", stream: 11, former: 1)
    try apply("b.ogg", stream: 12, former: 1)
    _ = try older.store.merge([library.path], options: MergeOptions(keepsCopy: false))
    // Read again there.
    for (path, stream) in [("a.ogg", 11), ("b.ogg", 12)] as [(String, UInt64)] {
      var extraction = Sample.extraction(stream, title: path)
      extraction.stream = StreamIdentity(hash: hash(stream), formerHash: hash(1), byteCount: 1)
      try older.store.scans.apply([.extracted(Sample.record(path, extraction))])
    }
    let (a, b) = try (older.recording(of: "a.ogg"), older.recording(of: "b.ogg"))
    #expect(a != nil && b != nil && a != b)
    for id in [a, b].compactMap({ $0 }) {
      #expect(try older.store.presets.resolution(ofRecording: id).presetName == "Warm")
    }
    #expect(try older.value("SELECT count(DISTINCT audio_id) FROM list_entry") == 2)
    let check = try older.store.check(isDeep: true)
    #expect(check.isSound, "\(check)")
  }

  @Test func `many streams of one former hash have as many places in a list as it had`() throws {
    for number in 1...6 { try applyFormer("\(number).ogg", 1) }
    let id = try #require(try library.recording(of: "1.ogg"))
    try store.lists.save("mine", recordingIDs: [id, id])
    for number in 1...6 { try apply("\(number).ogg", stream: UInt64(10 + number), former: 1) }
    #expect(try library.value("SELECT count(DISTINCT audio_id) FROM list_entry") == 6)
    #expect(try library.value("SELECT count(*) FROM list_entry") == 12)
    try expectSound()
  }

  @Test func `a pruned recording that comes back beside its copy gets its preset`() throws {
    try applyFormer("a.wav", 1)
    try assign("Warm", to: "a.wav")
    try store.scans.apply([.missing(fileID: try #require(try library.id(of: "a.wav")))])
    _ = try store.missingFiles.prune(try store.missingFiles.all(in: .everything), includingOrphans: true)
    try apply("a.flac", stream: 22, samples: 111)
    try apply("a.wav", stream: 11, former: 1, samples: 111)
    #expect(try preset(of: "a.flac") == "Warm")
    try expectSound()
  }

  @Test func `undoing goes on through recordings that became one, and the journal always agrees`() throws {
    try apply("a.wav", stream: 1)
    try apply("a.flac", stream: 2)
    try assign("First", to: "a.wav")
    try assign("Second", to: "a.flac")
    try apply("a.wav", stream: 1, samples: 9)
    try apply("a.flac", stream: 2, samples: 9)
    var presets: [String?] = [try preset(of: "a.flac")]
    for _ in 0..<6 {
      _ = try store.journal.undo()
      presets.append(try preset(of: "a.flac"))
      try expectSound()
    }
    // The join, its two steps; the later assignment and its preset; the earlier one and its preset.
    #expect(presets == ["Second", "First", "Second", "First", "First", nil, nil])
    #expect(throws: StoreError.self) { try store.journal.undo() }
  }

  /// Files of other streams with the same samples are decoded by workers side by side, in any order.
  @Test(arguments: [[0, 1, 2], [2, 1, 0], [1, 2, 0], [0, 2, 1]])
  func `the greatest declaration describes a recording, in whatever order its files are read`(order: [Int]) throws {
    let declarations = [
      StreamDeclaration(), StreamDeclaration(frameCount: 441_000),
      StreamDeclaration(delayFrameCount: 0, frameCount: 441_000),
    ]
    func read(_ number: Int, _ declaration: StreamDeclaration) throws {
      var extraction = Sample.extraction(UInt64(number), title: "\(number)")
      extraction.stream = StreamIdentity(hash: hash(UInt64(number)), byteCount: 1, declaration: declaration)
      extraction.decoded = DecodedStream(sampleHash: hash(99))
      try store.scans.apply([.extracted(Sample.record("\(number)", extraction))])
    }
    for number in order { try read(number, declarations[number]) }
    #expect(try library.value("SELECT count(*) FROM audio") == 1)
    #expect(try library.value("SELECT statement FROM audio") == declarations[2].description)
    // What no file says any more does not stay.
    try read(2, declarations[0])
    #expect(try library.value("SELECT statement FROM audio") == declarations[0].description)
    try expectSound()
  }
}

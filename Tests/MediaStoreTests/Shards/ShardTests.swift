import Base
import Foundation
import GRDB
import LibraryMerging
import LibraryTracks
import MediaModel
import MediaStore
import Testing
import TestSupport

/// Products that a catalogue was merged without come from the libraries that keep them, or not at all.
struct ShardTests {
  private let folder: TemporaryFolder
  /// Recordings 0 to 9, 10 to 19, 20 to 29.
  private let shards: [TemporaryLibrary]
  private var catalogue: BytePath { folder.file("catalogue.sqlite") }

  init() throws {
    folder = try TemporaryFolder()
    shards = try (0..<3).map { _ in try TemporaryLibrary() }
    for (index, shard) in shards.enumerated() { try shard.addFiles((index * 10)..<(index * 10 + 10)) }
    let options = MergeOptions(omittedKinds: [.waveform])
    _ = try MergedLibrary.create(at: catalogue, from: shards.map(\.path), options: options)
  }

  private func register() throws -> ShardRegister {
    try #require(try ShardRegister(ofLibraryAt: catalogue, creating: true))
  }

  private func registerAll() throws {
    let register = try register()
    for shard in shards { #expect(try register.add(shard.path) == 10) }
  }

  private func reading<Value>(_ body: (MediaStore) throws -> Value) throws -> Value {
    let store = try MediaStore(at: catalogue, access: .readOnly)
    defer { try? store.close() }
    return try body(store)
  }

  /// The waveform that the catalogue finds of a recording.
  private func waveform(_ number: UInt64) throws -> [UInt8]? {
    try reading { store in
      let recording = try #require(try store.recordings.recording(hash: Sample.hash(number)))
      return try store.products.product(.waveform, ofRecording: recording.id)?.bytes
    }
  }

  /// The problem with which reading a waveform fails.
  private func problem(_ number: UInt64) -> ShardProblem? {
    do { _ = try waveform(number) } catch StoreError.shard(_, let problem) { return problem } catch {}
    return nil
  }

  @Test func `without shards a product that was left out is not there`() throws {
    #expect(try waveform(3) == nil)
    #expect(try ShardRegister(ofLibraryAt: catalogue) == nil)
  }

  // Faults: 204
  /// A view in the place of a table could compute without end while a product is looked for.
  @Test(arguments: [
    "CREATE VIEW other AS SELECT * FROM product",
    "CREATE TRIGGER other AFTER INSERT ON audio BEGIN DELETE FROM audio; END",
    "ALTER TABLE audio ADD COLUMN other BLOB GENERATED ALWAYS AS (zeroblob(100000000)) VIRTUAL",
    "ALTER TABLE product_blob RENAME TO kept; CREATE VIEW product_blob AS SELECT * FROM kept",
  ])
  func `a shard with definitions of a stranger is neither registered nor read`(sql: String) throws {
    try registerAll()
    #expect(try waveform(3) != nil)
    try DatabaseQueue(path: shards[0].path.displayString).write { try $0.execute(sql: sql) }
    guard case .unusable(let reason) = problem(3) else {
      Issue.record("the product was read, or its shard has another problem: \(String(describing: problem(3)))")
      return
    }
    #expect(reason.contains("is not part of Deadwax") || reason.contains("is not as expected"))
    #expect(throws: StoreError.self) { try register().add(shards[0].path) }
    #expect(try waveform(15) != nil, "the other shards are read")
  }

  @Test(arguments: [0, 9, 15, 29])
  func `a product comes from the shard that has the recording, byte for byte`(number: UInt64) throws {
    try registerAll()
    #expect(try waveform(number) == [1, 2, 3, UInt8(number)])
    let products = try reading { store in
      let recording = try #require(try store.recordings.recording(hash: Sample.hash(number)))
      return try #require(try store.tracks.detail(ofRecording: recording.id)).recording.products
    }
    #expect(products.map(\.kind) == [.measures, .waveform])
    #expect(products.map(\.shard) == [nil, shards[Int(number) / 10].path])
  }

  @Test func `what the library itself has comes before what shards have`() throws {
    try registerAll()
    let store = try MediaStore(at: catalogue, access: .readWrite)
    _ = try store.merge([shards[0].path], options: MergeOptions(keepsCopy: false))
    try store.close()
    try FileManager.default.removeItem(atPath: shards[0].path.displayString)
    #expect(try waveform(3) == [1, 2, 3, 3])
  }

  @Test func `a shard that is not at hand is said, and the others answer`() throws {
    try registerAll()
    try FileManager.default.removeItem(atPath: shards[1].path.displayString)
    #expect(problem(15) == .notAtHand(reason: "there is no such file"))
    #expect(try waveform(5) == [1, 2, 3, 5])
    let detail = try reading { store in
      try store.tracks.detail(ofRecording: try #require(try store.recordings.recording(hash: Sample.hash(15))).id)
    }
    #expect(detail?.recording.products.map(\.kind) == [.measures])
    #expect(detail?.shardProblem == .shard(shards[1].path, .notAtHand(reason: "there is no such file")))
    #expect(try register().shards().filter { !$0.isUsable }.map(\.path) == [shards[1].path])
  }

  @Test func `a shard that was written to is not believed until it is registered again`() throws {
    try registerAll()
    try shards[0].addFiles(50..<51)
    #expect(problem(3) == .changed)
    #expect(try register().add(shards[0].path) == 11)
    #expect(try waveform(3) == [1, 2, 3, 3])
    #expect(try register().shards().map(\.recordingCount).sorted() == [10, 10, 11])
  }

  @Test func `damaged bytes in a shard are never given`() throws {
    try registerAll()
    try shards[2].execute("UPDATE product_blob SET bytes = x'01020399' WHERE product_id = 5")
    #expect(problem(24) == .unusable(reason: "the stored waveform of track 5 is damaged"))
    #expect(try waveform(25) == [1, 2, 3, 25])
    #expect(try register().shards().allSatisfy(\.isUsable))
    #expect(try register().shards(isDeep: true).compactMap(\.damagedProductCount).sorted() == [0, 0, 1])
  }

  @Test func `another library under the name of a shard is not believed`() throws {
    try registerAll()
    let other = try TemporaryLibrary()
    try other.addFiles(0..<10)
    let place = folder.file("moved.sqlite")
    try FileManager.default.copyItem(atPath: other.path.displayString, toPath: place.displayString)
    #expect(try register().relocate(shards[0].path, to: place) == 1)
    #expect(problem(3) == .changed)
  }

  @Test func `shards that were moved are found after they were relocated`() throws {
    try registerAll()
    try shards[1].store.close()
    let place = try folder.makeFolder("elsewhere")
    try FileManager.default.moveItem(
      atPath: shards[1].path.displayString, toPath: place.appending(path: "library.sqlite").path)
    #expect(problem(15) != nil)
    #expect(try register().relocate(BytePath("/nowhere"), to: BytePath("/music")) == 0)
    #expect(try register().relocate(shards[1].path.folder, to: BytePath(place.path)) == 1)
    #expect(try waveform(15) == [1, 2, 3, 15])
    // To register it where it is does the same.
    #expect(try register().relocate(BytePath(place.path), to: BytePath("/nowhere")) == 1)
    #expect(try register().add(BytePath(place.appending(path: "library.sqlite").path)) == 10)
    #expect(try waveform(15) == [1, 2, 3, 15])
    #expect(try register().shards().count == 3)
  }

  @Test func `what was removed is not looked for`() throws {
    try registerAll()
    #expect(try register().remove(shards[0].path) == 1)
    #expect(try register().remove(shards[0].path) == 0)
    #expect(try waveform(3) == nil)
    #expect(try waveform(13) == [1, 2, 3, 13])
  }

  @Test func `a recording of another length is another one`() throws {
    try registerAll()
    try shards[0].execute("UPDATE audio SET decoded_frames = decoded_frames + 1 WHERE id = 4")
    #expect(try waveform(3) == nil)
    #expect(try waveform(4) == [1, 2, 3, 4])
  }

  @Test func `a recording is found by the hash that it had when the shard was made`() throws {
    try registerAll()
    let database = try DatabaseQueue(path: catalogue.displayString)
    try database.write { db in
      let former = Data(Sample.hash(7).bytes)
      try db.execute(
        sql: "UPDATE audio SET hash = ? WHERE hash = ?", arguments: [Data(Sample.hash(777).bytes), former])
      try db.execute(
        sql: "INSERT INTO former_hash (hash, current, is_key) VALUES (?, ?, 1)",
        arguments: [former, Data(Sample.hash(777).bytes)])
    }
    try database.close()
    #expect(try waveform(777) == [1, 2, 3, 7])
  }

  @Test func `a catalogue of catalogues knows the shards of both`() throws {
    try registerAll()
    let all = folder.file("all.sqlite")
    _ = try MergedLibrary.create(at: all, from: [catalogue], options: MergeOptions())
    let register = try #require(try ShardRegister(ofLibraryAt: all, creating: true))
    try register.add(catalogue)
    #expect(Set(try register.shards().map(\.path)) == Set(shards.map(\.path) + [catalogue]))
    let store = try MediaStore(at: all, access: .readOnly)
    defer { try? store.close() }
    let recording = try #require(try store.recordings.recording(hash: Sample.hash(22)))
    #expect(try store.products.product(.waveform, ofRecording: recording.id)?.bytes == [1, 2, 3, 22])
  }

  @Test func `a library is no shard of itself, and neither is what is no library`() throws {
    let register = try register()
    #expect(throws: StoreError.self) { try register.add(catalogue) }
    #expect(throws: StoreError.self) { try register.add(folder.file("nothing.sqlite")) }
    #expect(throws: StoreError.self) { try register.add(register.path) }
    #expect(try register.shards().isEmpty)
  }

  @Test func `a damaged register is said, and the library can be read without what it leads to`() throws {
    try registerAll()
    let path = ShardRegister.path(ofLibraryAt: catalogue)
    try Data("no register at all".utf8).write(to: URL(filePath: path.displayString))
    guard case .register = problem(3) else {
      Issue.record("\(String(describing: problem(3)))")
      return
    }
    let detail = try reading { store in
      try store.tracks.detail(ofRecording: try #require(try store.recordings.recording(hash: Sample.hash(3))).id)
    }
    #expect(detail?.recording.products.map(\.kind) == [.measures])
    #expect(detail?.shardProblem != nil)
  }
}

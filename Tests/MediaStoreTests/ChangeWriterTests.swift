import Base
import GRDB
import LibraryScanning
import LibraryTracks
import MediaModel
import MediaStore
import Testing

struct ChangeWriterTests {
  @Test func `an extracted file is known afterwards, with all that it held`() throws {
    let library = try TemporaryLibrary()
    try library.store.scans.apply([.extracted(Sample.record("a/b.flac"))])
    let file = try #require(try library.store.scans.knownFiles(inRoot: library.root.id).first)
    #expect(file.path == BytePath("a/b.flac"))
    #expect(file.status == Sample.status())
    #expect(file.state == .ok && file.extractorVersion == 3)
    #expect(try library.value("SELECT attempts FROM file") == 1)
    let recording = try #require(try library.store.recordings.recording(hash: Sample.hash(1)))
    #expect(recording.id == file.recordingID)
    #expect(recording.format == Sample.format && recording.state == .ok && recording.problem == nil)
    #expect(recording.products.map(\.kind) == [.measures, .waveform])
    #expect(try library.store.products.measures(ofRecording: recording.id) == Sample.measures)
    #expect(try library.store.products.product(.waveform, ofRecording: recording.id)?.bytes == [1, 2, 3, 1])
  }

  @Test func `a sound whose format nobody could tell is kept by its hash`() throws {
    let library = try TemporaryLibrary()
    let problem = Problem(code: "signal", reason: "signal 11")
    try library.store.scans.apply([
      .extracted(
        Sample.record(
          "a",
          Extraction(
            state: .crashed, problem: problem, stream: StreamIdentity(hash: Sample.hash(1), byteCount: 1))))
    ])
    let recording = try #require(try library.store.recordings.recording(hash: Sample.hash(1)))
    #expect(recording.format == nil && recording.problem == problem)
  }

  @Test func `paths keep their bytes`() throws {
    let library = try TemporaryLibrary()
    let paths = [[0x66, 0xFF, 0x0A], Array("é".utf8), Array("e\u{301}".utf8), Array(repeating: 0x61, count: 255)]
      .map { BytePath($0 as [UInt8]) }
    try library.store.scans.apply(
      paths.map { path in
        var record = Sample.record("")
        record.path = path
        return .extracted(record)
      })
    #expect(try Set(library.store.scans.knownFiles(inRoot: library.root.id).map(\.path)) == Set(paths))
  }

  @Test func `two names that were swapped keep their content`() throws {
    let library = try TemporaryLibrary()
    try library.store.scans.apply([
      .extracted(Sample.record("a", Sample.extraction(1))), .extracted(Sample.record("b", Sample.extraction(2))),
    ])
    let (a, b) = (try #require(try library.id(of: "a")), try #require(try library.id(of: "b")))
    try library.store.scans.apply([
      .moved(fileID: a, rootID: library.root.id, path: BytePath("b"), Sample.status(8)),
      .moved(fileID: b, rootID: library.root.id, path: BytePath("a"), Sample.status(9)),
    ])
    #expect(try library.files() == ["a: ok", "b: ok"])
    #expect(try library.id(of: "a") == b && library.id(of: "b") == a)
    #expect(try library.value("SELECT search_text FROM file WHERE id = \(a)") == "slow tide\nnora vale\nb")
  }

  @Test func `a ring of three moves in any order`() throws {
    let library = try TemporaryLibrary()
    let names = ["a", "b", "c"]
    try library.store.scans.apply(
      names.enumerated().map { .extracted(Sample.record($1, Sample.extraction(UInt64($0)))) })
    let ids = try names.map { try #require(try library.id(of: $0)) }
    try library.store.scans.apply(
      ids.indices.map {
        .moved(fileID: ids[$0], rootID: library.root.id, path: BytePath(names[($0 + 1) % 3]), Sample.status())
      })
    #expect(try names.map { try library.id(of: $0) } == [ids[2], ids[0], ids[1]])
  }

  @Test func `a move onto a path that another row held replaces it, but not its recording`() throws {
    let library = try TemporaryLibrary()
    try library.store.scans.apply([
      .extracted(Sample.record("a", Sample.extraction(1))), .extracted(Sample.record("b", Sample.extraction(2))),
    ])
    let (a, b) = (try #require(try library.id(of: "a")), try #require(try library.id(of: "b")))
    try library.store.scans.apply([
      .moved(fileID: a, rootID: library.root.id, path: BytePath("b"), Sample.status()), .missing(fileID: b),
    ])
    #expect(try library.files() == ["b: ok"])
    #expect(try library.store.recordings.recording(hash: Sample.hash(2)) != nil)
  }

  @Test func `new content at a path while the old content moved away`() throws {
    let library = try TemporaryLibrary()
    try library.store.scans.apply([.extracted(Sample.record("a", Sample.extraction(1)))])
    let a = try #require(try library.id(of: "a"))
    try library.store.scans.apply([
      .extracted(Sample.record("a", Sample.extraction(2))),
      .moved(fileID: a, rootID: library.root.id, path: BytePath("b"), Sample.status()),
    ])
    #expect(try library.files() == ["a: ok", "b: ok"])
    #expect(try library.id(of: "b") == a)
  }

  @Test func `a vanished file that is found retagged elsewhere keeps its row and the day it was added`() throws {
    let library = try TemporaryLibrary()
    try library.store.scans.apply([.extracted(Sample.record("a"))])
    let a = try #require(try library.id(of: "a"))
    try library.store.scans.apply([
      .extracted(Sample.record("c/d", Sample.extraction(1, title: "Other"), movedFrom: a))
    ])
    #expect(try library.files() == ["c/d: ok"])
    #expect(try library.id(of: "c/d") == a)
    #expect(try library.value("SELECT title FROM file") == "Other")
  }

  @Test func `a missing file comes back in the state it had`() throws {
    let library = try TemporaryLibrary()
    var extraction = Sample.extraction()
    extraction.state = .damaged
    extraction.problem = Problem(code: "truncated", reason: "3847 of 41519 frames", positionInSeconds: 0.08)
    try library.store.scans.apply([.extracted(Sample.record("a", extraction))])
    let a = try #require(try library.id(of: "a"))
    try library.store.scans.apply([.missing(fileID: a)])
    #expect(try library.files() == ["a: missing"])
    #expect(try library.store.scans.knownFiles(inRoot: library.root.id).first?.lastState == .damaged)
    try library.store.scans.apply([.restated(fileID: a, Sample.status(5))])
    #expect(try library.files() == ["a: damaged"])
    #expect(try library.store.scans.knownFiles(inRoot: library.root.id).first?.status == Sample.status(5))
  }

  @Test(arguments: [FileState.unreadable, .pending])
  func `a file that could not be read keeps what was known of it`(state: FileState) throws {
    let library = try TemporaryLibrary()
    try library.store.scans.apply([.extracted(Sample.record("a"))])
    let recording = try library.recording(of: "a")
    let problem = Problem(code: "io", reason: "Input/output error")
    try library.store.scans.apply([.extracted(Sample.record("a", Extraction(state: state, problem: problem)))])
    #expect(try library.files() == ["a: \(state.rawValue)"])
    #expect(try library.recording(of: "a") == recording && recording != nil)
    #expect(try library.value("SELECT title FROM file") == "Slow Tide")
  }

  private func notRead(_ path: String, _ state: FileState, _ status: FileStatus = Sample.status()) -> FileChange {
    let problem = Problem(code: "code", reason: "reason")
    var record = Sample.record(path, Extraction(state: state, problem: problem))
    record.status = status
    return .extracted(record)
  }

  // Faults: 60
  @Test(arguments: [FileState.timeout, .crashed], [false, true])
  func `a file whose reader came to no end keeps what was known of it unless it was written to`(
    state: FileState, isWritten: Bool
  ) throws {
    let library = try TemporaryLibrary()
    var extraction = Sample.extraction()
    extraction.artwork = [Artwork(pictureType: 3, mimeType: "image/png", caption: "", hash: Sample.hash(9), bytes: [1])]
    try library.store.scans.apply([.extracted(Sample.record("a", extraction))])
    try library.store.scans.apply([notRead("a", state, Sample.status(isWritten ? 2 : 1))])
    #expect(try library.files() == ["a: \(state.rawValue)"])
    #expect(try (library.recording(of: "a") == nil) == isWritten)
    #expect(try library.value("SELECT count(*) FROM tag") == (isWritten ? 0 : 2))
    #expect(try library.value("SELECT count(title) FROM file") == (isWritten ? 0 : 1))
    #expect(try library.value("SELECT count(*) FROM file_artwork") == (isWritten ? 0 : 1))
  }

  @Test(arguments: [FileState.timeout, .crashed])
  func `a file whose reader came to no end is tried once more if it could be read before`(state: FileState) throws {
    let library = try TemporaryLibrary()
    try library.store.scans.apply([.extracted(Sample.record("a")), notRead("b", state)])
    func versions() throws -> [Int] {
      try library.store.scans.knownFiles(inRoot: library.root.id).map(\.extractorVersion)
    }
    try library.store.scans.apply([notRead("a", state), notRead("b", state)])
    #expect(try versions() == [0, 3])
    // Whatever it ends in the second time.
    for next in [FileState.crashed, .timeout] {
      try library.store.scans.apply([notRead("a", next)])
      #expect(try versions() == [3, 3])
    }
    #expect(try library.recording(of: "a") != nil)
  }

  @Test func `a copy that was not decoded changes nothing of its recording`() throws {
    let library = try TemporaryLibrary()
    try library.store.scans.apply([.extracted(Sample.record("a"))])
    var copy = Extraction(state: .ok, stream: StreamIdentity(hash: Sample.hash(1), byteCount: 1))
    copy.format = MediaFormat(container: .flac)
    try library.store.scans.apply([.extracted(Sample.record("b", copy))])
    let recording = try #require(try library.store.recordings.recording(hash: Sample.hash(1)))
    #expect(recording.format == Sample.format && recording.products.count == 2)
    #expect(try library.recording(of: "a") == library.recording(of: "b"))
  }

  @Test func `an extraction replaces only the kinds it brings`() throws {
    let library = try TemporaryLibrary()
    try library.store.scans.apply([.extracted(Sample.record("a"))])
    var again = Sample.extraction()
    again.measures = nil
    again.products = [Product(kind: .spectrum, version: 2, parameters: "p", bytes: [])]
    try library.store.scans.apply([.extracted(Sample.record("a", again))])
    let recording = try #require(try library.store.recordings.recording(hash: Sample.hash(1)))
    #expect(recording.products.map(\.kind) == [.measures, .spectrum, .waveform])
    #expect(try library.store.products.product(.spectrum, ofRecording: recording.id)?.bytes == [])
  }

  @Test func `pictures are stored once and go with their last file`() throws {
    let library = try TemporaryLibrary()
    let cover = Artwork(
      pictureType: 3, mimeType: "image/png", caption: "", hash: Sample.hash(9), bytes: [1, 2])
    var extraction = Sample.extraction()
    extraction.artwork = [cover, cover]
    try library.store.scans.apply([
      .extracted(Sample.record("a", extraction)), .extracted(Sample.record("b", extraction)),
    ])
    #expect(try library.value("SELECT count(*) FROM artwork") == 1)
    #expect(try library.value("SELECT count(*) FROM file_artwork") == 4)
    extraction.artwork = []
    try library.store.scans.apply([.extracted(Sample.record("a", extraction))])
    #expect(try library.value("SELECT count(*) FROM artwork") == 1)
    try library.store.scans.apply([.extracted(Sample.record("b", extraction))])
    #expect(try library.value("SELECT count(*) FROM artwork") == 0)
  }

  @Test func `a property that occurs twice keeps all values`() throws {
    let library = try TemporaryLibrary()
    var extraction = Sample.extraction()
    extraction.tags = Tags([
      .init(name: "GENRE", values: ["a", "b"]), .init(name: "GENRE", values: ["c"]),
    ])
    try library.store.scans.apply([.extracted(Sample.record("a", extraction))])
    #expect(
      try library.value("SELECT group_concat(name || position || value) FROM file_tag") == "GENRE0a,GENRE1b,GENRE2c")
  }

  @Test func `numbers that are not finite are stored as nothing`() throws {
    let library = try TemporaryLibrary()
    var extraction = Sample.extraction()
    extraction.measures = Measures(samplePeakInDBFS: -.infinity, rmsInDBFS: .nan, clippedSampleCount: .max)
    extraction.problem = Problem(code: "x", reason: "x", positionInSeconds: .infinity)
    try library.store.scans.apply([.extracted(Sample.record("a", extraction))])
    #expect(try library.store.products.measures(ofRecording: 1) == Measures(clippedSampleCount: .max))
  }

  @Test func `changes of rows that are gone are passed over`() throws {
    let library = try TemporaryLibrary()
    try library.store.scans.apply([
      .missing(fileID: 99), .restated(fileID: 99, Sample.status()),
      .moved(fileID: 99, rootID: library.root.id, path: BytePath("x"), Sample.status()),
      .extracted(Sample.record("y", movedFrom: 99)),
    ])
    #expect(try library.files() == ["y: ok"])
  }

  @Test func `a batch that fails leaves nothing behind`() throws {
    let library = try TemporaryLibrary()
    #expect(throws: StoreError.self) {
      try library.store.scans.apply([.extracted(Sample.record("a")), .extracted(Sample.record("b", rootID: 77))])
    }
    #expect(try library.files() == [])
    #expect(try library.value("SELECT count(*) FROM audio") == 0)
  }

  @Test func `removing a root forgets its files and keeps their sound`() throws {
    let library = try TemporaryLibrary()
    try library.store.scans.apply([.extracted(Sample.record("a"))])
    try library.store.roots.remove(library.root.id)
    #expect(try library.value("SELECT count(*) FROM file") == 0)
    #expect(try library.value("SELECT count(*) FROM tag") == 0)
    #expect(try library.store.recordings.recording(hash: Sample.hash(1))?.products.count == 2)
  }
}

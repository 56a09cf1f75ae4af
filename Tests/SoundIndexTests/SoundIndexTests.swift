import Base
import Foundation
import Glibc
import MediaModel
import Testing
import TestSupport

@testable import SoundIndex

struct SoundIndexTests {
  private let temporary: TemporaryFolder
  private let folder: BytePath

  init() throws {
    temporary = try TemporaryFolder()
    folder = BytePath(temporary.appending("music.sound").path)
  }

  /// Every stored pair of an index, as a recording and the column in it.
  private func postings(_ index: SoundIndex) throws -> [String] {
    var found: [String] = []
    for (number, postingFile) in index.postingFiles.enumerated() {
      for bucket in 0..<1 << Int(postingFile.header.directoryBits) {
        try postingFile.forEachPosting(ofBucket: bucket, at: postingFile.place(ofBucket: bucket)) { pair, position in
          let recording = postingFile.indexOfRecording(at: position)
          guard index.counts(recording, ofPostingFile: number) else { return }
          let known = postingFile.recording(recording)
          found.append("\(known.hash) \(pair) \(position - known.base)")
        }
      }
    }
    return found.sorted()
  }

  private func expectedPostings(_ recordings: [NewRecording]) throws -> [String] {
    var expected: [String] = []
    for recording in recordings {
      LandmarkPair.forEachStored(of: try Landmarks(blob: recording.landmarkBytes)) { pair, column in
        expected.append("\(recording.hash) \(pair) \(column)")
      }
    }
    return expected.sorted()
  }

  @Test func `an index that is not there is empty`() throws {
    let index = try SoundIndex.open(at: folder)
    #expect(index.recordingCount == 0)
    #expect(!index.isCurrent([UInt8](repeating: 1, count: 16), recipeVersion: 1))
  }

  @Test func `every pair of every recording is in the index at its place`() throws {
    let recordings = (1...30).map { SyntheticSound.recording($0, seconds: Double(10 + $0)) }
    #expect(try SyntheticSound.update(folder, recordings).addedCount == 30)
    let index = try SoundIndex.open(at: folder)
    #expect(index.recordingCount == 30)
    #expect(index.isCurrent([UInt8](repeating: 1, count: 16), recipeVersion: 1))
    #expect(try postings(index) == expectedPostings(recordings))
  }

  @Test func `recordings that come one after the other end up as if they had come together`() throws {
    var recordings: [NewRecording] = []
    for number in 1...40 {
      recordings.append(SyntheticSound.recording(UInt64(number), seconds: 15))
      try SyntheticSound.update(folder, recordings, mark: UInt8(number))
    }
    let index = try SoundIndex.open(at: folder)
    #expect(index.postingFiles.count <= 6)
    #expect(try postings(index) == expectedPostings(recordings))
  }

  @Test func `what the library no longer has does not count, and what has other landmarks is replaced`() throws {
    var recordings = (1...20).map { SyntheticSound.recording($0, seconds: 20) }
    try SyntheticSound.update(folder, recordings)
    recordings.removeFirst(3)
    let changed = SyntheticSound.landmarks(seed: 99, seconds: 25).blob
    recordings[0].landmarkBytes = changed
    recordings[0].checksum = CRC32.checksum(changed)
    let report = try SyntheticSound.update(folder, recordings, mark: 2)
    #expect(report.addedCount == 1 && report.removedCount == 4)
    #expect(try postings(SoundIndex.open(at: folder)) == expectedPostings(recordings))
    // Once most do not count, they are dropped from the file, too.
    recordings.removeLast(10)
    try SyntheticSound.update(folder, recordings, mark: 3)
    let index = try SoundIndex.open(at: folder)
    #expect(index.postingFiles.allSatisfy { Double($0.recordingCount) < 16 })
    #expect(try postings(index) == expectedPostings(recordings))
  }

  @Test func `an update without a change writes no postingFile`() throws {
    let recordings = (1...5).map { SyntheticSound.recording($0, seconds: 20) }
    try SyntheticSound.update(folder, recordings)
    let before = try FileManager.default.contentsOfDirectory(atPath: folder.displayString).sorted()
    #expect(try SyntheticSound.update(folder, recordings, mark: 2) == IndexUpdateReport())
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.displayString).sorted() == before)
  }

  @Test func `landmarks of another version replace the index`() throws {
    let recordings = (1...5).map { SyntheticSound.recording($0, seconds: 20) }
    try SyntheticSound.update(folder, recordings)
    let report = try SyntheticSound.update(folder, recordings, version: 2)
    #expect(report.replacedBecause != nil && report.addedCount == 5)
    #expect(try postings(SoundIndex.open(at: folder)) == expectedPostings(recordings))
  }

  @Test(arguments: ["1.segment", "manifest"])
  func `a file that is cut off or changed is noticed, and the update makes the index again`(name: String) throws {
    let recordings = (1...5).map { SyntheticSound.recording($0, seconds: 30) }
    try SyntheticSound.update(folder, recordings)
    let url = URL(filePath: folder.appending(BytePath(name)).displayString)
    let bytes = try Data(contentsOf: url)
    for count in [0, 10, bytes.count - 1] {
      try bytes.prefix(count).write(to: url)
      #expect(throws: SoundIndexError.self) { try SoundIndex.open(at: folder) }
      try SyntheticSound.update(folder, recordings)
      #expect(try postings(SoundIndex.open(at: folder)) == expectedPostings(recordings))
      let postingFile = try #require(
        try FileManager.default.contentsOfDirectory(atPath: folder.displayString).first {
          $0.hasSuffix(name == "manifest" ? "manifest" : "segment")
        })
      if postingFile != name { return }
    }
  }

  @Test func `every changed byte of a postingFile is noticed when it is read, or changes nothing`() throws {
    let recordings = [SyntheticSound.recording(1, seconds: 20), SyntheticSound.recording(2, seconds: 20)]
    try SyntheticSound.update(folder, recordings)
    let url = URL(filePath: folder.appending(BytePath("1.segment")).displayString)
    let bytes = try Data(contentsOf: url)
    let expected = try expectedPostings(recordings)
    for index in stride(from: 0, to: bytes.count, by: 37) {
      var damaged = bytes
      damaged[index] ^= 0x40
      try damaged.write(to: url)
      do {
        let opened = try SoundIndex.open(at: folder)
        let found = try postings(opened)
        for recording in 0..<2 { _ = try opened.postingFiles[0].landmarks(recording) }
        #expect(found == expected, "byte \(index)")
      } catch is SoundIndexError {}
    }
  }

  // Faults: 191
  @Test(arguments: ["1.segment", "manifest"])
  func `a pipe, a folder or a link in the place of a file is damage, and blocks nothing`(_ name: String) throws {
    try SyntheticSound.update(folder, [SyntheticSound.recording(1, seconds: 20)])
    let path = folder.appending(BytePath(name)).displayString
    let places: [() throws -> Void] = [
      { try #require(mkfifo(path, 0o600) == 0) }, { try #require(mkdir(path, 0o700) == 0) },
      { try #require(symlink("/dev/zero", path) == 0) },
    ]
    for place in places {
      try FileManager.default.removeItem(atPath: path)
      try place()
      #expect {
        try SoundIndex.open(at: folder)
      } throws: { error in
        guard case .damaged = error as? SoundIndexError else { return false }
        return true
      }
    }
  }

  // Faults: 192
  /// Checksums keep nobody from writing any number.
  @Test(arguments: [UInt64.max, UInt64(Int64.max), UInt64(Int64.max) + 1, 1 << 40])
  func `landmarks at impossible places are damage`(_ offset: UInt64) throws {
    try SyntheticSound.update(folder, [SyntheticSound.recording(1, seconds: 20)])
    let file = URL(filePath: folder.appending(BytePath("1.segment")).displayString)
    var bytes = [UInt8](try Data(contentsOf: file))
    func number(_ place: Int) -> Int { (0..<8).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) } }
    // The table of recordings, its checksum, and that of the header.
    let (start, end) = (number(48), number(56))
    bytes.replaceSubrange(start + 32..<start + 40, with: littleEndian(offset))
    bytes.replaceSubrange(64..<68, with: littleEndian(CRC32.checksum(Array(bytes[start..<end]))))
    bytes.replaceSubrange(76..<80, with: littleEndian(CRC32.checksum(Array(bytes[..<76]))))
    try Data(bytes).write(to: file)
    let index = try SoundIndex.open(at: folder)
    #expect(throws: SoundIndexError.self) { try index.postingFiles[0].landmarks(0) }
  }

  @Test func `postingFiles that no manifest names are removed by the next update`() throws {
    let recordings = (1...3).map { SyntheticSound.recording($0, seconds: 20) }
    try SyntheticSound.update(folder, recordings)
    let leftover = folder.appending(BytePath("77.segment")).displayString
    try Data([1, 2, 3]).write(to: URL(filePath: leftover))
    try SyntheticSound.update(folder, recordings, mark: 2)
    #expect(!FileManager.default.fileExists(atPath: leftover))
  }

  @Test func `nobody else may read the index, as nobody else may read a new library`() throws {
    _ = try SoundIndex.update(
      at: folder, to: LibraryListing(mark: [UInt8](repeating: 1, count: 16), recipeVersion: 1, entries: []),
      load: { _ in [] })
    let attributes = try FileManager.default.attributesOfItem(atPath: temporary.appending("music.sound").path)
    #expect(attributes[.posixPermissions] as? Int == 0o700)
  }

  @Test func `the folder of a library's index has its name`() {
    #expect(SoundIndex.folder(ofLibraryAt: BytePath("/a/music.sqlite")) == BytePath("/a/music.sound"))
    #expect(SoundIndex.folder(ofLibraryAt: BytePath("/a/library")) == BytePath("/a/library.sound"))
  }
}

import Base
import LibraryScanning
import MediaImport
import MediaModel
import Testing

struct ScanPlanTests {
  private func status(inode: UInt64, size: Int64 = 100, time: Int64 = 1, changed: Int64 = 1) -> FileStatus {
    FileStatus(
      byteCount: size, modificationTimeInNanoseconds: time, changeTimeInNanoseconds: changed, inode: inode, device: 1)
  }

  private func known(_ id: Int64, _ path: String, _ status: FileStatus, state: FileState = .ok, version: Int = 1)
    -> KnownFile
  {
    KnownFile(
      id: id, path: BytePath(path), status: status, state: state, lastState: state == .missing ? .ok : state,
      extractorVersion: version, recordingID: id)
  }

  private func plan(
    _ known: [KnownFile], _ found: [(String, FileStatus)], isDeep: Bool = false, hasLastingInodes: Bool = true,
    versionWithLibraries: Int? = nil
  ) -> ScanPlan {
    let files = found.map { DirectoryWalker.File(path: BytePath($0.0), status: $0.1) }
    return ScanPlan(
      roots: [.init(id: 1, known: known, found: files, hasLastingInodes: hasLastingInodes)], isDeep: isDeep,
      retries: .init(extractorVersion: 1, versionWithLibraries: versionWithLibraries))
  }

  @Test func `an unchanged file is not opened`() {
    let result = plan([known(1, "a", status(inode: 7))], [("a", status(inode: 7))])
    #expect(result.candidates.isEmpty && result.unchangedCount == 1)
  }

  // Faults: 69
  @Test(arguments: [(101, 1, 1), (100, 2, 1), (100, 1, 2)])
  func `another size, time or change time is read again at its place`(size: Int64, time: Int64, changed: Int64) {
    let result = plan(
      [known(1, "a", status(inode: 7))], [("a", status(inode: 7, size: size, time: time, changed: changed))])
    #expect(result.candidates.map(\.known?.id) == [1])
    #expect(result.vanished.isEmpty)
  }

  @Test func `a file in a renamed folder is recognised without opening it`() {
    let result = plan([known(1, "a/x", status(inode: 7))], [("b/x", status(inode: 7))])
    #expect(result.candidates.isEmpty && result.vanished.isEmpty)
    #expect(result.moves.map(\.known.id) == [1])
    #expect(result.moves.map(\.path) == [BytePath("b/x")])
  }

  @Test func `a renamed file is moved, and read because it may have been written to`() {
    let result = plan([known(1, "a", status(inode: 7))], [("b", status(inode: 7, changed: 9))])
    #expect(result.moves.map(\.known.id) == [1] && result.vanished.isEmpty)
    #expect(result.candidates.map(\.path) == [BytePath("b")] && result.candidates.map(\.known?.id) == [1])
    #expect(result.candidates.allSatisfy { $0.isMoved && !$0.isChanged })
    // Until it was read, the next scan reads it again.
    #expect(result.moves.map(\.status.changeTimeInNanoseconds) == [0])
  }

  @Test func `two files that swapped their names are two moves`() {
    let result = plan(
      [known(1, "a", status(inode: 7)), known(2, "b", status(inode: 8, size: 120))],
      [("a", status(inode: 8, size: 120, changed: 5)), ("b", status(inode: 7, changed: 5))])
    #expect(result.candidates.count == 2 && result.vanished.isEmpty)
    #expect(Set(result.moves.map { "\($0.known.id) \($0.path.displayString)" }) == ["1 b", "2 a"])
  }

  /// Made from renames such as `a>b`, in the order in which the new names are found; each group of moves as one text.
  private func moveGroups(_ renames: [String]) -> [String] {
    let pairs = renames.map { $0.split(separator: ">").map(String.init) }
    let files = pairs.enumerated().map { ($1[0], $1[1], status(inode: UInt64($0), size: 100 + Int64($0))) }
    let result = plan(files.enumerated().map { known(Int64($0), $1.0, $1.2) }, files.map { ($0.1, $0.2) })
    #expect(result.moves.count == renames.count)
    return result.moveGroups.map { group in
      group.map { "\($0.known.path.displayString)>\($0.path.displayString)" }.joined(separator: " ")
    }
  }

  @Test(
    arguments: [
      ([], []), (["a>b"], ["a>b"]), (["a>x", "b>y"], ["a>x", "b>y"]), (["a>b", "b>a"], ["a>b b>a"]),
      (["a>b", "b>c", "c>d"], ["c>d", "b>c", "a>b"]), (["c>d", "a>b", "b>c"], ["c>d", "b>c", "a>b"]),
      (["b>c", "a>b", "c>d"], ["c>d", "b>c", "a>b"]), (["a>b", "x>y", "b>c", "c>a"], ["a>b b>c c>a", "x>y"]),
    ] as [([String], [String])])
  func `a file takes the path of another one after it has left, or together with it`(
    renames: [String], groups: [String]
  ) {
    #expect(moveGroups(renames) == groups)
  }

  @Test func `a path of one root is not that of another`() {
    let files = [known(1, "a", status(inode: 7)), known(2, "b", status(inode: 8, size: 120))]
    let result = ScanPlan(roots: [
      .init(id: 2, known: [], found: [.init(path: BytePath("b"), status: files[0].status)]),
      .init(id: 1, known: files, found: [.init(path: BytePath("c"), status: files[1].status)]),
    ])
    // Nobody leaves the path that the first one takes.
    #expect(result.moveGroups.map { $0.map(\.known.id) } == [[1], [2]])
  }

  // Faults: 67
  @Test func `files that differ only in their inodes are read, because inodes are reused`() {
    let result = plan(
      [known(1, "a", status(inode: 7)), known(2, "b", status(inode: 8))],
      [("a", status(inode: 8, changed: 5)), ("b", status(inode: 7, changed: 5))])
    #expect(result.moves.isEmpty && result.vanished.isEmpty)
    #expect(result.candidates.map(\.known?.id) == [1, 2])
  }

  @Test func `a file that is replaced under its name is a change, not a loss`() {
    let result = plan([known(1, "a", status(inode: 7))], [("a", status(inode: 9, size: 120))])
    #expect(result.candidates.map(\.known?.id) == [1])
    #expect(result.vanished.isEmpty && result.displaced.isEmpty)
  }

  @Test func `a file moved onto another known path is a move, and the other one did not vanish`() {
    let result = plan(
      [known(1, "a", status(inode: 7)), known(2, "b", status(inode: 8, size: 120))],
      [("b", status(inode: 7, changed: 5))])
    #expect(result.moves.map(\.known.id) == [1])
    // Its row is gone when a copy of it is looked at.
    #expect(result.vanished.isEmpty && result.displaced.isEmpty)
  }

  @Test func `a vanished file is kept for a new one with its recording`() {
    let result = plan([known(1, "a", status(inode: 7))], [("b", status(inode: 9, size: 130))])
    #expect(result.vanished.map(\.known.id) == [1])
    #expect(result.displaced.map(\.known.id) == [1])
    #expect(result.candidates.map(\.known?.id) == [nil])
  }

  @Test func `a missing file that is back as it was needs no reading`() {
    let result = plan([known(1, "a", status(inode: 7), state: .missing)], [("a", status(inode: 7))])
    #expect(result.restated.map(\.known.id) == [1])
    #expect(result.candidates.isEmpty)
  }

  @Test(arguments: [-3, -2])
  func `a file for which a library was missing is tried again once another one is there`(versionNow: Int) {
    let file = known(1, "a", status(inode: 7), state: .unsupported, version: -2)
    let result = plan([file], [("a", status(inode: 7))], versionWithLibraries: versionNow)
    #expect(result.candidates.count == (versionNow == -3 ? 1 : 0))
  }

  @Test(arguments: [FileState.timeout, .crashed, .unsupported])
  func `a file that failed is tried again only by a newer extractor`(state: FileState) {
    let found = [("a", status(inode: 7))]
    #expect(plan([known(1, "a", status(inode: 7), state: state)], found).candidates.isEmpty)
    #expect(plan([known(1, "a", status(inode: 7), state: state, version: 0)], found).candidates.count == 1)
  }

  @Test(arguments: [FileState.unreadable, .pending])
  func `a file that could not be read yet is tried at every scan, and has changed if it was written to`(
    state: FileState
  ) {
    let stored = known(1, "a", status(inode: 7), state: state)
    for (found, isChanged) in [(status(inode: 7), false), (status(inode: 7, size: 8), true), (status(inode: 8), true)] {
      #expect(plan([stored], [("a", found)]).candidates.map(\.isChanged) == [isChanged])
    }
  }

  // Faults: 69
  @Test func `a deep scan opens everything`() {
    #expect(plan([known(1, "a", status(inode: 7))], [("a", status(inode: 7))], isDeep: true).candidates.count == 1)
  }

  @Test(arguments: [FileState.ok, .damaged, .crashed, .timeout, .unsupported])
  func `a file that only a deep scan reads has not changed`(state: FileState) {
    let found = [("a", status(inode: 7))]
    let asked = plan([known(1, "a", status(inode: 7), state: state)], found, isDeep: true).candidates
    #expect(asked.map(\.isRecheck) == [true])
    // An older version may have thought worse of it.
    let older = plan([known(1, "a", status(inode: 7), state: state, version: 0)], found, isDeep: true).candidates
    #expect(older.map(\.isRecheck) == [state == .ok])
    let written = plan([known(1, "a", status(inode: 7, size: 8), state: state)], found, isDeep: true).candidates
    #expect(written.map(\.isRecheck) == [false])
  }

  @Test func `another device number alone is not a change`() {
    var elsewhere = status(inode: 7)
    elsewhere.device = 2
    let result = plan([known(1, "a", status(inode: 7))], [("a", elsewhere)])
    #expect(result.candidates.isEmpty && result.restated.count == 1)
  }

  @Test func `another inode alone is not a change if inodes do not last`() {
    let stored = [known(1, "a", status(inode: 7)), known(2, "b", status(inode: 8, size: 120))]
    // Numbered the other way round, as after a disk was plugged in again.
    let found = [("a", status(inode: 8)), ("b", status(inode: 7, size: 120))]
    #expect(plan(stored, found).candidates.count == 2)
    let result = plan(stored, found, hasLastingInodes: false)
    #expect(result.candidates.isEmpty && result.moves.isEmpty && result.vanished.isEmpty)
    #expect(result.restated.map(\.known.id) == [1, 2])
    let deep = plan(stored, found, isDeep: true, hasLastingInodes: false).candidates
    #expect(deep.map(\.isChanged) == [false, false])
  }

  @Test(arguments: [(101, 1, 1), (100, 2, 1), (100, 1, 2)])
  func `another size, time or change time is read again if inodes do not last`(
    size: Int64, time: Int64, changed: Int64
  ) {
    for inode: UInt64 in [7, 8] {
      let found = [("a", status(inode: inode, size: size, time: time, changed: changed))]
      let result = plan([known(1, "a", status(inode: 7))], found, hasLastingInodes: false)
      #expect(result.candidates.map(\.isChanged) == [true])
      #expect(result.vanished.isEmpty && result.displaced.isEmpty)
    }
  }

  @Test(
    arguments: [
      (0xEF53, true), (0x5846_5342, true), (0x9123_683E, true), (0x0102_1994, true), (0x6969, true), (0x4D44, false),
      (0x2011_BAB0, false), (0x6573_5546, false), (0xFF53_4D42, false), (0xFE53_4D42, false), (0x517B, false),
    ] as [(Int64, Bool)])
  func `inodes do not last on FAT, FUSE and network file systems`(type: Int64, isLasting: Bool) {
    #expect(FileSystemIdentity(type: type, identity: 1).hasLastingInodes == isLasting)
  }
}

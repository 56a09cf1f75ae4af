import MediaImport
import MediaModel
import MediaStore
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
      attempts: 1, extractorVersion: version, recordingID: id)
  }

  private func plan(_ known: [KnownFile], _ found: [(String, FileStatus)], isDeep: Bool = false) -> ScanPlan {
    let files = found.map { DirectoryWalker.File(path: BytePath($0.0), status: $0.1) }
    return ScanPlan(roots: [.init(id: 1, known: known, found: files)], isDeep: isDeep, extractorVersion: 1)
  }

  @Test func `an unchanged file is not opened`() {
    let result = plan([known(1, "a", status(inode: 7))], [("a", status(inode: 7))])
    #expect(result.candidates.isEmpty && result.unchangedCount == 1)
  }

  @Test(arguments: [(101, 1, 1), (100, 2, 1), (100, 1, 2)])
  func `another size, time or change time is read again at its place`(size: Int64, time: Int64, changed: Int64) {
    let result = plan(
      [known(1, "a", status(inode: 7))], [("a", status(inode: 7, size: size, time: time, changed: changed))])
    #expect(result.candidates.map(\.known?.id) == [1])
    #expect(result.vanished.isEmpty)
  }

  @Test func `a renamed file is recognised without opening it`() {
    let result = plan([known(1, "a", status(inode: 7))], [("b", status(inode: 7, changed: 9))])
    #expect(result.candidates.isEmpty && result.vanished.isEmpty)
    #expect(result.moves.map(\.known.id) == [1])
    #expect(result.moves.map(\.path) == [BytePath("b")])
  }

  @Test func `two files that swapped their names are two moves`() {
    let result = plan(
      [known(1, "a", status(inode: 7)), known(2, "b", status(inode: 8, size: 120))],
      [("a", status(inode: 8, size: 120, changed: 5)), ("b", status(inode: 7, changed: 5))])
    #expect(result.candidates.isEmpty && result.vanished.isEmpty)
    #expect(Set(result.moves.map { "\($0.known.id) \($0.path.displayString)" }) == ["1 b", "2 a"])
  }

  @Test func `files that only their inodes tell apart are read: inodes are dealt out anew`() {
    let result = plan(
      [known(1, "a", status(inode: 7)), known(2, "b", status(inode: 8))],
      [("a", status(inode: 8, changed: 5)), ("b", status(inode: 7, changed: 5))])
    #expect(result.moves.isEmpty && result.vanished.isEmpty)
    #expect(result.candidates.map(\.known?.id) == [1, 2])
  }

  @Test func `a file written anew under its name is a change, not a loss`() {
    let result = plan([known(1, "a", status(inode: 7))], [("a", status(inode: 9, size: 120))])
    #expect(result.candidates.map(\.known?.id) == [1])
    #expect(result.vanished.isEmpty && result.displaced.isEmpty)
  }

  @Test func `a file moved onto another known path is a move, and the other one did not vanish`() {
    let result = plan(
      [known(1, "a", status(inode: 7)), known(2, "b", status(inode: 8, size: 120))],
      [("b", status(inode: 7, changed: 5))])
    #expect(result.moves.map(\.known.id) == [1])
    #expect(result.vanished.isEmpty)
  }

  @Test func `a vanished file stays at hand for a new one with its sound`() {
    let result = plan([known(1, "a", status(inode: 7))], [("b", status(inode: 9, size: 130))])
    #expect(result.vanished.map(\.known.id) == [1])
    #expect(result.displaced.map(\.id) == [1])
    #expect(result.candidates.map(\.known?.id) == [nil])
  }

  @Test func `a missing file that is back as it was needs no reading`() {
    let result = plan([known(1, "a", status(inode: 7), state: .missing)], [("a", status(inode: 7))])
    #expect(result.restated.map(\.known.id) == [1])
    #expect(result.candidates.isEmpty)
  }

  @Test(arguments: [FileState.timeout, .crashed, .unsupported])
  func `what failed is tried again by a newer extractor only`(state: FileState) {
    let found = [("a", status(inode: 7))]
    #expect(plan([known(1, "a", status(inode: 7), state: state)], found).candidates.isEmpty)
    #expect(plan([known(1, "a", status(inode: 7), state: state, version: 0)], found).candidates.count == 1)
  }

  @Test(arguments: [FileState.unreadable, .pending])
  func `what could not be read yet is tried at every scan, and has changed when it was written to`(state: FileState) {
    let stored = known(1, "a", status(inode: 7), state: state)
    for (found, isChanged) in [(status(inode: 7), false), (status(inode: 7, size: 8), true), (status(inode: 8), true)] {
      #expect(plan([stored], [("a", found)]).candidates.map(\.isChanged) == [isChanged])
    }
  }

  @Test func `a deep scan opens everything`() {
    #expect(plan([known(1, "a", status(inode: 7))], [("a", status(inode: 7))], isDeep: true).candidates.count == 1)
  }

  @Test(arguments: [FileState.ok, .damaged, .crashed, .timeout, .unsupported])
  func `what a deep scan alone asks for is no change`(state: FileState) {
    let found = [("a", status(inode: 7))]
    let asked = plan([known(1, "a", status(inode: 7), state: state)], found, isDeep: true).candidates
    #expect(asked.map(\.isRecheck) == [true])
    // An older version may have thought worse of it.
    let older = plan([known(1, "a", status(inode: 7), state: state, version: 0)], found, isDeep: true).candidates
    #expect(older.map(\.isRecheck) == [state == .ok])
    let written = plan([known(1, "a", status(inode: 7, size: 8), state: state)], found, isDeep: true).candidates
    #expect(written.map(\.isRecheck) == [false])
  }

  @Test func `another device number alone is no change`() {
    var elsewhere = status(inode: 7)
    elsewhere.device = 2
    let result = plan([known(1, "a", status(inode: 7))], [("a", elsewhere)])
    #expect(result.candidates.isEmpty && result.restated.count == 1)
  }
}

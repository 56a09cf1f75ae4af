import Base
import DecodingService
import Glibc
import LibraryScanning
import LibraryTracks
import MediaModel
import MediaStore
import Testing
import TestSupport
@testable import MediaImport

/// How often the copies of one stream are read that none of them brings.
///
/// The handler of a scan is driven without workers: files of which only headers are wanted are finished at once, and
/// the one that is decoded only when there is nothing else to do.
struct CopiesOfDamagedFilesTests {
  /// How a file ends whose stream is to be decoded.
  enum Ending: CaseIterable {
    case damaged, crashed, written
    /// It is gone when it is opened for the second time.
    case vanished
  }

  private static let identity = StreamIdentity(hash: ContentHash(high: 1, low: 2), byteCount: 800)
  private static let fileCount = 60

  // Faults: 30
  @Test(arguments: Ending.allCases, [2, 5])
  func `each copy is read at most twice, and has its row`(ending: Ending, workerCount: Int) throws {
    let folder = try TemporaryFolder()
    let store = try MediaStore(at: folder.file("library.sqlite"), access: .createIfMissing)
    defer { try? store.close() }
    let root = try store.roots.add(folder.file("music"), volume: nil)
    let found = (0..<Self.fileCount).map { number in
      try? folder.write([1, 2, 3], to: "music/\(number).mp3")
      return BytePath("\(number).mp3")
    }
    let files = DirectoryWalker(root: try FolderDescriptor(opening: root.path), rules: IgnoreRules()).walk().files
    #expect(Set(files.map(\.path)) == Set(found))
    let plan = ScanPlan(roots: [ScanPlan.Root(id: root.id, known: [], found: files)])
    let options = ScanOptions(workers: WorkerPool.Configuration(executable: "/bin/false", workerCount: workerCount))
    let run = LibraryRun(
      store: store, options: options.jobs, stop: .never, log: ReadingLog(logger: .silent), onProgress: { _ in })
    var jobs = ScanJobs(plan, movable: [], options: options, in: run, OpenRoots([]), progress: ScanProgress())

    var openCounts: [BytePath: Int] = [:]
    var storedPaths: Set<BytePath> = []
    var decoding: [OpenedFile] = []
    var lastID = 0
    func take(_ result: FileJobResult) throws {
      let outcome = try jobs.take(result)
      #expect(outcome.again.isEmpty)
      storedPaths.formUnion(outcome.records.map(\.file.path))
    }
    while true {
      if decoding.count < workerCount, case .read(let job) = jobs.nextStep(nil) {
        openCounts[job.path, default: 0] += 1
        if ending == .vanished, openCounts[job.path] == 2 {
          try take(.couldNotOpen(job, SystemError(call: "open", code: ENOENT)))
          storedPaths.insert(job.path)
          continue
        }
        lastID += 1
        let file = OpenedFile(id: lastID, job: job, status: job.status)
        if try jobs.demand(for: file, Self.identity, nil).kinds.isEmpty {
          try take(.finished(file, Extraction(state: .ok, stream: Self.identity), wasWritten: false))
        } else {
          decoding.append(file)
        }
        continue
      }
      guard let file = decoding.popLast() else { break }
      let problem = Problem(code: "corrupt", reason: "corrupt")
      switch ending {
      case .damaged, .vanished:
        let extraction = Extraction(state: .damaged, problem: problem, stream: Self.identity)
        try take(.finished(file, extraction, wasWritten: false))
      case .crashed: try take(.failed(file, Extraction(state: .crashed, problem: problem)))
      case .written:
        try take(.finished(file, Extraction(state: .ok, stream: Self.identity), wasWritten: true))
      }
    }
    #expect(storedPaths == Set(found))
    #expect(openCounts.values.allSatisfy { $0 <= 2 })
    #expect(openCounts.values.reduce(0, +) > Self.fileCount)
  }
}

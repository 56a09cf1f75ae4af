internal import Base
internal import DecodingService
internal import Glibc
internal import LibraryScanning
internal import LibraryTracks
internal import MediaModel

/// A path below a root.
struct PlacedPath: Hashable {
  let rootID: Int64
  let path: BytePath
}

/// A file to be read.
struct FileJob: Sendable {
  var rootID: Int64
  /// Relative to the root.
  var path: BytePath
  /// As it was found or is stored.
  var status: FileStatus
  /// What is known of this path; nil for a new one.
  var known: KnownFile?
  /// How often it was begun, the attempt in progress included.
  var attempts = 0
  /// Whether its worker once showed no progress.
  var hasStalled = false

  var place: PlacedPath { PlacedPath(rootID: rootID, path: path) }
}

/// A file that is being read, or was just read.
struct OpenedFile: Sendable {
  /// Counts the files that were opened.
  let id: Int
  let job: FileJob
  /// Of the file that was really opened.
  let status: FileStatus
}

/// How an attempt to read a file ended.
enum FileJobResult: Sendable {
  case couldNotOpen(FileJob, SystemError)
  /// `wasWritten` says whether the file was written to while it was read.
  case finished(OpenedFile, Extraction, wasWritten: Bool)
  /// The worker was lost, or the system did not give it all of the file.
  case failed(OpenedFile, Extraction)
  /// The worker was killed from outside, by an administrator or the kernel short of memory: the file is worth another
  /// attempt.
  case interrupted(OpenedFile)
  /// The worker showed no progress for the first time: a pause may be the reason, so the file is read again, alone.
  case stalled(OpenedFile)

  var job: FileJob {
    switch self {
    case .couldNotOpen(let job, _): job
    case .finished(let file, _, _), .failed(let file, _), .interrupted(let file), .stalled(let file): file.job
    }
  }
}

/// Opens files and has workers read them: jobs go in, events come out.
///
/// It owns the descriptors, the workers and the count of attempts, and knows nothing of what the results are for.
final class FileJobRunner {
  enum Event: Sendable {
    /// The worker waits for ``FileJobRunner/answer(_:_:)``.
    case identified(OpenedFile, StreamIdentity)
    case ended(FileJobResult)
  }

  private struct Work {
    let file: OpenedFile
    let descriptor: Int32
    var decodedSeconds = 0.0
  }

  /// How often a file whose worker is killed from outside is tried.
  static let maximumAttempts = 3

  private let pool: WorkerPool
  private let roots: OpenRoots
  private let followsLinks: Bool
  private var work: [Int: Work] = [:]
  private var lastID = 0
  /// The file that was opened last.
  private(set) var currentPath: BytePath?

  init(_ workers: WorkerPool.Configuration, roots: OpenRoots, followsLinks: Bool) {
    pool = WorkerPool(workers)
    self.roots = roots
    self.followsLinks = followsLinks
  }

  deinit { stop() }

  var hasIdleWorker: Bool { pool.hasIdleWorker }

  /// Whether no file is being read.
  var isIdle: Bool { work.isEmpty }

  /// As the first worker reported it; nil until then.
  var workerStatus: WorkerStatus? { pool.status }

  /// Seconds of audio decoded of the files that are being read.
  var decodedSeconds: Double { work.values.reduce(0) { $0 + $1.decodedSeconds } }

  /// Opens the file and gives it to an idle worker; returns a result only if the file cannot be opened.
  func start(_ job: FileJob) throws(ScanError) -> FileJobResult? {
    var job = job
    job.attempts += 1
    guard let root = roots[job.rootID] else { return .couldNotOpen(job, SystemError(call: "open", code: ENOENT)) }
    currentPath = root.root.path.appending(job.path)
    let opened: (descriptor: Int32, status: FileStatus)
    do throws(SystemError) {
      opened = try root.folder.openRegularFile(job.path, followsLinks: followsLinks)
    } catch {
      if [EMFILE, ENFILE, ENOMEM].contains(error.code) { throw .exhausted(error) }
      return .couldNotOpen(job, error)
    }
    lastID += 1
    work[lastID] = Work(
      file: OpenedFile(id: lastID, job: job, status: opened.status), descriptor: opened.descriptor)
    let request = WorkerPool.Job(
      id: lastID, descriptor: opened.descriptor, byteCount: opened.status.byteCount,
      pathExtension: job.path.pathExtension)
    do throws(WorkerError) { try pool.start(request) } catch { throw .workers(error) }
    return nil
  }

  /// Tells the worker that identified a file what to do with it.
  func answer(_ file: OpenedFile, _ demand: ReadingDemand) {
    pool.answer(jobID: file.id, kinds: demand.kinds, verifies: demand.verifies)
  }

  /// Waits until something happens, at most `seconds`; returns early when `descriptor` becomes readable.
  func wait(upTo seconds: Double, alsoWatching descriptor: Int32) throws(ScanError) -> [Event] {
    let events: [WorkerPool.Event]
    do throws(WorkerError) { events = try pool.wait(upTo: seconds, alsoWatching: descriptor) } catch {
      throw .workers(error)
    }
    return events.compactMap(event)
  }

  /// Kills the workers and closes the files that they were reading.
  func stop() {
    pool.stop()
    for work in work.values { close(work.descriptor) }
    work = [:]
  }

  private func event(_ event: WorkerPool.Event) -> Event? {
    switch event {
    case .identified(let id, let identity):
      return work[id].map { .identified($0.file, identity) }
    case .progress(let id, let decodedSeconds):
      work[id]?.decodedSeconds = decodedSeconds
      return nil
    case .finished(let id, let extraction):
      guard let done = work.removeValue(forKey: id) else { return nil }
      var information = stat()
      let wasWritten = fstat(done.descriptor, &information) != 0 || FileStatus(information) != done.file.status
      close(done.descriptor)
      return .ended(.finished(done.file, extraction, wasWritten: wasWritten))
    case .failed(let id, let extraction, let wasKilledFromOutside):
      guard let lost = work.removeValue(forKey: id) else { return nil }
      close(lost.descriptor)
      if extraction.state == .timeout, extraction.problem?.code == WorkerPool.stalledCode, !lost.file.job.hasStalled {
        return .ended(.stalled(lost.file))
      }
      let isTriedAgain = wasKilledFromOutside && lost.file.job.attempts < Self.maximumAttempts
      return .ended(isTriedAgain ? .interrupted(lost.file) : .failed(lost.file, extraction))
    }
  }
}

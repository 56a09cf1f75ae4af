internal import Glibc
internal import MediaModel
internal import MediaStore

/// Opens files, hands them to the workers, and tells a ``FileReader`` what comes of each: what scans and reanalyses share.
final class FileReading {
  /// A file in work, or just done.
  struct File {
    var candidate: ScanPlan.Candidate
    /// Of the file that was really opened.
    var status: FileStatus
    /// How often it was begun, this time included.
    var attempts: Int
    /// Whether somebody wrote to it while it was read.
    var wasWritten = false
  }

  private struct Task {
    var file: File
    var descriptor: Int32
    var decodedSeconds = 0.0
  }

  /// How often a file whose worker is killed from outside is tried.
  private static let maximumAttempts = 3

  let pool: WorkerPool
  let log: ReadingLog
  private(set) var progress: ScanProgress
  private let roots: [Int64: OpenRoot]
  private let followsLinks: Bool
  private let stop: StopSignal
  private let onProgress: (ScanProgress) -> Void
  private var again: [(candidate: ScanPlan.Candidate, attempts: Int)] = []
  private var tasks: [Int: Task] = [:]
  private var nextJobID = 0
  private let startedAt = monotonicSeconds()
  /// Seconds of the files that are done.
  private var finishedSeconds = 0.0

  /// - Parameter progress: Where the work stands, with its totals.
  init(
    _ workers: WorkerPool.Configuration, roots: [OpenRoot], followsLinks: Bool, stop: StopSignal,
    log: ReadingLog, progress: ScanProgress, onProgress: @escaping (ScanProgress) -> Void
  ) {
    pool = WorkerPool(workers)
    self.roots = Dictionary(roots.map { ($0.root.id, $0) }, uniquingKeysWith: { first, _ in first })
    self.followsLinks = followsLinks
    self.stop = stop
    self.log = log
    self.progress = progress
    self.progress.phase = .reading
    self.onProgress = onProgress
  }

  /// Reads all files that the reader names, or as many as come before the stop signal; what is finished is stored in
  /// either case, and where workers fail, too.
  func run(for reader: some FileReader) throws(ScanError) {
    defer {
      pool.stop()
      for task in tasks.values { close(task.descriptor) }
    }
    do throws(ScanError) {
      try readAll(for: reader)
    } catch {
      // Of a library that cannot be written to, more would not be stored.
      if case .store = error {} else { try? reader.commit(atEnd: true) }
      throw error
    }
    try reader.commit(atEnd: true)
    showProgress()
  }

  private func readAll(for reader: some FileReader) throws(ScanError) {
    while true {
      while stop.number == nil, pool.hasIdleWorker, let next = try nextFile(of: reader) {
        try begin(next.candidate, next.attempts, for: reader)
      }
      if stop.number != nil || tasks.isEmpty { return }
      showProgress()
      let events = try working { () throws(WorkerPool.Failure) in
        try pool.wait(upTo: 0.25, alsoWatching: stop.descriptor)
      }
      for event in events { try handle(event, for: reader) }
      try reader.commit(atEnd: false)
    }
  }

  /// Has a file read once more, before all that were not begun yet.
  ///
  /// - Parameter countsAttempt: Whether the last time was an attempt of its own.
  func readAgain(_ file: File, countsAttempt: Bool = false) {
    again.append((file.candidate, file.attempts - (countsAttempt ? 0 : 1)))
  }

  /// Counts a file as done.
  func noteDone(byteCount: Int64, problemCount: Int) {
    progress.doneCount += 1
    progress.doneByteCount += byteCount
    progress.problemCount = problemCount
  }

  /// Counts what was decoded of a file that is done.
  func noteDecoded(seconds: Double) { finishedSeconds += seconds }

  /// Where a file is, for people.
  func path(of candidate: ScanPlan.Candidate) -> BytePath {
    path(candidate.path, inRoot: candidate.rootID)
  }

  func path(_ path: BytePath, inRoot id: Int64) -> BytePath { roots[id]?.root.path.appending(path) ?? path }

  /// Shows files that came to be done without being read.
  func showProgress() {
    progress.elapsedInSeconds = monotonicSeconds() - startedAt
    progress.decodedSeconds = finishedSeconds + tasks.values.reduce(0) { $0 + $1.decodedSeconds }
    onProgress(progress)
  }

  private func nextFile(of reader: some FileReader) throws(ScanError) -> (
    candidate: ScanPlan.Candidate, attempts: Int
  )? {
    if let next = again.popLast() { return next }
    return try reader.nextFile().map { ($0, 0) }
  }

  private func begin(_ candidate: ScanPlan.Candidate, _ attempts: Int, for reader: some FileReader) throws(ScanError) {
    guard let root = roots[candidate.rootID] else {
      return try reader.couldNotOpen(candidate, SystemError(call: "open", code: ENOENT), attempts: attempts + 1)
    }
    progress.currentPath = root.root.path.appending(candidate.path)
    let opened: (descriptor: Int32, status: FileStatus)
    do throws(SystemError) {
      opened = try root.folder.openRegularFile(candidate.path, followsLinks: followsLinks)
    } catch {
      if [EMFILE, ENFILE, ENOMEM].contains(error.code) { throw .exhausted(error) }
      return try reader.couldNotOpen(candidate, error, attempts: attempts + 1)
    }
    nextJobID += 1
    tasks[nextJobID] = Task(
      file: File(candidate: candidate, status: opened.status, attempts: attempts + 1), descriptor: opened.descriptor)
    let job = WorkerPool.Job(
      id: nextJobID, descriptor: opened.descriptor, byteCount: opened.status.byteCount,
      pathExtension: candidate.path.pathExtension)
    try working { () throws(WorkerPool.Failure) in try pool.start(job) }
  }

  private func handle(_ event: WorkerPool.Event, for reader: some FileReader) throws(ScanError) {
    switch event {
    case .identified(let jobID, let identity):
      guard let task = tasks[jobID] else { return }
      pool.answer(jobID: jobID, kinds: try reader.kinds(for: jobID, task.file.candidate, identity))
    case .progress(let jobID, let decodedSeconds):
      tasks[jobID]?.decodedSeconds = decodedSeconds
    case .finished(let jobID, let extraction):
      guard var task = tasks.removeValue(forKey: jobID) else { return }
      var information = stat()
      task.file.wasWritten = fstat(task.descriptor, &information) != 0 || FileStatus(information) != task.file.status
      close(task.descriptor)
      try reader.finish(jobID, task.file, extraction)
    case .failed(let jobID, let extraction, let wasKilledFromOutside):
      guard let task = tasks.removeValue(forKey: jobID) else { return }
      close(task.descriptor)
      // Killed by somebody else (the administrator, the kernel short of memory): worth another try, but not for ever.
      let isTriedAgain = wasKilledFromOutside && task.file.attempts < Self.maximumAttempts
      try reader.abandon(jobID, task.file, isTriedAgain ? nil : extraction)
      if isTriedAgain {
        log.decided(path(of: task.file.candidate), .worker) {
          "its worker was killed by somebody else; attempt \(task.file.attempts + 1) of \(Self.maximumAttempts)"
        }
        readAgain(task.file, countsAttempt: true)
      }
    }
  }

  private func working<Result>(_ body: () throws(WorkerPool.Failure) -> Result) throws(ScanError) -> Result {
    do throws(WorkerPool.Failure) { return try body() } catch { throw .workers(error) }
  }
}

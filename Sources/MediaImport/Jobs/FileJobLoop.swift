internal import Base
package import DecodingService
package import MediaModel
internal import MediaStore

/// How files are read, and what is computed from them.
package struct FileJobOptions: Sendable {
  package var workers: WorkerPool.Configuration
  /// The products that are wanted.
  package var kinds: Set<ProductKind> = Set(ProductKind.allCases)

  package init(workers: WorkerPool.Configuration) { self.workers = workers }

  /// Without Chromaprint if no fingerprints are wanted: it makes the start of a worker slower.
  var configuration: WorkerPool.Configuration {
    var configuration = workers
    configuration.makesFingerprints = kinds.contains(.fingerprint)
    return configuration
  }
}

/// What a scan and a reanalysis decide for themselves: which files are read, what is made of each, and what is stored.
///
/// It sees only values: the ``FileJobLoop`` calls it, and it calls nothing but the store.
protocol FileJobHandler {
  /// A result that is not stored yet.
  associatedtype Record

  /// Where the work stands, apart from the files that are being read.
  var progress: ScanProgress { get }

  /// What to do next; called again after each step.
  ///
  /// - Parameter workers: nil until the first worker has reported.
  mutating func nextStep(_ workers: WorkerStatus?) throws(ScanError) -> FileJobStep<Record>

  /// What to make of a file, now that its stream is known.
  mutating func demand(
    for file: OpenedFile, _ identity: StreamIdentity, _ workers: WorkerStatus?
  ) throws(ScanError) -> ReadingDemand

  /// Decides what comes of a result.
  mutating func take(_ result: FileJobResult) throws(ScanError) -> FileJobOutcome<Record>

  /// Stores results in one transaction.
  mutating func store(_ records: [Record]) throws(ScanError)

  /// The size of the products and pictures in a result, and what its other rows cost in such bytes.
  static func byteCount(of record: Record) -> Int
}

/// What a worker does with a file that it has identified.
struct ReadingDemand {
  /// The products to make; if there are none, only headers and tags are read.
  var kinds: Set<ProductKind>
  /// Whether to decode losslessly compressed files in any case, and to compare the checksum of their samples.
  var verifies = false
}

enum FileJobStep<Record> {
  case read(FileJob)
  /// Something was done without reading a file.
  case done([Record])
  /// There is nothing to do, at least until a file that is being read is finished.
  case none
}

/// What comes of a result.
struct FileJobOutcome<Record> {
  var records: [Record] = []
  /// Files that are read once more; the last attempt does not count.
  var again: [FileJob] = []
}

/// The library, and what surrounds one run over it.
struct LibraryRun {
  let store: MediaStore
  let options: FileJobOptions
  let stop: StopSignal
  let log: ReadingLog
  let onProgress: (ScanProgress) -> Void
  private let startedAt = monotonicSeconds()

  init(
    store: MediaStore, options: FileJobOptions, stop: StopSignal, log: ReadingLog,
    onProgress: @escaping (ScanProgress) -> Void
  ) {
    self.store = store
    self.options = options
    self.stop = stop
    self.log = log
    self.onProgress = onProgress
  }

  var elapsedInSeconds: Double { monotonicSeconds() - startedAt }

  /// Runs all jobs of a handler, or as many as come before the stop signal.
  ///
  /// In both cases, and if workers fail, all finished results are stored.
  ///
  /// - Returns: The handler at the end, and what the first worker reported.
  func runJobs<Handler: FileJobHandler>(
    of handler: consuming Handler, in roots: OpenRoots, followsLinks: Bool
  ) throws(ScanError) -> (handler: Handler, workers: WorkerStatus?) {
    let runner = FileJobRunner(options.configuration, roots: roots, followsLinks: followsLinks)
    defer { runner.stop() }
    var loop = FileJobLoop(self, runner, roots, handler)
    try loop.runAll()
    return (loop.handler, runner.workerStatus)
  }
}

/// Moves values between the handler of a scan or a reanalysis, the runner of its jobs, and the store.
private struct FileJobLoop<Handler: FileJobHandler> {
  private(set) var handler: Handler
  private let run: LibraryRun
  private let runner: FileJobRunner
  private let roots: OpenRoots
  /// Files to be read once more, before all that were not begun yet.
  private var again: [FileJob] = []
  /// Files whose worker once showed no progress: each is read when no other is.
  private var alone: [FileJob] = []
  private var batch = ResultBatch<Handler.Record>()
  private var growth = LogGrowth()
  private let startedAt = monotonicSeconds()

  init(_ run: LibraryRun, _ runner: FileJobRunner, _ roots: OpenRoots, _ handler: consuming Handler) {
    self.run = run
    self.runner = runner
    self.roots = roots
    self.handler = handler
  }

  /// Runs until nothing is left to do or the stop signal comes.
  mutating func runAll() throws(ScanError) {
    do throws(ScanError) {
      try readAll()
    } catch {
      // If the library cannot be written to, another attempt would fail, too.
      if case .store = error {} else { try? commit(atEnd: true) }
      throw error
    }
    try commit(atEnd: true)
    showProgress()
  }

  private mutating func readAll() throws(ScanError) {
    while true {
      try startJobs()
      if run.stop.number != nil || runner.isIdle { return }
      showProgress()
      for event in try runner.wait(upTo: 0.25, alsoWatching: run.stop.descriptor) {
        switch event {
        case .identified(let file, let identity):
          runner.answer(file, try handler.demand(for: file, identity, runner.workerStatus))
        case .ended(let result): try take(result)
        }
      }
      try commit()
    }
  }

  private mutating func startJobs() throws(ScanError) {
    while run.stop.number == nil, runner.hasIdleWorker {
      if let job = again.popLast() {
        try start(job)
        continue
      }
      switch try handler.nextStep(runner.workerStatus) {
      case .read(let job): try start(job)
      case .done(let records):
        add(records)
        try commit()
        showProgress()
      case .none:
        guard runner.isIdle, let job = alone.popLast() else { return }
        try start(job)
      }
    }
  }

  private mutating func start(_ job: FileJob) throws(ScanError) {
    if let result = try runner.start(job) { try take(result) }
  }

  private mutating func take(_ result: FileJobResult) throws(ScanError) {
    let outcome = try handler.take(result)
    add(outcome.records)
    for var job in outcome.again {
      job.attempts -= 1
      again.append(job)
    }
    if case .interrupted(let file) = result {
      run.log.decided(roots.path(of: file.job), .worker) {
        "its worker was killed from outside; attempt \(file.job.attempts + 1) of \(FileJobRunner.maximumAttempts)"
      }
      again.append(file.job)
    }
    if case .stalled(let file) = result {
      run.log.decided(roots.path(of: file.job), .worker) {
        "its worker made no progress; it is read again, alone"
      }
      var job = file.job
      job.hasStalled = true
      alone.append(job)
    }
  }

  private mutating func add(_ records: [Handler.Record]) {
    for record in records { batch.append(record, byteCount: Handler.byteCount(of: record)) }
  }

  /// Stores what is finished; all of it at the end, otherwise only when it is due.
  private mutating func commit(atEnd: Bool = false) throws(ScanError) {
    guard atEnd ? !batch.isEmpty : batch.isDue else { return }
    try handler.store(batch.results)
    growth.check(run.store, run.log)
    batch = ResultBatch()
  }

  private func showProgress() {
    var progress = handler.progress
    progress.phase = .reading
    progress.currentPath = runner.currentPath
    progress.elapsedInSeconds = monotonicSeconds() - startedAt
    progress.decodedSeconds += runner.decodedSeconds
    run.onProgress(progress)
  }
}

/// Results that are not stored yet: they are committed together, because a transaction costs as much as a file.
private struct ResultBatch<Result> {
  private static var maximumCount: Int { 64 }
  private static var maximumByteCount: Int { 16 << 20 }
  private static var maximumAgeInSeconds: Double { 2 }

  private(set) var results: [Result] = []
  private var byteCount = 0
  private var startedAt = monotonicSeconds()

  var isEmpty: Bool { results.isEmpty }

  var isDue: Bool {
    !results.isEmpty
      && (results.count >= Self.maximumCount || byteCount >= Self.maximumByteCount
        || monotonicSeconds() - startedAt >= Self.maximumAgeInSeconds)
  }

  mutating func append(_ result: Result, byteCount: Int) {
    if results.isEmpty { startedAt = monotonicSeconds() }
    self.byteCount += byteCount
    results.append(result)
  }
}

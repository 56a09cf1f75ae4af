internal import Glibc
internal import MediaModel
internal import MediaStore

/// The part of a scan that opens files: hands them to the workers, decides what each must make, and stores the results.
///
/// A sound is decoded once: a file whose payload is already known, or is being decoded by another worker at this moment,
/// gets its tags read and nothing more.
final class FileReading {
  /// A file in work.
  struct Task {
    var candidate: ScanPlan.Candidate
    var descriptor: Int32
    /// Of the file that was really opened.
    var status: FileStatus
    var attempts: Int
    var decodedSeconds = 0.0
    /// Known once the worker has identified the sound.
    var hash: ContentHash?
    /// Set where the sound was known before this file was read, or will be once another file is done.
    var sameSound: ContentHash?
  }

  let scan: LibraryScan
  let pool: WorkerPool
  let folders: [Int64: RootVisit]
  var queue: [(candidate: ScanPlan.Candidate, attempts: Int)]
  var tasks: [Int: Task] = [:]
  /// The job that decodes a sound which is not stored yet, or not as exactly.
  var decodingJobs: [ContentHash: (jobID: Int, statesEncoderDelay: Bool)] = [:]
  /// Finished files that wait for the sound that another job decodes.
  var waiting: [ContentHash: [(task: Task, extraction: Extraction)]] = [:]
  /// What is known of sounds of which the store may not know yet.
  var decoded: [ContentHash: DecodedSound] = [:]
  /// Rows without a place, by their sound: a new file with that sound takes the row over.
  var displaced: [Int64: [KnownFile]]
  var batch = ChangeBatch()
  private var nextJobID = 0
  private let startedAt = monotonicSeconds()
  /// Seconds of the files that are done.
  private var finishedSeconds = 0.0

  init(scan: LibraryScan, plan: ScanPlan, visits: [RootVisit]) {
    self.scan = scan
    var workers = scan.options.workers
    workers.makesFingerprints = scan.options.kinds.contains(.fingerprint)
    pool = WorkerPool(workers)
    folders = Dictionary(visits.map { ($0.root.id, $0) }, uniquingKeysWith: { first, _ in first })
    queue = plan.candidates.reversed().map { ($0, 0) }
    displaced = Dictionary(
      grouping: plan.displaced.filter { $0.recordingID != nil }, by: { $0.recordingID ?? 0 })
    scan.progress.phase = .reading
    scan.progress.totalCount = plan.candidates.count
    scan.progress.totalByteCount = plan.candidates.reduce(0) { $0 + $1.status.byteCount }
  }

  /// Reads all candidates, or as many as come before the stop signal; what is finished is stored in either case.
  func run() throws(ScanError) {
    defer {
      pool.stop()
      for task in tasks.values { close(task.descriptor) }
    }
    while !queue.isEmpty || !tasks.isEmpty {
      while scan.stop.number == nil, pool.hasIdleWorker, let next = queue.popLast() {
        try begin(next.candidate, next.attempts)
      }
      if scan.stop.number != nil { break }
      showProgress()
      guard pool.isBusy else { continue }
      let events = try working { () throws(WorkerPool.Failure) in
        try pool.wait(upTo: 0.25, alsoWatching: scan.stop.descriptor)
      }
      for event in events { try handle(event) }
      if batch.isDue { try commit() }
    }
    try commit()
    scan.report.sandbox = pool.status?.sandbox
    showProgress()
  }

  private func begin(_ candidate: ScanPlan.Candidate, _ attempts: Int) throws(ScanError) {
    guard let visit = folders[candidate.rootID] else { return }
    scan.progress.currentPath = visit.root.path.appending(candidate.path)
    let opened: (descriptor: Int32, status: FileStatus)
    do throws(SystemError) {
      opened = try visit.folder.openRegularFile(candidate.path, followsLinks: scan.options.followsLinks)
    } catch {
      switch error.code {
      case ENOENT, ENOTDIR: noteDone(candidate)  // Gone since the walk: the next scan will see.
      case EMFILE, ENFILE, ENOMEM: throw .exhausted(error)
      default:
        let problem = Problem(code: "unreadable", reason: error.description)
        store(candidate, candidate.status, Extraction(state: .unreadable, problem: problem), attempts: attempts + 1)
      }
      return
    }
    nextJobID += 1
    tasks[nextJobID] = Task(
      candidate: candidate, descriptor: opened.descriptor, status: opened.status, attempts: attempts)
    let job = WorkerPool.Job(
      id: nextJobID, descriptor: opened.descriptor, byteCount: opened.status.byteCount,
      pathExtension: candidate.path.pathExtension)
    try working { () throws(WorkerPool.Failure) in try pool.start(job) }
  }

  private func handle(_ event: WorkerPool.Event) throws(ScanError) {
    switch event {
    case .identified(let jobID, let identity):
      pool.answer(jobID: jobID, kinds: try kindsToMake(jobID: jobID, identity))
    case .progress(let jobID, let decodedSeconds):
      tasks[jobID]?.decodedSeconds = decodedSeconds
    case .finished(let jobID, let extraction):
      guard let task = tasks.removeValue(forKey: jobID) else { return }
      try finish(task, extraction, jobID: jobID)
    case .failed(let jobID, let extraction, let wasKilledFromOutside):
      guard let task = tasks.removeValue(forKey: jobID) else { return }
      close(task.descriptor)
      release(soundOf: jobID)
      // Killed by somebody else (the administrator, the kernel short of memory): worth another try, but not for ever.
      if wasKilledFromOutside && task.attempts + 1 < 3 {
        queue.append((task.candidate, task.attempts + 1))
      } else {
        store(task.candidate, task.status, extraction, attempts: task.attempts + 1)
      }
    }
  }

  /// Which products a sound lacks; remembers who decodes it.
  ///
  /// A sound that was decoded without knowing the encoder's delay is decoded again where a file states it.
  private func kindsToMake(jobID: Int, _ identity: Identity) throws(ScanError) -> Set<ProductKind> {
    let hash = identity.hash
    tasks[jobID]?.hash = hash
    // A file with junk in its midst is judged by itself, and nobody waits for it.
    guard identity.isIntact else { return scan.options.kinds }
    if let known = try knownSound(hash), known.speaks(for: identity) {
      let missing = scan.options.kinds.filter { kind in
        // What cannot be made here is no reason to decode anything again.
        guard pool.status?.makes(kind) != false else { return false }
        let recipe = ProductRecipe.current(kind)
        return !known.products.contains {
          $0.kind == kind && recipe.accepts(version: $0.version, parameters: $0.parameters)
        }
      }
      guard !missing.isEmpty else {
        tasks[jobID]?.sameSound = hash
        decoded[hash] = known
        return []
      }
      decodingJobs[hash] = (jobID, identity.statesEncoderDelay)
      return missing
    }
    if let other = decodingJobs[hash], other.statesEncoderDelay || !identity.statesEncoderDelay {
      tasks[jobID]?.sameSound = hash
      return []
    }
    decodingJobs[hash] = (jobID, identity.statesEncoderDelay)
    return scan.options.kinds
  }

  /// A sound that was decoded, in this scan or before.
  private func knownSound(_ hash: ContentHash) throws(ScanError) -> DecodedSound? {
    if let sound = decoded[hash] { return sound }
    let recording = try scan.storing { () throws(StoreError) in try scan.store.recording(hash: hash) }
    guard let recording, recording.format?.decodedFrameCount != nil else { return nil }
    // A deep scan also finds products whose bytes are not what was written; they are made anew.
    let products = recording.products.filter { !scan.options.isDeep || isReadable($0.kind, recording.id) }
    return DecodedSound(
      state: recording.state, problem: recording.problem, format: recording.format, products: products)
  }

  private func isReadable(_ kind: ProductKind, _ recordingID: Int64) -> Bool {
    kind == .measures || (try? scan.store.product(kind, ofRecording: recordingID)) != nil
  }

  private func finish(_ task: Task, _ extraction: Extraction, jobID: Int) throws(ScanError) {
    var extraction = extraction
    var information = stat()
    let isUnchanged = fstat(task.descriptor, &information) == 0 && FileStatus(information) == task.status
    close(task.descriptor)
    guard isUnchanged else {
      release(soundOf: jobID)
      let problem = Problem(code: "changed", reason: "was written to while it was read; the next scan finishes it")
      extraction = Extraction(state: .pending, problem: problem, tags: extraction.tags)
      return store(task.candidate, task.status, extraction, attempts: task.attempts + 1)
    }
    if let hash = task.sameSound {
      if let sound = decoded[hash] {
        storeCopy(task, extraction, of: sound)
      } else {
        waiting[hash, default: []].append((task, extraction))
      }
      return
    }
    if extraction.format?.decodedFrameCount != nil, extraction.state == .ok || extraction.state == .damaged {
      scan.report.summary.decodedFiles += 1
      let seconds = extraction.format?.durationInSeconds ?? 0
      scan.report.summary.audioInSeconds += seconds
      finishedSeconds += seconds
    }
    guard let hash = extraction.payloadHash else {
      return store(task.candidate, task.status, extraction, attempts: task.attempts + 1)
    }
    let sound = DecodedSound(extraction)
    if let known = try knownSound(hash), known.isBetter(than: sound) {
      // The sound is known from a file that is whole, or that states the encoder's delay; the state is this file's own.
      extraction.products = []
      extraction.measures = nil
      extraction.format = nil
      store(task.candidate, task.status, extraction, attempts: task.attempts + 1)
    } else {
      decoded[hash] = sound
      store(task.candidate, task.status, extraction, attempts: task.attempts + 1)
    }
    guard decodingJobs[hash]?.jobID == jobID else { return }
    decodingJobs[hash] = nil
    for copy in waiting.removeValue(forKey: hash) ?? [] {
      if sound.state == .ok {
        storeCopy(copy.task, copy.extraction, of: decoded[hash] ?? sound)
      } else {
        queue.append((copy.task.candidate, copy.task.attempts))
      }
    }
  }

  /// Stores a file whose sound another file brought: its own tags, the other's format and state.
  private func storeCopy(_ task: Task, _ extraction: Extraction, of sound: DecodedSound) {
    var extraction = extraction
    extraction.state = sound.state
    extraction.problem = sound.problem
    extraction.format = sound.format
    store(task.candidate, task.status, extraction, attempts: task.attempts + 1)
  }

  /// The file that was to bring a sound did not: those that waited for it are read again.
  private func release(soundOf jobID: Int) {
    for (hash, job) in decodingJobs where job.jobID == jobID {
      decodingJobs[hash] = nil
      for copy in waiting.removeValue(forKey: hash) ?? [] { queue.append((copy.task.candidate, copy.task.attempts)) }
    }
  }

  private func store(_ candidate: ScanPlan.Candidate, _ status: FileStatus, _ extraction: Extraction, attempts: Int) {
    batch.append(
      FileRecord(
        rootID: candidate.rootID, path: candidate.path, status: Self.settled(status), extraction: extraction,
        attempts: attempts, extractorVersion: ExtractorVersion.current, movedFrom: nil),
      isNewPath: candidate.known == nil)
    if extraction.problem != nil { scan.report.summary.problems += 1 }
    noteDone(candidate)
  }

  /// A file that was written to within a clock tick of being read could change once more without a trace: its stored time
  /// is spoilt, so that the next scan looks at it again.
  private static func settled(_ status: FileStatus) -> FileStatus {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME_COARSE, &now)
    let age = Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec) - status.modificationTimeInNanoseconds
    let tick: Int64 = status.modificationTimeInNanoseconds % 1_000_000_000 == 0 ? 2_000_000_000 : 10_000_000
    guard age >= 0, age < tick else { return status }
    var racy = status
    racy.changeTimeInNanoseconds = 0
    return racy
  }

  private func noteDone(_ candidate: ScanPlan.Candidate) {
    scan.progress.doneCount += 1
    scan.progress.doneByteCount += candidate.status.byteCount
    scan.progress.problemCount = scan.report.summary.problems
  }

  /// Writes what is finished, in one transaction.
  private func commit() throws(ScanError) {
    guard !batch.isEmpty else { return }
    let changes = try scan.storing { () throws(StoreError) in
      try batch.changes { hash throws(StoreError) in try takeDisplaced(soundOf: hash) }
    }
    try scan.storing { () throws(StoreError) in try scan.store.apply(changes) }
    batch = ChangeBatch()
    // The store knows the rest now; only sounds that a file in work refers to are still needed here.
    let needed = Set(tasks.values.compactMap(\.hash))
    decoded = decoded.filter { needed.contains($0.key) }
  }

  /// The id of a row without a place whose sound this is, if there is one; it will not be offered again.
  private func takeDisplaced(soundOf hash: ContentHash) throws(StoreError) -> Int64? {
    guard !displaced.isEmpty, let recording = try scan.store.recording(hash: hash) else { return nil }
    guard let row = displaced[recording.id]?.popLast() else { return nil }
    scan.foundAgain.insert(row.id)
    scan.report.summary.moved += 1
    scan.report.summary.new -= 1
    return row.id
  }

  private func showProgress() {
    scan.progress.elapsedInSeconds = monotonicSeconds() - startedAt
    scan.progress.decodedSeconds = finishedSeconds + tasks.values.reduce(0) { $0 + $1.decodedSeconds }
    scan.onProgress(scan.progress)
  }

  private func working<Result>(_ body: () throws(WorkerPool.Failure) -> Result) throws(ScanError) -> Result {
    do throws(WorkerPool.Failure) { return try body() } catch { throw .workers(error) }
  }
}

internal import Glibc
internal import MediaModel
internal import MediaStore

/// The part of a scan that has files read: decides what each must make, and stores the results.
///
/// A sound is decoded once: a file whose payload is already known, or is being decoded by another worker at this moment,
/// gets its tags read and nothing more.
final class ScanReading: FileReader {
  /// A finished file that waits for the sound that another one brings.
  private typealias Copy = (file: FileReading.File, extraction: Extraction)

  private let scan: LibraryScan
  private let reading: FileReading
  private var queue: [ScanPlan.Candidate]
  /// The sounds of the files in work that are identified.
  private var hashes: [Int: ContentHash] = [:]
  /// Files in work whose sound was known before they were read, or will be once another file is done.
  private var sharingJobs: Set<Int> = []
  /// The job that decodes a sound which is not stored yet, or not as exactly.
  private var decodingJobs: [ContentHash: (jobID: Int, statesEncoderDelay: Bool)] = [:]
  private var waiting: [ContentHash: [Copy]] = [:]
  /// What is known of sounds of which the store may not know yet.
  private var decoded: [ContentHash: DecodedSound] = [:]
  /// Rows without a place, by their sound: a new file with that sound takes the row over.
  private var displaced: [Int64: [KnownFile]]
  private var batch = ResultBatch<(record: FileRecord, isNewPath: Bool)>()
  private var growth = LogGrowth()

  init(scan: LibraryScan, plan: ScanPlan, visits: [RootVisit]) {
    self.scan = scan
    var workers = scan.options.workers
    workers.makesFingerprints = scan.options.kinds.contains(.fingerprint)
    var progress = scan.progress
    progress.totalCount = plan.candidates.count
    progress.totalByteCount = plan.candidates.reduce(0) { $0 + $1.status.byteCount }
    reading = FileReading(
      workers, roots: visits.map(\.place), followsLinks: scan.options.followsLinks, stop: scan.stop,
      log: scan.log, progress: progress, onProgress: scan.onProgress)
    queue = plan.candidates.reversed()
    let movable = plan.displaced.filter { rootID, file in
      file.recordingID != nil && visits.contains { $0.root.id == rootID && scan.mayHaveMoved(file, from: $0) }
    }
    displaced = Dictionary(grouping: movable.map(\.known), by: { $0.recordingID ?? 0 })
  }

  /// Reads all candidates, or as many as come before the stop signal; what is finished is stored in either case.
  func run() throws(ScanError) {
    try reading.run(for: self)
    scan.report.sandbox = reading.pool.status?.sandbox
    scan.report.unreadCount = reading.progress.totalCount - reading.progress.doneCount
  }

  func nextFile() -> ScanPlan.Candidate? {
    guard let candidate = queue.popLast() else { return nil }
    scan.log.decided(reading.path(of: candidate), .find) { "is read: \(candidate.cause)" }
    return candidate
  }

  func couldNotOpen(_ candidate: ScanPlan.Candidate, _ error: SystemError, attempts: Int) {
    // Gone since the walk: the next scan will see.
    if error.code == ENOENT || error.code == ENOTDIR { return noteDone(candidate) }
    let problem = Problem(code: "unreadable", reason: error.description)
    let file = FileReading.File(candidate: candidate, status: candidate.status, attempts: attempts)
    store(file, Extraction(state: .unreadable, problem: problem), stage: .open)
  }

  /// Which products a sound lacks; remembers who decodes it.
  ///
  /// A sound that was decoded without knowing the encoder's delay is decoded again where a file states it.
  func kinds(for jobID: Int, _ candidate: ScanPlan.Candidate, _ identity: Identity) throws(ScanError)
    -> Set<ProductKind>
  {
    hashes[jobID] = identity.hash
    let (kinds, reason) = try choice(for: jobID, identity)
    scan.log.decided(reading.path(of: candidate), .identify) {
      if kinds.isEmpty { return "only its tags are read: \(reason)" }
      if kinds == scan.options.kinds { return "is decoded: \(reason)" }
      return "is decoded for \(kinds.sorted().map(\.rawValue).joined(separator: ", ")): \(reason)"
    }
    return kinds
  }

  /// What to make, and why.
  private func choice(for jobID: Int, _ identity: Identity) throws(ScanError) -> (Set<ProductKind>, reason: String) {
    let hash = identity.hash
    // A file with junk in its midst is judged by itself, and nobody waits for it.
    guard identity.isIntact else { return (scan.options.kinds, "it has junk in its midst") }
    if let known = try knownSound(hash), known.isAuthoritative(for: identity) {
      let missing = scan.options.kinds.filter { kind in
        // What cannot be made here is no reason to decode anything again.
        guard reading.pool.status?.makes(kind) != false else { return false }
        let recipe = ProductRecipe.current(kind)
        return !known.products.contains {
          $0.kind == kind && recipe.accepts(version: $0.version, parameters: $0.parameters)
        }
      }
      // What a file without the encoder's delay would bring lies elsewhere than what is known.
      guard !missing.isEmpty, identity.statesEncoderDelay || known.format?.delayFrameCount == nil else {
        sharingJobs.insert(jobID)
        if decodingJobs[hash] == nil { decoded[hash] = known }
        return ([], "the library knows its sound")
      }
      if decodingJobs[hash] == nil {
        decodingJobs[hash] = (jobID, identity.statesEncoderDelay)
        return (missing, "the library knows its sound, but not these of it")
      }
    }
    if let other = decodingJobs[hash], other.statesEncoderDelay || !identity.statesEncoderDelay {
      sharingJobs.insert(jobID)
      return ([], "another file with its sound is being decoded")
    }
    decodingJobs[hash] = (jobID, identity.statesEncoderDelay)
    return (scan.options.kinds, "its sound is new")
  }

  func finish(_ jobID: Int, _ file: FileReading.File, _ extraction: Extraction) throws(ScanError) {
    let hash = hashes.removeValue(forKey: jobID)
    let isShared = sharingJobs.remove(jobID) != nil
    guard !file.wasWritten else {
      release(soundOf: jobID)
      let problem = Problem(code: "changed", reason: "was written to while it was read; the next scan finishes it")
      return store(file, Extraction(state: .pending, problem: problem, tags: extraction.tags), stage: .decode)
    }
    if let hash, isShared {
      switch decoded[hash] {
      case let sound? where sound.state == .ok: storeCopy((file, extraction), of: sound)
      // What the other file lacks, or did not come to bring, this one may have.
      case _ where decodingJobs[hash] == nil: reading.readAgain(file)
      default: waiting[hash, default: []].append((file, extraction))
      }
      return
    }
    if extraction.format?.decodedFrameCount != nil, extraction.state == .ok || extraction.state == .damaged {
      scan.report.summary.decodedFiles += 1
      let seconds = extraction.format?.durationInSeconds ?? 0
      scan.report.summary.audioInSeconds += seconds
      reading.noteDecoded(seconds: seconds)
    }
    try storeDecoded(file, extraction, jobID: jobID)
  }

  private func storeDecoded(_ file: FileReading.File, _ extraction: Extraction, jobID: Int) throws(ScanError) {
    guard let hash = extraction.payloadHash else { return store(file, extraction) }
    var extraction = extraction
    var sound = DecodedSound(extraction)
    let known = try knownSound(hash)
    if let known, known.isBetter(than: sound) {
      // The sound is known from a file that is whole, or that states the encoder's delay; the state is this file's own.
      extraction.products = []
      extraction.measures = nil
      extraction.format = nil
    } else {
      sound.keepProducts(of: known)
      decoded[hash] = sound
    }
    store(file, extraction)
    guard decodingJobs[hash]?.jobID == jobID else { return }
    decodingJobs[hash] = nil
    for copy in waiting.removeValue(forKey: hash) ?? [] {
      if sound.state == .ok { storeCopy(copy, of: decoded[hash] ?? sound) } else { reading.readAgain(copy.file) }
    }
  }

  func abandon(_ jobID: Int, _ file: FileReading.File, _ extraction: Extraction?) {
    hashes[jobID] = nil
    sharingJobs.remove(jobID)
    release(soundOf: jobID)
    if let extraction { store(file, extraction, stage: .worker) }
  }

  /// The file that was to bring a sound did not: those that waited for it are read again.
  private func release(soundOf jobID: Int) {
    for (hash, job) in decodingJobs where job.jobID == jobID {
      decodingJobs[hash] = nil
      for copy in waiting.removeValue(forKey: hash) ?? [] { reading.readAgain(copy.file) }
    }
  }

  // MARK: - What is known

  /// A sound that was decoded, in this scan or before.
  private func knownSound(_ hash: ContentHash) throws(ScanError) -> DecodedSound? {
    if let sound = decoded[hash] { return sound }
    let recording = try storing { () throws(StoreError) in try scan.store.recording(hash: hash) }
    guard let recording, recording.format?.decodedFrameCount != nil else { return nil }
    // A deep scan also finds products whose bytes are not what was written; they are made anew.
    let products = recording.products.filter { !scan.options.isDeep || isReadable($0.kind, recording.id) }
    return DecodedSound(
      state: recording.state, problem: recording.problem, format: recording.format, products: products)
  }

  private func isReadable(_ kind: ProductKind, _ recordingID: Int64) -> Bool {
    kind == .measures || (try? scan.store.product(kind, ofRecording: recordingID)) != nil
  }

  // MARK: - Storing

  /// Stores a file whose sound another file brought: its own tags, the other's format and state.
  private func storeCopy(_ copy: Copy, of sound: DecodedSound) {
    var extraction = copy.extraction
    extraction.state = sound.state
    extraction.problem = sound.problem
    extraction.format = sound.format
    store(copy.file, extraction)
  }

  /// - Parameter stage: Where its problem came up, if it has one.
  private func store(_ file: FileReading.File, _ extraction: Extraction, stage: ReadingLog.Stage = .decode) {
    let candidate = file.candidate
    if let problem = extraction.problem { scan.log.failed(reading.path(of: candidate), stage, problem) }
    let record = FileRecord(
      rootID: candidate.rootID, path: candidate.path, status: Self.settled(file.status), extraction: extraction,
      attempts: file.attempts, extractorVersion: ExtractorVersion.current, movedFrom: nil)
    let byteCount =
      extraction.products.reduce(0) { $0 + $1.bytes.count } + extraction.artwork.reduce(0) { $0 + $1.bytes.count }
    batch.append((record, isNewPath: candidate.known == nil), byteCount: byteCount)
    if extraction.problem != nil { scan.report.summary.problems += 1 }
    noteDone(candidate)
  }

  /// A file that was written to within a clock tick of being read could change once more without a trace: its stored time
  /// is spoilt, so that the next scan looks at it again.
  private static func settled(_ status: FileStatus) -> FileStatus {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME_COARSE, &now)
    let nanoseconds = Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
    // Times from other centuries are no neighbours.
    let (age, isFar) = nanoseconds.subtractingReportingOverflow(status.modificationTimeInNanoseconds)
    let tick: Int64 = status.modificationTimeInNanoseconds % 1_000_000_000 == 0 ? 2_000_000_000 : 10_000_000
    guard !isFar, age >= 0, age < tick else { return status }
    var racy = status
    racy.changeTimeInNanoseconds = 0
    return racy
  }

  private func noteDone(_ candidate: ScanPlan.Candidate) {
    reading.noteDone(byteCount: candidate.status.byteCount, problemCount: scan.report.summary.problems)
  }

  /// Writes what is finished, in one transaction.
  func commit(atEnd: Bool) throws(ScanError) {
    guard !batch.isEmpty, atEnd || batch.isDue else { return }
    let changes = try changes()
    try storing { () throws(StoreError) in try scan.store.apply(changes) }
    growth.look(at: scan.store, scan.log)
    batch = ResultBatch()
    // The store knows the rest now; only sounds that a file in work refers to are still needed here.
    let needed = Set(hashes.values)
    decoded = decoded.filter { needed.contains($0.key) }
  }

  /// The changes for the store; a new path whose sound belongs to a row without a place takes that row over.
  private func changes() throws(ScanError) -> [FileChange] {
    var changes: [FileChange] = []
    for (record, isNewPath) in batch.results {
      var record = record
      if isNewPath, let hash = record.extraction.payloadHash {
        let row = try storing { () throws(StoreError) in try takeDisplaced(soundOf: hash) }
        record.movedFrom = row?.id
        if let row {
          scan.log.decided(reading.path(record.path, inRoot: record.rootID), .store) {
            "was \(row.path.displayString), by its sound"
          }
        }
      }
      changes.append(.extracted(record))
    }
    return changes
  }

  /// A row without a place whose sound this is, if there is one; it will not be offered again.
  private func takeDisplaced(soundOf hash: ContentHash) throws(StoreError) -> KnownFile? {
    guard !displaced.isEmpty, let recording = try scan.store.recording(hash: hash) else { return nil }
    guard let row = displaced[recording.id]?.popLast() else { return nil }
    scan.foundAgain.insert(row.id)
    scan.report.summary.moved += 1
    scan.report.summary.new -= 1
    return row
  }
}

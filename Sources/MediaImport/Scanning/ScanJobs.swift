internal import Base
internal import DecodingService
internal import Glibc
internal import MediaModel
internal import MediaStore

/// The part of a scan that has files read: it decides what is made of each, and stores the results.
///
/// A recording is decoded once: if it is already in the library, or another worker is decoding it at this moment, only
/// the tags of the file are read.
struct ScanJobs: FileJobHandler {
  struct Record {
    var file: FileRecord
    var isNewPath: Bool
  }

  /// What the jobs add to the report of the scan.
  struct Totals {
    var decodedFileCount = 0
    var audioInSeconds = 0.0
    var problemCount = 0
    /// Files without a place whose recording turned up at a new path: they moved there.
    var foundAgain: Set<Int64> = []
  }

  /// A finished file that waits for another one with the same recording.
  private typealias Copy = (file: OpenedFile, extraction: Extraction)

  private(set) var progress: ScanProgress
  private(set) var totals = Totals()
  private let store: MediaStore
  private let wantedKinds: Set<ProductKind>
  private let log: ReadingLog
  private let roots: OpenRoots
  /// The first one last.
  private var queue: [ScanPlan.Candidate]
  private var recordings: KnownRecordings
  /// The recordings of the files that are being read and are identified, by the file's id.
  private var hashes: [Int: ContentHash] = [:]
  /// Files that are being read for their tags only: their recording is known, or will be when another file is finished.
  private var sharingFiles: Set<Int> = []
  /// The file that is decoded for a recording that is not stored yet, or not as exactly.
  private var decodingFiles: [ContentHash: (id: Int, statesEncoderDelay: Bool)] = [:]
  private var waiting: [ContentHash: [Copy]] = [:]
  /// Known files without a place, by recording: a new file with the same recording takes over the row.
  private var displaced: [Int64: [KnownFile]]

  /// - Parameters:
  ///   - movable: Known files without a place that may be found at a new path.
  ///   - progress: Of the scan so far.
  init(
    _ plan: ScanPlan, movable: [KnownFile], isDeep: Bool, in run: LibraryRun, _ roots: OpenRoots,
    progress: ScanProgress
  ) {
    store = run.store
    wantedKinds = run.options.kinds
    log = run.log
    self.roots = roots
    queue = plan.candidates.reversed()
    recordings = KnownRecordings(in: run.store, readsProducts: isDeep)
    displaced = Dictionary(grouping: movable.filter { $0.recordingID != nil }, by: { $0.recordingID ?? 0 })
    self.progress = progress
    self.progress.totalCount = plan.candidates.count
    self.progress.totalByteCount = plan.candidates.reduce(0) { $0 + $1.status.byteCount }
    self.progress.problemCount = plan.keptProblemCount
  }

  // MARK: - Choosing

  mutating func nextStep(_ workers: WorkerStatus?) -> FileJobStep<Record> {
    guard let candidate = queue.popLast() else { return .none }
    log.decided(roots.path(of: candidate.job), .find) { "is read: \(candidate.cause)" }
    return .read(candidate.job)
  }

  mutating func kinds(
    for file: OpenedFile, _ identity: StreamIdentity, _ workers: WorkerStatus?
  ) throws(ScanError) -> Set<ProductKind> {
    hashes[file.id] = identity.hash
    let (kinds, reason) = try choice(for: file.id, identity, workers)
    log.decided(roots.path(of: file.job), .identify) {
      if kinds.isEmpty { return "only its tags are read: \(reason)" }
      if kinds == wantedKinds { return "is decoded: \(reason)" }
      return "is decoded for \(kinds.sorted().map(\.rawValue).joined(separator: ", ")): \(reason)"
    }
    return kinds
  }

  /// What to make, and why; remembers who decodes a recording.
  ///
  /// A recording that was decoded without knowing the encoder's delay is decoded again if a file states it.
  private mutating func choice(
    for id: Int, _ identity: StreamIdentity, _ workers: WorkerStatus?
  ) throws(ScanError) -> (Set<ProductKind>, reason: String) {
    let hash = identity.hash
    // A file with junk in its stream is judged by itself, and no other file waits for it.
    guard identity.isIntact else { return (wantedKinds, "it has junk in its stream") }
    if let known = try recordings.recording(hash), known.isAuthoritative(for: identity) {
      // Products that cannot be made on this machine are no reason to decode again.
      let missing = known.missing(of: wantedKinds).filter { workers?.makes($0) != false }
      // A decode without the encoder's delay would not be aligned with what is stored.
      guard !missing.isEmpty, identity.statesEncoderDelay || known.format?.delayFrameCount == nil else {
        sharingFiles.insert(id)
        if decodingFiles[hash] == nil { recordings.remember(known, hash) }
        return ([], "its recording is already in the library")
      }
      if decodingFiles[hash] == nil {
        decodingFiles[hash] = (id, identity.statesEncoderDelay)
        return (missing, "its recording is already in the library, but without these products")
      }
    }
    if let other = decodingFiles[hash], other.statesEncoderDelay || !identity.statesEncoderDelay {
      sharingFiles.insert(id)
      return ([], "another file with its recording is being decoded")
    }
    decodingFiles[hash] = (id, identity.statesEncoderDelay)
    return (wantedKinds, "a new recording")
  }

  // MARK: - Results

  mutating func take(_ result: FileJobResult) throws(ScanError) -> FileJobOutcome<Record> {
    switch result {
    case .couldNotOpen(let job, let error): couldNotOpen(job, error)
    case .finished(let file, let extraction, let wasWritten): try finish(file, extraction, wasWritten: wasWritten)
    case .failed(let file, let extraction):
      FileJobOutcome(
        records: [record(of: file, extraction, stage: .worker)], again: abandon(file))
    case .interrupted(let file): FileJobOutcome(again: abandon(file))
    }
  }

  private mutating func couldNotOpen(_ job: FileJob, _ error: SystemError) -> FileJobOutcome<Record> {
    // It vanished after the walk: the next scan will notice.
    if error.code == ENOENT || error.code == ENOTDIR {
      noteDone(job)
      return FileJobOutcome()
    }
    let problem = Problem(code: "unreadable", reason: error.description)
    let extraction = Extraction(state: .unreadable, problem: problem)
    return FileJobOutcome(records: [record(of: job, status: job.status, extraction, stage: .open)])
  }

  private mutating func finish(
    _ file: OpenedFile, _ extraction: Extraction, wasWritten: Bool
  ) throws(ScanError) -> FileJobOutcome<Record> {
    guard !wasWritten else {
      let again = abandon(file)
      let problem = Problem(code: "changed", reason: "was written to while it was read; the next scan finishes it")
      let pending = Extraction(state: .pending, problem: problem, tags: extraction.tags)
      return FileJobOutcome(records: [record(of: file, pending)], again: again)
    }
    let hash = hashes.removeValue(forKey: file.id)
    if sharingFiles.remove(file.id) != nil, let hash { return share((file, extraction), hash) }
    if extraction.format?.decodedFrameCount != nil, extraction.state == .ok || extraction.state == .damaged {
      let seconds = extraction.format?.durationInSeconds ?? 0
      totals.decodedFileCount += 1
      totals.audioInSeconds += seconds
      progress.decodedSeconds += seconds
    }
    return try finishDecoding(file, extraction)
  }

  /// Stores a file of which only the tags were read, or has it wait for the file that is decoded, or read again.
  private mutating func share(_ copy: Copy, _ hash: ContentHash) -> FileJobOutcome<Record> {
    if let recording = recordings.remembered(hash), recording.state == .ok {
      return FileJobOutcome(records: [record(of: copy, recording)])
    }
    // What the other file did not bring, this one may have.
    if decodingFiles[hash] == nil { return FileJobOutcome(again: [copy.file.job]) }
    waiting[hash, default: []].append(copy)
    return FileJobOutcome()
  }

  private mutating func finishDecoding(
    _ file: OpenedFile, _ extraction: Extraction
  ) throws(ScanError) -> FileJobOutcome<Record> {
    guard let hash = extraction.streamHash else { return FileJobOutcome(records: [record(of: file, extraction)]) }
    var extraction = extraction
    var recording = DecodedRecording(extraction)
    let known = try recordings.recording(hash)
    if let known, known.isBetter(than: recording) {
      // What is stored comes from a file that is whole, or that states the encoder's delay; the state is this file's
      // own.
      extraction.products = []
      extraction.measures = nil
      extraction.format = nil
    } else {
      recording.keepProducts(of: known)
      recordings.remember(recording, hash)
    }
    var outcome = FileJobOutcome(records: [record(of: file, extraction)])
    guard decodingFiles[hash]?.id == file.id else { return outcome }
    decodingFiles[hash] = nil
    for copy in waiting.removeValue(forKey: hash) ?? [] {
      if recording.state == .ok {
        outcome.records.append(record(of: copy, recordings.remembered(hash) ?? recording))
      } else {
        outcome.again.append(copy.file.job)
      }
    }
    return outcome
  }

  /// Forgets a file that brings no recording; returns the files that waited for it.
  private mutating func abandon(_ file: OpenedFile) -> [FileJob] {
    hashes[file.id] = nil
    sharingFiles.remove(file.id)
    var again: [FileJob] = []
    for (hash, decoding) in decodingFiles where decoding.id == file.id {
      decodingFiles[hash] = nil
      again += (waiting.removeValue(forKey: hash) ?? []).map(\.file.job)
    }
    return again
  }

  // MARK: - Storing

  /// A file whose recording another file brought: its own tags and state, the other's format.
  private mutating func record(of copy: Copy, _ recording: DecodedRecording) -> Record {
    var extraction = copy.extraction
    if extraction.state == .ok {
      extraction.problem = Self.contradiction(of: extraction.format, to: recording.format) ?? recording.problem
      extraction.state = extraction.problem == nil ? recording.state : .damaged
    }
    extraction.format = recording.format
    return record(of: copy.file, extraction)
  }

  /// What decoding a copy would find: a FLAC header that promises another length than its frames have. In other
  /// containers a length also trims, so copies of a recording may have different ones.
  private static func contradiction(of copy: MediaFormat?, to decoded: MediaFormat?) -> Problem? {
    guard let copy, copy.container == .flac, let declared = copy.declaredFrameCount,
      let count = decoded?.decodedFrameCount, let rate = decoded?.sampleRateInHz, declared != count
    else { return nil }
    return count < declared
      ? .truncated(frameCount: count, declaredFrameCount: declared, sampleRateInHz: rate)
      : .longerThanHeader(frameCount: count, declaredFrameCount: declared, sampleRateInHz: rate)
  }

  private mutating func record(
    of file: OpenedFile, _ extraction: Extraction, stage: ReadingLog.Stage = .decode
  ) -> Record {
    record(of: file.job, status: file.status, extraction, stage: stage)
  }

  /// - Parameter stage: Where its problem occurred, if it has one.
  private mutating func record(
    of job: FileJob, status: FileStatus, _ extraction: Extraction, stage: ReadingLog.Stage
  ) -> Record {
    if let problem = extraction.problem {
      log.failed(roots.path(of: job), stage, problem)
      totals.problemCount += 1
      progress.problemCount += 1
    }
    noteDone(job)
    return Record(
      file: FileRecord(
        rootID: job.rootID, path: job.path, status: Self.statusToStore(status), extraction: extraction,
        attempts: job.attempts, extractorVersion: ExtractorVersion.current, movedFrom: nil),
      isNewPath: job.known == nil)
  }

  private mutating func noteDone(_ job: FileJob) {
    progress.doneCount += 1
    progress.doneByteCount += job.status.byteCount
  }

  /// A file that is read within a clock tick of being written could change again without a visible trace: its stored
  /// time is invalidated, so that the next scan reads it again.
  private static func statusToStore(_ status: FileStatus) -> FileStatus {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME_COARSE, &now)
    let nanoseconds = Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
    // Times centuries away overflow: they are not recent.
    let (age, isFar) = nanoseconds.subtractingReportingOverflow(status.modificationTimeInNanoseconds)
    let tick: Int64 = status.modificationTimeInNanoseconds % 1_000_000_000 == 0 ? 2_000_000_000 : 10_000_000
    guard !isFar, age >= 0, age < tick else { return status }
    var racy = status
    racy.changeTimeInNanoseconds = 0
    return racy
  }

  static func byteCount(of record: Record) -> Int {
    let extraction = record.file.extraction
    return extraction.products.reduce(0) { $0 + $1.bytes.count }
      + extraction.artwork.reduce(0) { $0 + $1.bytes.count }
  }

  mutating func store(_ records: [Record]) throws(ScanError) {
    var changes: [FileChange] = []
    for record in records { changes.append(.extracted(try takingOver(record))) }
    try storing { () throws(StoreError) in try store.apply(changes) }
    recordings.forget(allBut: Set(hashes.values))
  }

  /// A file at a new path takes over the row of a known file without a place that has the same recording, if there is
  /// one.
  private mutating func takingOver(_ record: Record) throws(ScanError) -> FileRecord {
    var file = record.file
    guard record.isNewPath, !displaced.isEmpty, let hash = file.extraction.streamHash else { return file }
    let recording = try storing { () throws(StoreError) in try store.recording(hash: hash) }
    guard let recording, let row = displaced[recording.id]?.popLast() else { return file }
    file.movedFrom = row.id
    totals.foundAgain.insert(row.id)
    log.decided(roots.path(file.path, inRoot: file.rootID), .store) {
      "was \(row.path.displayString): the same recording"
    }
    return file
  }
}

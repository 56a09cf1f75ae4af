internal import Base
internal import DecodingService
internal import Glibc
internal import LibraryScanning
internal import LibraryTracks
internal import MediaModel
internal import MediaStore

/// The part of a scan that has files read: it decides what is made of each, and stores the results.
///
/// A stream is decoded once: if it is already in the library, or another worker is decoding it at this moment, only the
/// headers and tags of the file are read. What is stored in the end does not depend on the order of the files.
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
    var verifiedCount = 0
    /// New files that are no sounds by their bytes nor by their names.
    var otherCount = 0
    /// What became of recordings about which users decided something.
    var identities: [IdentityChange] = []
  }

  /// A finished file that waits for another one with the same stream.
  private typealias Copy = (file: OpenedFile, extraction: Extraction)

  private(set) var progress: ScanProgress
  private(set) var totals = Totals()
  private let store: MediaStore
  private let wantedKinds: Set<ProductKind>
  private let verifies: Bool
  private let log: ReadingLog
  private let roots: OpenRoots
  /// The first one last.
  private var queue: [ScanPlan.Candidate]
  private var recordings: KnownRecordings
  /// The streams of the files that are being read and are identified, by the file's id.
  private var identities: [Int: StreamIdentity] = [:]
  /// Files that are not decoded: their stream is known, or will be when another file is finished.
  private var sharingFiles: Set<Int> = []
  /// The file that is decoded for a stream that is not stored yet, or by a lesser declaration.
  private var decodingFiles: [ContentHash: (id: Int, declaration: StreamDeclaration)] = [:]
  private var waiting: [ContentHash: [Copy]] = [:]
  /// Files that waited in vain, and are read again: the first of them decodes the stream for the others that wait.
  private var successors: [PlacedPath: ContentHash] = [:]
  /// Files whose bytes changed while size and times did not.
  private var rottenFiles: Set<Int> = []
  private var displaced: DisplacedFiles
  /// Why files are not read, by their path.
  private let crashed: [BytePath: String]

  /// - Parameters:
  ///   - crashed: Why files must not be read, by their path in the root.
  ///   - movable: Known files without a place that may be found at a new path.
  ///   - progress: Of the scan so far.
  init(
    _ plan: ScanPlan, crashed: [BytePath: String] = [:], movable: [KnownFile], options: ScanOptions, in run: LibraryRun,
    _ roots: OpenRoots, progress: ScanProgress
  ) {
    store = run.store
    wantedKinds = run.options.kinds
    verifies = options.verifies
    log = run.log
    self.roots = roots
    queue = plan.candidates.reversed()
    recordings = KnownRecordings(in: run.store, readsProducts: options.isDeep)
    displaced = DisplacedFiles(movable)
    self.crashed = crashed
    self.progress = progress
    self.progress.newCount = plan.candidates.count { $0.known == nil }
    self.progress.totalCount = plan.candidates.count
    self.progress.totalByteCount = plan.candidates.reduce(0) { $0 + $1.status.byteCount }
    self.progress.problemCount = plan.keptProblemCount
  }

  // MARK: - Choosing

  mutating func nextStep(_ workers: WorkerStatus?) -> FileJobStep<Record> {
    if let job = nextSuccessor() { return .read(job) }
    guard let candidate = queue.popLast() else { return .none }
    if let reason = crashed[candidate.path] {
      let extraction = Extraction(state: .crashed, problem: Problem(code: "quarantine", reason: reason))
      return .done([record(of: candidate.job, status: candidate.status, extraction, stage: .open)])
    }
    log.decided(roots.path(of: candidate.job), .find) { "is read: \(candidate.cause)" }
    return .read(candidate.job)
  }

  /// A file that waited for another one, which did not bring the recording.
  ///
  /// One at a time: as many copies of a damaged file as there are cost two readings each.
  private mutating func nextSuccessor() -> FileJob? {
    let leaderless = waiting.keys.first { hash in
      decodingFiles[hash] == nil && !successors.values.contains(hash)
    }
    guard let hash = leaderless, var job = waiting[hash]?.popLast()?.file.job else { return nil }
    if waiting[hash]?.isEmpty == true { waiting[hash] = nil }
    // That it waited was no attempt.
    job.attempts -= 1
    successors[job.place] = hash
    return job
  }

  mutating func demand(
    for file: OpenedFile, _ identity: StreamIdentity, _ workers: WorkerStatus?
  ) throws(ScanError) -> ReadingDemand {
    identities[file.id] = identity
    if verifies, try isRotten(file, identity) {
      rottenFiles.insert(file.id)
      return ReadingDemand(kinds: [], verifies: true)
    }
    let (kinds, reason) = try choice(for: file, identity, workers)
    log.decided(roots.path(of: file.job), .identify) {
      if kinds.isEmpty { return "only its headers and tags are read: \(reason)" }
      if kinds == wantedKinds { return "is decoded: \(reason)" }
      return "is decoded for \(kinds.sorted().map(\.rawValue).joined(separator: ", ")): \(reason)"
    }
    return ReadingDemand(kinds: kinds, verifies: verifies)
  }

  /// Whether a file has other bytes than when it was read, although nobody wrote to it.
  private func isRotten(_ file: OpenedFile, _ identity: StreamIdentity) throws(ScanError) -> Bool {
    guard let known = file.job.known, known.status == file.status else { return false }
    let stored = try storing { () throws(StoreError) in try store.recordings.streamHash(ofFile: known.id) }
    guard let stored, stored.version == identity.hashVersion else { return false }
    return stored.hash != identity.hash
  }

  /// What to make, and why; remembers who decodes a stream.
  private mutating func choice(
    for file: OpenedFile, _ identity: StreamIdentity, _ workers: WorkerStatus?
  ) throws(ScanError) -> (Set<ProductKind>, reason: String) {
    let hash = identity.hash
    if let known = try recordings.recording(identity, in: file.job) {
      // Products that cannot be made on this machine are no reason to decode again.
      let missing = known.missing(of: wantedKinds).filter { workers?.makes($0) != false }
      // Another declaration would not be aligned with what is stored.
      guard !missing.isEmpty, identity.declaration == known.declaration else {
        sharingFiles.insert(file.id)
        if decodingFiles[hash] == nil { recordings.remember(known, hash) }
        return ([], "its stream is already in the library")
      }
      if decodingFiles[hash] == nil {
        decodingFiles[hash] = (file.id, identity.declaration)
        return (missing, "its stream is already in the library, but without these products")
      }
    }
    if let other = decodingFiles[hash], other.declaration >= identity.declaration {
      sharingFiles.insert(file.id)
      return ([], "another file with its stream is being decoded")
    }
    decodingFiles[hash] = (file.id, identity.declaration)
    return (wantedKinds, "a new stream, or one that this file describes better")
  }

  // MARK: - Results

  mutating func take(_ result: FileJobResult) throws(ScanError) -> FileJobOutcome<Record> {
    successors[result.job.place] = nil
    switch result {
    case .couldNotOpen(let job, let error): return couldNotOpen(job, error)
    case .finished(let file, let extraction, let wasWritten):
      return try finish(file, extraction, wasWritten: wasWritten)
    case .failed(let file, let extraction):
      abandon(file)
      return FileJobOutcome(records: [record(of: file, extraction, stage: .worker)])
    case .interrupted(let file), .stalled(let file):
      abandon(file)
      return FileJobOutcome()
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
      abandon(file)
      let problem = Problem(code: "changed", reason: "was modified while it was read; the next scan finishes it")
      let pending = Extraction(state: .pending, problem: problem, tags: extraction.tags)
      return FileJobOutcome(records: [record(of: file, pending)])
    }
    if extraction.isNoSound, file.job.known == nil {
      totals.otherCount += 1
      noteDone(file.job)
      return FileJobOutcome()
    }
    let identity = identities.removeValue(forKey: file.id)
    if rottenFiles.remove(file.id) != nil { return FileJobOutcome(records: [rotten(file, extraction)]) }
    if sharingFiles.remove(file.id) != nil, let identity { return share((file, extraction), identity.hash) }
    if extraction.decoded != nil {
      let seconds = extraction.format?.durationInSeconds ?? 0
      totals.decodedFileCount += 1
      totals.audioInSeconds += seconds
      progress.decodedCount += 1
      progress.decodedSeconds += seconds
    }
    return try finishDecoding(file, extraction)
  }

  /// A file whose bytes changed by themselves keeps all that is known of it.
  private mutating func rotten(_ file: OpenedFile, _ extraction: Extraction) -> Record {
    let found = extraction.decoded?.problem ?? extraction.problem
    var reason = "its bytes have changed since the last read, although its size and times are the same"
    if let found { reason += " (\(found.reason))" }
    let problem = Problem(code: "bit-rot", reason: reason, positionInSeconds: found?.positionInSeconds)
    var record = record(of: file, Extraction(state: .damaged, problem: problem))
    record.file.keepsContent = true
    return record
  }

  /// Stores a file of which only the headers and tags were read, or has it wait for the file that is decoded, or read
  /// again.
  private mutating func share(_ copy: Copy, _ hash: ContentHash) -> FileJobOutcome<Record> {
    if decodingFiles[hash] == nil {
      guard let recording = recordings.remembered(hash) else { return FileJobOutcome(again: [copy.file.job]) }
      return FileJobOutcome(records: [record(of: copy, recording)])
    }
    // What the other file does not bring, this one may have.
    waiting[hash, default: []].append(copy)
    return FileJobOutcome()
  }

  private mutating func finishDecoding(
    _ file: OpenedFile, _ extraction: Extraction
  ) throws(ScanError) -> FileJobOutcome<Record> {
    guard let identity = extraction.stream else { return FileJobOutcome(records: [record(of: file, extraction)]) }
    let hash = identity.hash
    var extraction = extraction
    var isDecoded = false
    if var recording = DecodedRecording(extraction) {
      isDecoded = true
      if let known = recordings.remembered(hash), known.declaration > recording.declaration {
        // Another file that describes the stream better was decoded at the same time.
        extraction.products = []
        extraction.measures = nil
        extraction.decoded = nil
      } else {
        recording.keepProducts(of: try recordings.recording(identity, in: file.job))
        recordings.remember(recording, hash)
      }
    }
    var outcome = FileJobOutcome(records: [record(of: file, extraction)])
    guard decodingFiles[hash]?.id == file.id else { return outcome }
    decodingFiles[hash] = nil
    guard isDecoded, let recording = recordings.remembered(hash) else { return outcome }
    for copy in waiting.removeValue(forKey: hash) ?? [] { outcome.records.append(record(of: copy, recording)) }
    return outcome
  }

  /// Forgets a file that brings no recording; of those that waited for it, one becomes its successor.
  private mutating func abandon(_ file: OpenedFile) {
    identities[file.id] = nil
    rottenFiles.remove(file.id)
    sharingFiles.remove(file.id)
    for (hash, decoding) in decodingFiles where decoding.id == file.id { decodingFiles[hash] = nil }
  }

  // MARK: - Storing

  private mutating func record(of copy: Copy, _ recording: DecodedRecording) -> Record {
    record(of: copy.file, copy.extraction.sharing(recording))
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
        rootID: job.rootID, path: job.path, status: status.storable(at: .coarseNow),
        extraction: bounded(extraction, of: job).withSettledParts, attempts: job.attempts,
        extractorVersion: ExtractorVersion.stored(with: extraction.problem),
        verifiedAt: verifies && isVerified(job, status, extraction) ? Int64(time(nil)) : nil),
      isNewPath: job.known == nil)
  }

  /// What is stored of a file's tags and pictures. The notes of the file say that it is not all, the log how much it is.
  private func bounded(_ extraction: Extraction, of job: FileJob) -> Extraction {
    var result = extraction
    result.tags = extraction.tags.bounded
    var byteCount = 0
    result.artwork = extraction.artwork.filter { picture in
      guard byteCount + picture.bytes.count <= Self.maximumPictureByteCount else { return false }
      byteCount += picture.bytes.count
      return true
    }
    guard result.tags != extraction.tags || result.artwork.count < extraction.artwork.count else { return extraction }
    if !result.notes.contains(Tags.truncatedNote) { result.notes.append(Tags.truncatedNote) }
    log.decided(roots.path(of: job), .decode) {
      """
      keeps \(result.tags.valueCount) of the \(extraction.tags.valueCount) values of its tags, \
      \(result.tags.byteCount) of their \(extraction.tags.byteCount) bytes, and \
      \(result.artwork.count) of its \(extraction.artwork.count) pictures
      """
    }
    return result
  }

  /// Of all pictures of a file: others wait for the transaction that stores them.
  private static var maximumPictureByteCount: Int { 64 << 20 }

  /// Whether all bytes were compared with what was read before, or with the file's own checksum of its samples.
  private mutating func isVerified(_ job: FileJob, _ status: FileStatus, _ extraction: Extraction) -> Bool {
    guard extraction.state == .ok, let stream = extraction.stream else { return false }
    let stored = job.known.flatMap { known in try? store.recordings.streamHash(ofFile: known.id) }
    guard stored?.hash == stream.hash || extraction.isChecked else { return false }
    totals.verifiedCount += 1
    return true
  }

  private mutating func noteDone(_ job: FileJob) {
    progress.doneCount += 1
    progress.doneByteCount += job.status.byteCount
  }

  static func byteCount(of record: Record) -> Int {
    let extraction = record.file.extraction
    let partCount = extraction.parts?.parts.count ?? 0
    return extraction.products.reduce(0) { $0 + $1.bytes.count }
      + extraction.artwork.reduce(0) { $0 + $1.bytes.count }
      + extraction.tags.byteCount * costOfTextByte + extraction.tags.valueCount * costOfTag + partCount * costOfPart
  }

  // What storing them takes, in bytes of products: texts go into the search index, tags and parts are rows. The most that
  // one file can have of each fills a batch.
  private static var costOfTextByte: Int { 32 }
  private static var costOfTag: Int { 1600 }
  private static var costOfPart: Int { 4096 }

  mutating func store(_ records: [Record]) throws(ScanError) {
    var changes: [FileChange] = []
    for record in records { changes.append(.extracted(try takingOver(record))) }
    totals.identities += try storing { () throws(StoreError) in try store.scans.apply(changes) }
    recordings.forget(allBut: Set(identities.values.map(\.hash)))
  }

  /// The record, which takes over the row of a displaced file if one has the same recording.
  private mutating func takingOver(_ record: Record) throws(ScanError) -> FileRecord {
    var file = record.file
    guard record.isNewPath, let row = try displaced.take(for: file.extraction, in: store) else { return file }
    file.movedFrom = row.id
    totals.foundAgain.insert(row.id)
    log.decided(roots.path(file.path, inRoot: file.rootID), .store) {
      "was \(row.path.displayString): the same recording"
    }
    return file
  }
}

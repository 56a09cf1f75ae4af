internal import Base
internal import DecodingService
internal import LibraryScanning
internal import LibraryTracks
internal import MediaModel
internal import MediaStore

/// The roots of a library as a reanalysis finds them.
struct ReanalysisRoots {
  let open: OpenRoots
  /// Why the folder of a root cannot be opened.
  let away: [Int64: ReanalysisReport.Skipped.Reason]
  /// Roots whose folder is on another disk than when it was scanned, or empty.
  let displaced: Set<Int64>

  /// Opens the folders.
  init(_ roots: [Root]) {
    var open: [OpenRoot] = []
    var away: [Int64: ReanalysisReport.Skipped.Reason] = [:]
    var displaced: Set<Int64> = []
    for root in roots {
      do throws(SystemError) {
        let folder = try FolderDescriptor(opening: root.path)
        let isOnOtherDisk = root.volume.map { $0 != FileSystemIdentity(of: folder)?.text } ?? false
        if isOnOtherDisk || folder.isEmpty { displaced.insert(root.id) }
        open.append(OpenRoot(root, folder: folder))
      } catch {
        away[root.id] = .rootAway(root.path, error)
      }
    }
    self.open = OpenRoots(open)
    self.away = away
    self.displaced = displaced
  }
}

/// The part of a reanalysis that makes products: from stored ones if possible, otherwise from a file with the
/// recording.
struct ReanalysisJobs: FileJobHandler {
  typealias Record = ReanalysedRecording
  private typealias SkipReason = ReanalysisReport.Skipped.Reason

  /// A recording that is being made, with the files that were not tried yet, the best one last.
  private struct Work {
    var item: ReanalysisPlan.Item
    var files: [FileJob]
    /// Whether one of its files is in a folder or on a disk that is not there.
    var isAway: Bool
    /// What was made from stored products.
    var derived: [Product]
  }

  private(set) var report = ReanalysisReport()
  private(set) var progress = ScanProgress()
  private let store: MediaStore
  private let forced: ReanalysisCheckpoint?
  private let log: ReadingLog
  private let roots: ReanalysisRoots
  /// The first one last.
  private var items: [ReanalysisPlan.Item]
  /// By id of the recording.
  private var work: [Int64: Work] = [:]
  /// Recordings of which another file is to be tried.
  private var again: [Int64] = []
  /// Why a file that is being read does not serve.
  private var mismatches: [Int: SkipReason] = [:]

  init(_ plan: ReanalysisPlan, forced: ReanalysisCheckpoint?, in run: LibraryRun, _ roots: ReanalysisRoots) {
    store = run.store
    log = run.log
    self.forced = forced
    self.roots = roots
    items = plan.items.reversed()
    progress.totalCount = plan.items.count
    progress.totalByteCount = plan.items.reduce(0) { $0 + $1.recording.streamByteCount }
  }

  // MARK: - Choosing

  mutating func nextStep(_ workers: WorkerStatus?) throws(ScanError) -> FileJobStep<Record> {
    if let id = again.popLast(), let job = work[id]?.files.popLast() {
      logDecision(of: id, job)
      return .read(job)
    }
    guard let item = items.popLast() else { return .none }
    let derived = derive(item)
    if derived.count == item.kinds.count, !item.needsSampleHash {
      report.undecodedCount += 1
      return .done([finish(item, ReanalysedRecording(id: item.recording.id, products: derived))])
    }
    // Products that no worker can make are no reason to read a file.
    if !item.needsSampleHash,
      item.kinds.subtracting(derived.map(\.kind)).allSatisfy({ workers?.makes($0) == false })
    {
      skip(item, .noChromaprint, at: nil, isAway: false)
      return .done([])
    }
    let (files, reason, isAway) = try files(of: item.recording.id)
    guard let job = files.last else {
      skip(item, reason, at: nil, isAway: isAway)
      return .done([])
    }
    work[item.recording.id] = Work(item: item, files: files.dropLast(), isAway: isAway, derived: derived)
    logDecision(of: item.recording.id, job)
    return .read(job)
  }

  /// The products that follow from stored ones, unless those are damaged.
  private func derive(_ item: ReanalysisPlan.Item) -> [Product] {
    item.derivedKinds.sorted().compactMap { kind in
      guard let source = ProductDerivation.source(of: kind),
        let stored = try? store.products.product(source, ofRecording: item.recording.id)
      else { return nil }
      return ProductDerivation.product(kind, from: stored)
    }
  }

  /// The files that may hold a recording, the best one last, why there may be none, and whether some are in a folder
  /// that is not there.
  private func files(of id: Int64) throws(ScanError) -> ([FileJob], SkipReason, isAway: Bool) {
    let known = try storing { () throws(StoreError) in try store.reanalyses.places(ofRecording: id) }
    var reason = SkipReason.noFile
    var files: [FileJob] = []
    for (rootID, file) in known.reversed() {
      if let away = roots.away[rootID] {
        reason = away
      } else {
        files.append(FileJob(rootID: rootID, path: file.path, status: file.status, known: file))
      }
    }
    return (files, reason, files.count < known.count)
  }

  private func logDecision(of id: Int64, _ job: FileJob) {
    log.decided(roots.open.path(of: job), .find) {
      let reasons = work[id]?.item.reasons.sorted { $0.key < $1.key } ?? []
      return "track \(id) is recomputed: "
        + ((work[id]?.item.needsSampleHash == true ? ["its samples were never hashed"] : [])
        + reasons.map { "\($0.key.rawValue): \($0.value.rawValue)" }).joined(separator: ", ")
    }
  }

  mutating func demand(
    for file: OpenedFile, _ identity: StreamIdentity, _ workers: WorkerStatus?
  ) throws(ScanError) -> ReadingDemand {
    guard let id = file.job.known?.recordingID, let current = work[id] else { return ReadingDemand(kinds: []) }
    let known = try storing { () throws(StoreError) in try store.recordings.stream(identity) }
    guard known?.recording.id == id else {
      mismatches[file.id] = .otherRecording
      return ReadingDemand(kinds: [])
    }
    let derived = Set(current.derived.map(\.kind))
    let kinds = current.item.kinds.filter { !derived.contains($0) && workers?.makes($0) != false }
    if kinds.isEmpty, !current.item.needsSampleHash { mismatches[file.id] = .noChromaprint }
    // Without a product, only a demand to verify has the file decoded.
    return ReadingDemand(kinds: kinds, verifies: kinds.isEmpty)
  }

  // MARK: - Results

  mutating func take(_ result: FileJobResult) -> FileJobOutcome<Record> {
    switch result {
    case .couldNotOpen(let job, let error):
      if let id = job.known?.recordingID, roots.displaced.contains(job.rootID) { work[id]?.isAway = true }
      tryNextFile(after: job, .unreadable(reason: error.description))
    case .finished(let file, let extraction, let wasWritten):
      let mismatch = mismatches.removeValue(forKey: file.id)
      guard let id = file.job.known?.recordingID, let current = work[id] else { break }
      switch products(in: extraction, of: current, mismatch: wasWritten ? mismatch ?? .writtenWhileRead : mismatch) {
      case .success(let recording):
        work[id] = nil
        return FileJobOutcome(records: [finish(current.item, recording)])
      case .failure(let problem): tryNextFile(after: file.job, problem.reason)
      }
    case .failed(let file, let extraction):
      mismatches[file.id] = nil
      let reason = extraction.problem?.reason
      if extraction.state == .unreadable {
        // Another file with the recording may be readable.
        tryNextFile(after: file.job, .unreadable(reason: reason ?? "cannot be read"))
      } else if let id = file.job.known?.recordingID {
        // Another file with the recording would do the same to the next worker.
        giveUp(id, .unreadable(reason: reason ?? "the worker was lost"), at: roots.open.path(of: file.job))
      }
    case .interrupted(let file), .stalled(let file): mismatches[file.id] = nil
    }
    return FileJobOutcome()
  }

  private struct Mismatch: Error { var reason: SkipReason }

  /// What a file brings for a recording.
  private mutating func products(
    in extraction: Extraction, of current: Work, mismatch: SkipReason?
  ) -> Result<ReanalysedRecording, Mismatch> {
    if let mismatch { return .failure(Mismatch(reason: mismatch)) }
    guard let decoded = extraction.format?.decodedFrameCount else {
      return .failure(Mismatch(reason: .unreadable(reason: extraction.problem?.reason ?? "cannot be decoded")))
    }
    let seconds = extraction.format?.durationInSeconds ?? 0
    report.decodedFileCount += 1
    report.audioInSeconds += seconds
    progress.decodedSeconds += seconds
    // Of two files with one recording, the one that states the encoder's delay was decoded for the library.
    let scanned = current.item.recording.decodedFrameCount
    guard decoded == scanned else {
      return .failure(Mismatch(reason: .otherLength(decoded: decoded, scanned: scanned ?? 0)))
    }
    return .success(
      ReanalysedRecording(
        id: current.item.recording.id, products: current.derived + extraction.products,
        measures: extraction.measures,
        decoded: extraction.stream.flatMap { stream in extraction.decoded.map { (stream, $0) } }))
  }

  /// Has the next file of a recording read, or gives the recording up.
  private mutating func tryNextFile(after job: FileJob, _ reason: SkipReason) {
    guard let id = job.known?.recordingID, let current = work[id] else { return }
    let path = roots.open.path(of: job)
    guard !current.files.isEmpty else { return giveUp(id, reason, at: path) }
    log.decided(path, .open) { "\(reason); another file with the recording is tried" }
    again.append(id)
  }

  private mutating func giveUp(_ id: Int64, _ reason: SkipReason, at path: BytePath?) {
    guard let given = work.removeValue(forKey: id) else { return }
    skip(given.item, reason, at: path, isAway: given.isAway)
  }

  private mutating func skip(_ item: ReanalysisPlan.Item, _ reason: SkipReason, at path: BytePath?, isAway: Bool) {
    report.skipped.append(.init(recordingID: item.recording.id, path: path, reason: reason, isAway: isAway))
    progress.problemCount += 1
    noteDone(item)
  }

  // MARK: - Storing

  private mutating func finish(_ item: ReanalysisPlan.Item, _ recording: ReanalysedRecording) -> ReanalysedRecording {
    report.productCount += recording.products.count
    noteDone(item)
    return recording
  }

  private mutating func noteDone(_ item: ReanalysisPlan.Item) {
    progress.doneCount += 1
    progress.doneByteCount += item.recording.streamByteCount
  }

  static func byteCount(of record: ReanalysedRecording) -> Int {
    record.products.reduce(0) { $0 + $1.bytes.count }
  }

  mutating func store(_ records: [ReanalysedRecording]) throws(ScanError) {
    let stored = try storing { () throws(StoreError) in try store.reanalyses.store(records, of: forced) }
    report.changedProductCount += stored.changedCount
    report.identities += stored.identities
  }
}

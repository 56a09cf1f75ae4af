internal import MediaModel
internal import MediaStore

/// The part of a reanalysis that makes products: from stored ones where it can, else from a file that holds the sound.
final class ReanalysisReading: FileReader {
  /// A recording in work, with the places that were not tried yet, best last.
  private struct Work {
    var item: ReanalysisPlan.Item
    var places: [ScanPlan.Candidate]
    /// Why the places before did not serve.
    var reason: String?
    /// Whether one of them lies in a folder or on a disk that is not there.
    var isAway: Bool
    /// What was made from stored products.
    var derived: [Product] = []
  }

  private static let needsChromaprint = "fingerprints need Chromaprint, which is not installed"

  private(set) var report = ReanalysisReport()
  private let store: MediaStore
  private let forced: ForcedRun?
  private let stop: StopSignal
  private let reading: FileReading
  /// Why the folder of a root is not there.
  private let absentRoots: [Int64: String]
  /// Those whose folder is on another disk than it was, or empty.
  private let displacedRoots: Set<Int64>
  private var items: [ReanalysisPlan.Item]
  /// Recordings in work, by id.
  private var work: [Int64: Work] = [:]
  /// Recordings whose place did not serve and that have another one.
  private var again: [Int64] = []
  private var mismatches: [Int: String] = [:]
  private var batch = ResultBatch<ReanalysedRecording>()
  private var growth = LogGrowth()

  init(
    of plan: ReanalysisPlan, forced: ForcedRun?, in store: MediaStore, _ options: ReanalysisOptions,
    _ stop: StopSignal, _ log: ReadingLog, _ onProgress: @escaping (ScanProgress) -> Void
  ) throws(ScanError) {
    self.store = store
    self.forced = forced
    self.stop = stop
    items = plan.items.reversed()
    var roots: [Int64: OpenRoot] = [:]
    var absentRoots: [Int64: String] = [:]
    var displacedRoots: Set<Int64> = []
    for root in try storing({ () throws(StoreError) in try store.roots() }) {
      do throws(SystemError) {
        let folder = try FolderDescriptor(opening: root.path)
        let isAnother = root.volume.map { $0 != FileSystemIdentity(of: folder)?.text } ?? false
        if isAnother || folder.isEmpty { displacedRoots.insert(root.id) }
        roots[root.id] = OpenRoot(root, folder: folder)
      } catch {
        absentRoots[root.id] = "\(root.path.displayString) is not there: \(error)"
      }
    }
    self.absentRoots = absentRoots
    self.displacedRoots = displacedRoots
    var workers = options.workers
    workers.makesFingerprints = options.kinds.contains(.fingerprint)
    var progress = ScanProgress()
    progress.totalCount = plan.items.count
    progress.totalByteCount = plan.items.reduce(0) { $0 + $1.recording.payloadByteCount }
    reading = FileReading(
      workers, roots: Array(roots.values), followsLinks: true, stop: stop, log: log, progress: progress,
      onProgress: onProgress)
  }

  func run() throws(ScanError) { try reading.run(for: self) }

  // MARK: - Choosing

  func nextFile() throws(ScanError) -> ScanPlan.Candidate? {
    while stop.number == nil {
      if let id = again.popLast() {
        guard let candidate = work[id]?.places.popLast() else { continue }
        logDecision(of: id, candidate)
        return candidate
      }
      guard let item = items.popLast() else { return nil }
      let derived = derive(item)
      if derived.count == item.kinds.count {
        report.undecodedCount += 1
        finish(item, ReanalysedRecording(id: item.recording.id, products: derived))
        try commit(atEnd: false)
        reading.showProgress()
        continue
      }
      // What no worker can make is no reason to read a file.
      if item.kinds.subtracting(derived.map(\.kind)).allSatisfy({ reading.pool.status?.makes($0) == false }) {
        report.skipped.append(
          .init(recordingID: item.recording.id, path: nil, reason: Self.needsChromaprint, isAway: false))
        noteDone(item)
        reading.showProgress()
        continue
      }
      let (places, reason, isAway) = try places(of: item.recording.id)
      work[item.recording.id] = Work(item: item, places: places, reason: reason, isAway: isAway, derived: derived)
      tryNextPlace(of: item.recording.id)
    }
    return nil
  }

  /// The products that follow from stored ones; one that is damaged is as good as none.
  private func derive(_ item: ReanalysisPlan.Item) -> [Product] {
    item.derivedKinds.sorted().compactMap { kind in
      guard let source = ProductDerivation.source(of: kind),
        let stored = try? store.product(source, ofRecording: item.recording.id)
      else { return nil }
      return ProductDerivation.product(kind, from: stored)
    }
  }

  /// Where a sound may be, best last, why it may be nowhere, and whether there are places whose folder is not there.
  private func places(of id: Int64) throws(ScanError) -> ([ScanPlan.Candidate], String, isAway: Bool) {
    let known = try storing { () throws(StoreError) in try store.places(ofRecording: id) }
    var reason = "no file holds it any more"
    var places: [ScanPlan.Candidate] = []
    for (rootID, file) in known.reversed() {
      if let absent = absentRoots[rootID] {
        reason = absent
      } else {
        places.append(ScanPlan.Candidate(rootID: rootID, path: file.path, status: file.status, known: file))
      }
    }
    return (places, reason, places.count < known.count)
  }

  /// Has the next place tried, or gives the recording up.
  private func tryNextPlace(of id: Int64, because reason: String? = nil, at path: BytePath? = nil) {
    guard let current = work[id] else { return }
    if let reason { work[id]?.reason = reason }
    guard current.places.isEmpty else {
      if let path, let reason { reading.log.decided(path, .open) { "\(reason); another file with the sound is tried" } }
      return again.append(id)
    }
    giveUp(id, work[id]?.reason ?? "", at: path)
  }

  private func giveUp(_ id: Int64, _ reason: String, at path: BytePath?) {
    guard let given = work.removeValue(forKey: id) else { return }
    report.skipped.append(.init(recordingID: id, path: path, reason: reason, isAway: given.isAway))
    noteDone(given.item)
  }

  private func logDecision(of id: Int64, _ candidate: ScanPlan.Candidate) {
    reading.log.decided(reading.path(of: candidate), .find) {
      let reasons = work[id]?.item.reasons.sorted { $0.key < $1.key } ?? []
      return "track \(id) is made anew: "
        + reasons.map { "\($0.key.rawValue): \($0.value.rawValue)" }.joined(separator: ", ")
    }
  }

  // MARK: - Reading

  func couldNotOpen(_ candidate: ScanPlan.Candidate, _ error: SystemError, attempts: Int) {
    guard let id = candidate.known?.recordingID else { return }
    if displacedRoots.contains(candidate.rootID) { work[id]?.isAway = true }
    tryNextPlace(of: id, because: error.description, at: reading.path(of: candidate))
  }

  func kinds(for jobID: Int, _ candidate: ScanPlan.Candidate, _ identity: Identity) -> Set<ProductKind> {
    guard let id = candidate.known?.recordingID, let current = work[id] else { return [] }
    guard identity.hash == current.item.recording.hash else {
      mismatches[jobID] = "holds another sound than when it was scanned; `deadwax scan` reads it"
      return []
    }
    let derived = Set(current.derived.map(\.kind))
    let kinds = current.item.kinds.filter { !derived.contains($0) && reading.pool.status?.makes($0) != false }
    if kinds.isEmpty { mismatches[jobID] = Self.needsChromaprint }
    return kinds
  }

  func finish(_ jobID: Int, _ file: FileReading.File, _ extraction: Extraction) {
    let mismatch = mismatches.removeValue(forKey: jobID)
    guard let id = file.candidate.known?.recordingID, let current = work[id] else { return }
    let path = reading.path(of: file.candidate)
    if let mismatch { return tryNextPlace(of: id, because: mismatch, at: path) }
    guard !file.wasWritten else {
      return tryNextPlace(of: id, because: "was written to while it was read", at: path)
    }
    guard let decoded = extraction.format?.decodedFrameCount else {
      return tryNextPlace(of: id, because: extraction.problem?.reason ?? "cannot be decoded", at: path)
    }
    report.decodedFileCount += 1
    let seconds = extraction.format?.durationInSeconds ?? 0
    report.audioInSeconds += seconds
    reading.noteDecoded(seconds: seconds)
    // Of two files with one sound, the one that states the encoder's delay was decoded for the library.
    guard decoded == current.item.recording.decodedFrameCount else {
      let stored = current.item.recording.decodedFrameCount ?? 0
      return tryNextPlace(
        of: id, because: "decodes to \(decoded) frames, and to \(stored) when it was scanned", at: path)
    }
    work[id] = nil
    finish(
      current.item,
      ReanalysedRecording(id: id, products: current.derived + extraction.products, measures: extraction.measures))
  }

  func abandon(_ jobID: Int, _ file: FileReading.File, _ extraction: Extraction?) {
    mismatches[jobID] = nil
    guard let extraction, let id = file.candidate.known?.recordingID else { return }
    // Of this file the system did not give all; of another with the sound it may.
    if extraction.state == .unreadable {
      return tryNextPlace(of: id, because: extraction.problem?.reason, at: reading.path(of: file.candidate))
    }
    // The same sound would do the same to the next worker.
    giveUp(id, extraction.problem?.reason ?? "the worker was lost", at: reading.path(of: file.candidate))
  }

  // MARK: - Storing

  private func finish(_ item: ReanalysisPlan.Item, _ recording: ReanalysedRecording) {
    batch.append(recording, byteCount: recording.products.reduce(0) { $0 + $1.bytes.count })
    report.productCount += recording.products.count
    noteDone(item)
  }

  private func noteDone(_ item: ReanalysisPlan.Item) {
    reading.noteDone(byteCount: item.recording.payloadByteCount, problemCount: report.skipped.count)
  }

  func commit(atEnd: Bool) throws(ScanError) {
    guard !batch.isEmpty, atEnd || batch.isDue else { return }
    report.changedProductCount += try storing { () throws(StoreError) in
      try store.store(batch.results, of: forced)
    }
    growth.look(at: store, reading.log)
    batch = ResultBatch()
  }
}

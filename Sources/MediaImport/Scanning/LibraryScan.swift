package import Base
package import DecodingService
internal import Dispatch
internal import Glibc
internal import LibraryScanning
internal import LibraryTracks
package import Logging
internal import MediaModel
package import MediaStore

/// What a scan is asked to do.
package struct ScanOptions: Sendable {
  package var jobs: FileJobOptions
  /// Absolute paths; empty for every known root. A folder below a known root scans that part of it.
  package var folders: [BytePath] = []
  /// The only paths below the one folder to look at, relative to it; nil for all. Nothing is decided about other files.
  package var listedFiles: [BytePath]?
  /// Why files among ``listedFiles`` must not be read, because they end the process that reads them: they become rows
  /// with the state `crashed`.
  package var crashedFiles: [BytePath: String] = [:]
  /// Patterns of gitignore syntax.
  package var excludedGlobs: [String] = []
  package var followsLinks = false
  /// Marks files as missing even if the safety stop would refuse it.
  package var acceptsMissing = false
  /// Reads files again although their time and size did not change.
  package var isDeep = false
  /// Reads unchanged files again, too, and compares their bytes with what was read before, and with their checksums.
  package var verifies = false
  /// The only known files to read; nil for all. New files are then not read, and none is marked as missing.
  package var onlyFiles: Set<Int64>?
  /// Whether a new folder that contains roots takes over their files.
  package var takesOver = false
  /// Walks and counts, but opens no file and writes nothing.
  package var isDryRun = false

  package init(workers: WorkerPool.Configuration) { jobs = FileJobOptions(workers: workers) }
}

/// One scan of a library: walks its folders, reads what is new or changed, and stores what it finds.
///
/// The thread that calls ``run()`` does everything but decoding: it walks, plans, talks to the workers and is the only
/// writer. Results are committed in batches, so the library is consistent whenever the scan ends, and the next scan
/// continues.
package final class LibraryScan {
  /// As many as are written in less than a second: another process waits that long until it may write.
  private static let maximumBatchCount = 1_000
  /// Longer than a process that waits for the right to write sleeps between two attempts to get it.
  private static let pauseInMicroseconds: UInt32 = 30_000

  let options: ScanOptions
  let library: LibraryRun
  var progress = ScanProgress()
  var report = ScanReport()

  var store: MediaStore { library.store }
  var stop: StopSignal { library.stop }
  var log: ReadingLog { library.log }

  package init(
    store: MediaStore, options: ScanOptions, stop: StopSignal = .never, log: Logger = .silent,
    onProgress: @escaping (ScanProgress) -> Void = { _ in }
  ) {
    self.options = options
    library = LibraryRun(
      store: store, options: options.jobs, stop: stop, log: ReadingLog(logger: log), onProgress: onProgress)
  }

  /// Does the whole scan; never throws because of a file.
  package func run() throws(ScanError) -> ScanReport {
    // Before the scan begins in the library: a mistyped folder must not leave a trace there.
    try requireFolders()
    // Released at the end of this function, and by the kernel if the process dies.
    let lock = options.isDryRun ? nil : try storing { () throws(StoreError) in try store.scans.begin() }
    defer { lock?.release() }

    let scopes = try resolveScopes()
    var visits: [RootVisit] = []
    for scope in scopes where stop.number == nil {
      guard let visit = try visit(scope) else { continue }
      try noteVolume(of: visit)
      visits.append(visit)
    }
    let walkWasStopped = stop.number != nil
    let plan = plan(visits)
    report.summary = ScanSummary(plan)
    var foundAgain: Set<Int64> = []
    if walkWasStopped {
      report.unreadCount = plan.candidates.count
    } else if !options.isDryRun {
      try storeWithoutReading(plan, visits)
      foundAgain = try read(plan, visits)
    }
    if stop.number == nil {
      try markMissing(plan.vanished.filter { !foundAgain.contains($0.known.id) }, visits)
      try noteLeftOut(visits)
      for visit in visits where stop.number == nil { try readCueSheets(of: visit, after: plan) }
      for visit in visits where stop.number == nil { try readCovers(of: visit) }
      for visit in visits where stop.number == nil { try noteLyrics(of: visit) }
      for visit in visits where stop.number == nil {
        try renumberDevices(of: visit)
        try renewVolume(of: visit)
      }
    }
    try finish(lock)
    return report
  }

  private func plan(_ visits: [RootVisit]) -> ScanPlan {
    let roots = visits.map(\.comparison)
    // The libraries are loaded only if a file needs them.
    let needsLibraries = roots.contains { $0.known.contains { ExtractorVersion.lacksLibrary($0.extractorVersion) } }
    var plan = ScanPlan(
      roots: roots, isDeep: options.isDeep || options.verifies,
      retries: ScanPlan.Retries(versionWithLibraries: needsLibraries ? ExtractorVersion.withLibraries : nil))
    guard let wanted = options.onlyFiles else { return plan }
    plan.candidates.removeAll { !wanted.contains($0.known?.id ?? 0) }
    plan.moves = []
    plan.restated = []
    plan.vanished = []
    plan.displaced = []
    return plan
  }

  /// Opens and walks one root; nil, with a safety stop in the report, if it is not there.
  func visit(_ scope: Scope) throws(ScanError) -> RootVisit? {
    if !report.roots.contains(scope.root.path) { report.roots.append(scope.root.path) }
    // The store is read while the folders are walked.
    let reading = BackgroundReading { [store] () throws(StoreError) in
      scope.root.id < 0 ? [] : try store.scans.knownFiles(inRoot: scope.root.id, below: scope.path)
    }
    let excluded = try storing { () throws(StoreError) in try ExcludedFolders(of: store.path) }
    let rules = IgnoreRules(excluding: options.excludedGlobs, folders: excluded.below(scope.root.path))
    let walk: DirectoryWalker.Result
    let folder: FolderDescriptor
    defer { _ = try? reading.value() }
    do throws(SystemError) {
      let walker = DirectoryWalker(
        root: try FolderDescriptor(opening: scope.root.path), rules: rules, followsLinks: options.followsLinks)
      let found = progress.foundCount
      let goesOn = { (count: Int) in
        self.progress.foundCount = found + count
        self.library.onProgress(self.progress)
        return self.stop.number == nil
      }
      if let listed = options.listedFiles {
        walk = walker.look(for: listed.map { scope.path.appending($0) }, goesOn: goesOn)
      } else {
        walk = walker.walk(from: scope.path, goesOn: goesOn)
      }
      folder = try FolderDescriptor(opening: scope.root.path)
    } catch {
      report.safetyStops.append(.init(root: scope.root.path, reason: .unavailable(error)))
      return nil
    }
    noteWhatWasNotSeen(walk, in: scope.root)
    var known = try storing { () throws(StoreError) in try reading.value() }
    if let list = walk.list {
      known.removeAll { !list.files.contains($0.path) }
      noteAbsent(list, known: known, in: scope.root)
    }
    return RootVisit(
      root: scope.root, scope: scope.path, folder: folder, known: known, walk: walk, followsLinks: options.followsLinks)
  }

  /// A known file that is absent is missing; one that nobody knows shows that the list is of another time.
  private func noteAbsent(_ list: DirectoryWalker.Result.List, known: [KnownFile], in root: Root) {
    let known = Set(known.map(\.path))
    for path in list.absent where !known.contains(path) {
      report.warnings.append(.init(path: root.path.appending(path), reason: .absent))
    }
  }

  private func noteWhatWasNotSeen(_ walk: DirectoryWalker.Result, in root: Root) {
    report.skippedLinkCount += walk.skippedLinkCount
    report.skippedSpecialFiles += walk.skippedSpecialFiles.map { root.path.appending($0) }
    for (path, reason) in walk.incompleteFolders + walk.unreadableFiles {
      report.warnings.append(.init(path: root.path.appending(path), reason: .unreadable(reason)))
    }
  }

  /// Has the candidates read; returns the known files whose recording turned up at a new path.
  private func read(_ plan: ScanPlan, _ visits: [RootVisit]) throws(ScanError) -> Set<Int64> {
    let roots = OpenRoots(visits.map(\.place))
    let movable = plan.displaced.filter { rootID, file in
      visits.contains { $0.root.id == rootID && mayHaveMoved(file, from: $0) }
    }
    // There is one folder if files are listed.
    let folder = visits.first?.scope ?? BytePath("")
    let crashed = Dictionary(uniqueKeysWithValues: options.crashedFiles.map { (folder.appending($0.key), $0.value) })
    let (jobs, workers) = try library.runJobs(
      of: ScanJobs(
        plan, crashed: crashed, movable: movable.map(\.known), options: options, in: library, roots,
        progress: progress),
      in: roots, followsLinks: options.followsLinks)
    report.sandbox = workers?.sandbox
    report.unreadCount = jobs.progress.totalCount - jobs.progress.doneCount
    report.summary.decodedFiles += jobs.totals.decodedFileCount
    report.summary.audioInSeconds += jobs.totals.audioInSeconds
    report.summary.problems += jobs.totals.problemCount
    report.summary.moved += jobs.totals.foundAgain.count
    report.summary.new -= jobs.totals.foundAgain.count + jobs.totals.otherCount
    report.summary.found -= jobs.totals.otherCount
    report.verifiedCount = jobs.totals.verifiedCount
    for change in jobs.totals.identities {
      // It may only have gone to another name.
      if case .replaced(_, let former) = change,
        try storing({ () throws(StoreError) in try store.recordings.isPresent(former) })
      {
        continue
      }
      report.identities.append(change)
    }
    return jobs.totals.foundAgain
  }

  private func storeWithoutReading(_ plan: ScanPlan, _ visits: [RootVisit]) throws(ScanError) {
    let roots = OpenRoots(visits.map(\.place))
    for move in plan.moves {
      log.decided(roots.path(move.path, inRoot: move.rootID), .find) {
        "was \(move.known.path.displayString), by its inode, size and time"
      }
    }
    report.summary.moved = try storeInBatches(
      plan.moveGroups.map { group in
        group.map { .moved(fileID: $0.known.id, rootID: $0.rootID, path: $0.path, $0.status) }
      })
    _ = try storeInBatches(plan.restated.map { [.restated(fileID: $0.known.id, $0.status)] })
  }

  /// Stores changes for which nothing is read, in batches between which others may write, until the stop signal comes.
  ///
  /// - Parameter groups: Each goes into one transaction as a whole.
  /// - Returns: How many changes were stored.
  func storeInBatches(_ groups: [[FileChange]]) throws(ScanError) -> Int {
    var storedCount = 0
    var batch: [FileChange] = []
    for (index, group) in groups.enumerated() {
      batch += group
      let isLast = index == groups.count - 1
      guard isLast || batch.count >= Self.maximumBatchCount else { continue }
      if stop.number != nil { break }
      _ = try storing { () throws(StoreError) in try store.scans.apply(batch) }
      storedCount += batch.count
      batch.removeAll(keepingCapacity: true)
      if !isLast { usleep(Self.pauseInMicroseconds) }
    }
    return storedCount
  }

  private func finish(_ lock: RunLock<ScanRun>?) throws(ScanError) {
    report.roots.sort()
    report.stoppedBySignal = stop.number
    report.summary.isInterrupted = stop.number != nil
    report.summary.elapsedInSeconds = library.elapsedInSeconds
    if let lock { try storing { () throws(StoreError) in try store.scans.finish(report.summary, of: lock) } }
  }
}

extension ScanSummary {
  /// What a plan says before anything is read.
  fileprivate init(_ plan: ScanPlan) {
    self.init()
    found = plan.foundCount
    new = plan.candidates.count { $0.known == nil }
    changed = plan.candidates.count(where: \.isChanged)
    // Files that are only read again count as unchanged.
    unchanged = plan.unchangedCount + plan.restated.count + plan.candidates.count { !$0.isMoved } - new - changed
    moved = plan.moves.count
    problems = plan.keptProblemCount
  }
}

/// A value that is read on another thread in the meantime, or at once if no thread can be started.
private final class BackgroundReading<Value: Sendable, Failure: Error>: Sendable {
  private let queue = DispatchQueue(label: "background reading")
  nonisolated(unsafe) private var result: Result<Value, Failure>?

  /// Begins at once.
  init(_ body: @escaping @Sendable () throws(Failure) -> Value) {
    let read = { @Sendable [self] in
      do throws(Failure) { result = .success(try body()) } catch { result = .failure(error) }
    }
    if ThreadSupply.canStartThread { queue.async(execute: read) } else { read() }
  }

  /// Waits for the end and returns the value.
  ///
  /// Call this in every case, because what the body reads from may be closed afterwards.
  func value() throws(Failure) -> Value {
    // The queue is serial: this runs after the body and sees its writes.
    guard let result = queue.sync(execute: { result }) else { preconditionFailure("the body has run") }
    return try result.get()
  }
}

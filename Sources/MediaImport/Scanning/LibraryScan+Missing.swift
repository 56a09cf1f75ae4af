internal import MediaModel
internal import MediaStore

extension LibraryScan {
  /// From this many vanished files on, a root that lost a fifth of its files at once is not believed.
  static let safetyStopMinimumCount = 10
  static let safetyStopShare = 0.2

  /// Marks as missing what is certainly gone; withholds that, with the reason in the report, where it is not certain.
  func markMissing(_ plan: ScanPlan, _ visits: [RootVisit]) throws(ScanError) {
    for visit in visits {
      let vanished = plan.vanished.filter { $0.rootID == visit.root.id && !foundAgain.contains($0.known.id) }.map(
        \.known)
      let certain = vanished.filter { Self.isCertainlyGone($0, visit) }
      guard !certain.isEmpty else { continue }
      if let reason = reasonNotToBelieve(certain.count, visit) {
        report.safetyStops.append(.init(root: visit.root.path, reason: reason))
        continue
      }
      report.summary.missing += certain.count
      for file in certain { log.decided(visit.root.path.appending(file.path), .find) { "is gone; marked as missing" } }
      if !options.isDryRun {
        try storing { () throws(StoreError) in try store.apply(certain.map { .missing(fileID: $0.id) }) }
      }
    }
  }

  /// Whether the folder of a file was read to the end, and its disk is here.
  private static func isCertainlyGone(_ file: KnownFile, _ visit: RootVisit) -> Bool {
    let walk = visit.walk
    if walk.wasStopped || walk.incompleteFolders.contains(where: { file.path.isBelowOrEqual(to: $0.path) }) {
      return false
    }
    if walk.unreadableFiles.contains(where: { file.path.isBelowOrEqual(to: $0.path) }) { return false }
    // A disk that was mounted below the root and is not any more takes its files with it, for a time.
    return walk.devices.contains(visit.currentDevice(of: file.status.device))
  }

  private func reasonNotToBelieve(_ count: Int, _ visit: RootVisit) -> String? {
    guard !options.acceptsMissing else { return nil }
    let knownCount = visit.comparison.known.count { $0.state != .missing }
    let option = "if they are really gone, scan with --accept-missing"
    if !visit.isStillThere { return "the folder was replaced while it was scanned; nothing was marked as missing" }
    if let stored = visit.root.volume, let now = visit.fileSystem?.text, stored != now {
      return "different volume: \(count) of \(knownCount) files are not on it; \(option)"
    }
    if visit.walk.files.isEmpty && visit.scope.bytes.isEmpty {
      return "the folder is empty, \(count) files were known in it (is a disk not mounted?); \(option)"
    }
    if count >= Self.safetyStopMinimumCount && Double(count) >= Self.safetyStopShare * Double(knownCount) {
      return "\(count) of \(knownCount) files vanished at once; \(option)"
    }
    return nil
  }
}

extension RootVisit {
  /// The number that a device has now: learnt from the files that are still where they were.
  func currentDevice(of stored: UInt64) -> UInt64 { deviceNumbers[stored] ?? stored }
}

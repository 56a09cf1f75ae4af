internal import MediaModel
internal import MediaStore

extension LibraryScan {
  /// From this many vanished files on, a root that lost a fifth of its files at once is not believed.
  static let safetyStopMinimumCount = 10
  static let safetyStopShare = 0.2

  /// Marks as missing what is certainly gone; withholds that, with the reason in the report, where it is not certain.
  func markMissing(_ plan: ScanPlan, _ visits: [RootVisit]) throws(ScanError) {
    for visit in visits {
      let vanished = plan.vanished
        .filter { $0.rootID == visit.root.id && !foundAgain.contains($0.known.id) }.map(\.known)
        .filter { $0.path.isBelowOrEqual(to: visit.scope) && visit.wasLookedFor($0) }
      // A disk that was mounted below the root and is not any more takes its files with it, for a time.
      let certain = options.acceptsMissing ? vanished : vanished.filter { visit.hasDisk(of: $0) }
      if let reason = reasonNotToBelieve(vanished.count, certain.count, visit) {
        report.safetyStops.append(.init(root: visit.root.path, reason: reason))
        continue
      }
      noteAway(vanished.count - certain.count, visit)
      let count =
        options.isDryRun ? certain.count : try storeInBatches(certain.map { [.missing(fileID: $0.id)] })
      report.summary.missing += count
      for file in certain.prefix(count) {
        log.decided(visit.root.path.appending(file.path), .find) { "is gone; marked as missing" }
      }
    }
  }

  private func noteAway(_ count: Int, _ visit: RootVisit) {
    guard count > 0 else { return }
    let files = count == 1 ? "1 file" : "\(count) files"
    report.warnings.append(
      .init(
        path: visit.root.path,
        reason: "a disk with \(files) is not there (if they are really gone, scan with --accept-missing)"))
  }

  /// Whether a file that is not where it was may be one that is found elsewhere: where it could be marked as missing.
  ///
  /// A root whose disk is not there keeps all it has, whatever copies turn up in others. What was missing before is gone
  /// for certain.
  func mayHaveMoved(_ file: KnownFile, from visit: RootVisit) -> Bool {
    guard file.path.isBelowOrEqual(to: visit.scope) else { return false }
    if file.state == .missing { return true }
    return visit.wasLookedFor(file) && (options.acceptsMissing || visit.isPlace(of: file))
  }

  /// - Parameters:
  ///   - vanishedCount: Of files that are not where they were.
  ///   - count: Of those whose disk is here.
  private func reasonNotToBelieve(_ vanishedCount: Int, _ count: Int, _ visit: RootVisit) -> String? {
    guard vanishedCount > 0, !options.acceptsMissing else { return nil }
    let knownCount = visit.comparison.known.count { $0.state != .missing }
    let option = "if they are really gone, scan with --accept-missing"
    if !visit.isStillThere { return "the folder was replaced while it was scanned; nothing was marked as missing" }
    if visit.isOnAnotherVolume {
      return "different volume: \(vanishedCount) of \(knownCount) files are not on it; \(option)"
    }
    if visit.isEmpty {
      let known = vanishedCount == 1 ? "1 file was" : "\(vanishedCount) files were"
      return "the folder is empty, \(known) known in it (is a disk not mounted?); \(option)"
    }
    if count >= Self.safetyStopMinimumCount && Double(count) >= Self.safetyStopShare * Double(knownCount) {
      return "\(count) of \(knownCount) files vanished at once; \(option)"
    }
    return nil
  }
}

extension RootVisit {
  /// Whether the root is on another file system than before.
  var isOnAnotherVolume: Bool {
    guard let stored = root.volume, let now = fileSystem?.text else { return false }
    return stored != now
  }

  /// Whether nothing was found in all of the root, as where a disk is not mounted.
  var isEmpty: Bool { scope.bytes.isEmpty && walk.files.isEmpty }

  /// Whether the folder that a file was in is here, and was read to the end.
  func wasLookedFor(_ file: KnownFile) -> Bool {
    !walk.wasStopped && !walk.incompleteFolders.contains { file.path.isBelowOrEqual(to: $0.path) }
      && !walk.unreadableFiles.contains { file.path.isBelowOrEqual(to: $0.path) }
  }

  /// Whether this is the folder, with the disk, that a file was in.
  func isPlace(of file: KnownFile) -> Bool {
    let isKnownPlace = hasKnownFiles || file.status.device != FileStatus.unknownDevice
    return isKnownPlace && !isOnAnotherVolume && !isEmpty && hasDisk(of: file)
  }

  /// Whether the disk that a file was on is below the root, or may be: where it was is not always known.
  func hasDisk(of file: KnownFile) -> Bool {
    let stored = file.status.device
    return stored == FileStatus.unknownDevice || walk.devices.contains(deviceNumbers[stored] ?? stored)
  }
}

internal import Base
internal import LibraryScanning
internal import LibraryTracks
internal import MediaModel

extension LibraryScan {
  /// If at least this many files, and this share of a root, vanished at once, they are not marked as missing.
  private static let safetyStopMinimumCount = 10
  private static let safetyStopShare = 0.2

  /// Marks files as missing that are certainly gone; for the others the report says why they are not marked.
  ///
  /// - Parameter vanished: Known files that were not found anywhere.
  func markMissing(_ vanished: [(rootID: Int64, known: KnownFile)], _ visits: [RootVisit]) throws(ScanError) {
    for visit in visits {
      let vanished = vanished.filter { $0.rootID == visit.root.id }.map(\.known)
        .filter { $0.path.isBelowOrEqual(to: visit.scope) && visit.wasLookedFor($0) }
      // The files of a disk that was mounted below the root and is not there now may come back.
      let certain = options.acceptsMissing ? vanished : vanished.filter { visit.hasDisk(of: $0) }
      if let reason = safetyStop(vanishedCount: vanished.count, certainCount: certain.count, visit) {
        report.safetyStops.append(.init(root: visit.root.path, reason: reason))
        continue
      }
      if certain.count < vanished.count {
        report.warnings.append(
          .init(path: visit.root.path, reason: .diskAway(fileCount: vanished.count - certain.count)))
      }
      let count =
        options.isDryRun ? certain.count : try storeInBatches(certain.map { [.missing(fileID: $0.id)] })
      report.summary.missing += count
      for file in certain.prefix(count) {
        log.decided(visit.root.path.appending(file.path), .find) { "is gone; marked as missing" }
      }
    }
  }

  /// Notes which known files are there but were left out, by a pattern or behind a link, and which folders could not be
  /// read.
  func noteLeftOut(_ visits: [RootVisit]) throws(ScanError) {
    guard options.onlyFiles == nil else { return }
    for visit in visits {
      report.excludedCount += visit.leftOut.count
      guard !options.isDryRun else { continue }
      let leftOut = Set(visit.leftOut.map(\.id))
      var changes: [FileChange] = visit.leftOut.filter { !$0.isExcluded }.map { .excluded(fileID: $0.id, true) }
      for file in visit.comparison.known
      where file.isExcluded && !leftOut.contains(file.id) && visit.wasLookedFor(file) {
        changes.append(.excluded(fileID: file.id, false))
      }
      let unreadable = visit.unreadableFolders
      changes += unreadable.map { .extracted($0) }
      let paths = Set(unreadable.map(\.path))
      for folder in visit.knownFolders where !visit.walk.wasStopped && !paths.contains(folder.path) {
        changes.append(.folderReadable(fileID: folder.id))
      }
      _ = try storeInBatches(changes.map { [$0] })
    }
  }

  /// Whether a file that is not at its place may be found at another one: only if it could be marked as missing.
  ///
  /// A root whose disk is not there keeps all its files, whatever copies are found in others. A file that was missing
  /// before may always have moved.
  func mayHaveMoved(_ file: KnownFile, from visit: RootVisit) -> Bool {
    guard file.path.isBelowOrEqual(to: visit.scope) else { return false }
    if file.state == .missing { return true }
    return visit.wasLookedFor(file) && (options.acceptsMissing || visit.isPlace(of: file))
  }

  /// - Parameters:
  ///   - vanishedCount: Of files that are not at their place.
  ///   - certainCount: Of those whose disk is there.
  private func safetyStop(
    vanishedCount: Int, certainCount: Int, _ visit: RootVisit
  ) -> ScanReport.SafetyStop.Reason? {
    guard vanishedCount > 0, !options.acceptsMissing else { return nil }
    let knownCount = visit.comparison.known.count { $0.state != .missing }
    if !visit.isStillThere { return .replaced }
    if visit.isOnAnotherVolume { return .otherVolume(vanishedCount: vanishedCount, knownCount: knownCount) }
    if visit.isEmpty { return .empty(vanishedCount: vanishedCount) }
    if certainCount >= Self.safetyStopMinimumCount
      && Double(certainCount) >= Self.safetyStopShare * Double(knownCount)
    {
      return .manyVanished(vanishedCount: certainCount, knownCount: knownCount)
    }
    return nil
  }
}

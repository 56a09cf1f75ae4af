internal import Base
internal import LibraryScanning
internal import LibraryTracks
internal import MediaStore

extension LibraryScan {
  /// So many files are noted in one transaction.
  private static let filesOfPart = 5_000

  /// Notes which files have lyrics beside them. The files with the lyrics are only read when somebody wants to see them.
  func noteLyrics(of visit: RootVisit) throws(ScanError) {
    guard options.onlyFiles == nil, !options.isDryRun else { return }
    let known = try storing { () throws(StoreError) in
      try store.scans.filesWithLyricsBeside(inRoot: visit.root.id)
    }
    let found = visit.walk.filesWithLyrics
    // Missing files keep theirs, and so does a disk that is not mounted.
    let walked = known.isSubset(of: found) ? [] : Set(visit.walk.files.map(\.path))
    let gone = known.subtracting(found).filter { walked.contains($0) && visit.wasLookedFor($0) }
    let changes = found.subtracting(known).map { ($0, true) } + gone.map { ($0, false) }
    for start in stride(from: 0, to: changes.count, by: Self.filesOfPart) where stop.number == nil {
      let part = changes[start..<min(start + Self.filesOfPart, changes.count)]
      try storing { () throws(StoreError) in
        try store.scans.noteLyricsBeside(
          Set(part.filter(\.1).map(\.0)), gone: Set(part.filter { !$0.1 }.map(\.0)), inRoot: visit.root.id)
      }
    }
  }
}

package import Base
internal import LibraryDatabase
internal import LibraryTracks
package import MediaStore
internal import UserData

extension MediaStore {
  /// Copies the rows of other libraries into this one, library by library; the others are only read.
  ///
  /// Each ``MergePart`` is a transaction of its own, so that others can write meanwhile. A merge that is stopped keeps
  /// what was merged until then, and the same merge completes it: rows that are there already are not added again.
  ///
  /// - Throws: ``StoreError/scanRunning(_:processID:since:)`` while a scan runs; errors of another library with its
  ///   path, after the libraries before it were merged.
  /// - Parameters:
  ///   - didKeep: called with the path of the copy of this library, right before the first change is committed. A merge
  ///     that is stopped before that, or changes nothing, leaves no copy.
  ///   - goesOn: called before each step; false stops the merge. Libraries that are not complete are not in the report.
  package func merge(
    _ paths: [BytePath], options: MergeOptions, didKeep: (BytePath) -> Void = { _ in },
    goesOn: (MergeStep) -> Bool = { _ in true }
  ) throws(StoreError) -> MergeReport {
    // A scan holds rows in memory.
    try lockForScanning()
    defer { library.unlock(.scan) }
    var sources: [MergeSource] = []
    var report = MergeReport()
    for path in paths {
      guard goesOn(MergeStep(library: path)) else { return report.interrupted }
      sources.append(try MergeSource(at: path, for: self.path, except: library))
    }
    var roots: [Root] = []
    for source in sources { roots += try source.roots }
    try Self.requireSuitableRoots(options, roots)
    if options.isDryRun {
      report.libraries = try rehearse(sources, options, goesOn)
      report.isInterrupted = report.libraries.count < sources.count
      return report
    }
    var unneeded: BytePath?
    // If nothing is changed, the copy is not needed.
    defer { if let unneeded { LibraryLeftovers.remove(unneeded) } }
    if options.keepsCopy, try !isEmpty() {
      guard goesOn(MergeStep(library: path)) else { return report.interrupted }
      let place = LibraryPath.freeName(toKeep: path)
      try copy(to: place)
      unneeded = place
    }
    for source in sources {
      let library = try merge(source, options, goesOn) {
        report.isChanged = true
        guard let place = unneeded else { return }
        unneeded = nil
        report.keptAt = place
        didKeep(place)
      }
      guard let library else { return report.interrupted }
      report.libraries.append(library)
    }
    return report
  }

  /// A mapping that fits no root is probably mistyped. No folder becomes a root that `scan` would refuse.
  static func requireSuitableRoots(_ options: MergeOptions, _ roots: [Root]) throws(StoreError) {
    for mapping in options.mappings where !roots.contains(where: { mapping.concerns($0.path) }) {
      throw .noSuchRoot(mapping.old.displayString)
    }
    for root in roots {
      let path = options.mappings.path(of: root.path)
      if let reason = options.refusal(path) { throw .unsuitableRoot(path, reason: reason) }
    }
  }

  /// Whether the library has no rows that a merge could spoil.
  private func isEmpty() throws(StoreError) -> Bool {
    try read { db in
      // The owner of an empty library is nothing to spoil.
      let tables = ["root", "file", "audio"] + UserTable.allCases.filter { $0 != .person }.map(\.rawValue)
      let rows = tables.map { "EXISTS (SELECT 1 FROM \($0))" }.joined(separator: " OR ")
      return try Bool.fetchOne(db, sql: "SELECT \(rows)") == false
    }
  }

  /// - Parameters:
  ///   - goesOn: called right before each transaction.
  ///   - willChange: called at the end of each transaction that changes something.
  /// - Returns: nil if it was stopped.
  private func merge(
    _ source: MergeSource, _ options: MergeOptions, _ goesOn: (MergeStep) -> Bool, willChange: () -> Void
  ) throws(StoreError) -> MergeReport.Library? {
    connection.writeWithoutTransaction { source.attach(to: $0) }
    defer { connection.writeWithoutTransaction { BulkCopy.detach(from: $0) } }
    return try source.read { rows in
      let progress = try MergeProgress(source.path, rows)
      while let part = progress.nextPart {
        guard goesOn(progress.step) else { return nil }
        try writePart(part.durability) { db in
          let changeCount = db.totalChangesCount
          var writer = try MergeWriter(db, rows, options, progress, now: now)
          try writer.merge(part)
          if db.totalChangesCount != changeCount { willChange() }
        }
        progress.noteDone(part)
      }
      return progress.report
    }
  }

  /// Does everything except storing the bytes of products and pictures, and rolls it back.
  private func rehearse(
    _ sources: [MergeSource], _ options: MergeOptions, _ goesOn: (MergeStep) -> Bool
  ) throws(StoreError) -> [MergeReport.Library] {
    try underWriterLock { db in
      var reports: [MergeReport.Library] = []
      try db.inTransaction(.immediate) {
        for source in sources {
          let report = try source.read { rows -> MergeReport.Library? in
            let progress = try MergeProgress(source.path, rows)
            var writer = try MergeWriter(db, rows, options, progress, now: now)
            while let part = progress.nextPart {
              guard goesOn(progress.step) else { return nil }
              try writer.merge(part)
              progress.noteDone(part)
            }
            return progress.report
          }
          guard let report else { break }
          reports.append(report)
        }
        return .rollback
      }
      return reports
    }
  }
}

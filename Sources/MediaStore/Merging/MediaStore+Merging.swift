internal import GRDB
package import MediaModel

extension MediaStore {
  /// Takes over the rows of other libraries, one after the other; they are only read.
  ///
  /// First come sounds with what was measured of them, in batches, as a scan stores them: whoever is stopped here has
  /// some sounds more, and some newer analyses. Then comes everything else of a library, in one transaction. Merging the
  /// same library again adds nothing.
  ///
  /// - Throws: ``StoreError/scanRunning(_:processID:since:)`` while a scan runs; errors of other libraries with their
  ///   paths. Libraries before that one are merged then.
  package func merge(_ paths: [BytePath], options: MergeOptions) throws(StoreError) -> MergeReport {
    guard canWrite else { throw .readOnly(library.path) }
    // A scan remembers the rows that it began with.
    guard try library.tryLock(.scan) else { throw runningScan }
    defer { library.unlock(.scan) }
    var sources: [MergeSource] = []
    for path in paths { sources.append(try MergeSource(at: path, into: self)) }
    try Self.requireUse(of: options.mappings, sources)
    var report = MergeReport()
    if options.isDryRun {
      report.libraries = try rehearse(sources, options)
      return report
    }
    if options.keepsCopy, try !isEmpty() {
      let place = LibraryRestoring.freeName(beside: path)
      try copy(to: place, keepingOlderAt: nil)
      report.keptAt = place
    }
    for source in sources { report.libraries.append(try merge(source, options)) }
    return report
  }

  /// - Throws: What tells that a path leads to no library, as far as its first bytes say.
  package static func requireLibrary(at path: BytePath) throws(StoreError) {
    let file = try LibraryFile(at: try LibraryPath.resolved(path), forWriting: false)
    defer { file.close() }
    _ = try file.header()
  }

  /// A mapping that concerns nothing is a mistyped one.
  private static func requireUse(of mappings: [PathMapping], _ sources: [MergeSource]) throws(StoreError) {
    var roots: [Root] = []
    for source in sources { roots += try source.roots }
    for mapping in mappings where !roots.contains(where: { mapping.concerns($0.path) }) {
      throw .noSuchRoot(mapping.old.displayString)
    }
  }

  /// Whether there is nothing in the library that a merge could spoil.
  private func isEmpty() throws(StoreError) -> Bool {
    try read { db in
      let tables = ["root", "file", "audio", "preset", "preset_assignment", "preset_change", "list"]
      let rows = tables.map { "EXISTS (SELECT 1 FROM \($0))" }.joined(separator: " OR ")
      return try Bool.fetchOne(db, sql: "SELECT \(rows)") == false
    }
  }

  private func merge(_ source: MergeSource, _ options: MergeOptions) throws(StoreError) -> MergeReport.Library {
    try source.read { rows in
      var progress = MergeProgress(path: source.path)
      for ids in try MergeWriter.batches(rows) {
        try write(.batch) { db in
          var writer = try MergeWriter(db, rows, options, progress, now: now)
          try writer.mergeRecordings(ids)
          progress = writer.progress
        }
      }
      return try write(.durable) { db in
        var writer = try MergeWriter(db, rows, options, progress, now: now)
        try writer.mergeAllButRecordings()
        return writer.progress.report
      }
    }
  }

  /// Does everything but storing the bytes of products and pictures, and takes it back.
  private func rehearse(_ sources: [MergeSource], _ options: MergeOptions) throws(StoreError) -> [MergeReport.Library] {
    try underWriterLock { db in
      var reports: [MergeReport.Library] = []
      try db.inTransaction(.immediate) {
        for source in sources {
          let report = try source.read { rows in
            var writer = try MergeWriter(db, rows, options, MergeProgress(path: source.path), now: now)
            for ids in try MergeWriter.batches(rows) { try writer.mergeRecordings(ids) }
            try writer.mergeAllButRecordings()
            return writer.progress.report
          }
          reports.append(report)
        }
        return .rollback
      }
      return reports
    }
  }
}

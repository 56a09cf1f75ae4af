package import Base
package import DecodingService
internal import Glibc
package import LibraryScanning
internal import LibraryTracks
internal import MediaModel
package import MediaStore
package import TagEditing

/// How files are written.
package struct WriteOptions: Sendable {
  /// Whether the new files have the time of modification of the old ones.
  package var keepsModificationTime: Bool
  /// Whether a file with several names is replaced under one of them.
  package var breaksLinks: Bool
  /// Files that are planned, written and read again at once, each with a worker.
  package var jobCount: Int

  /// - Parameter jobCount: nil for one per processor.
  package init(keepsModificationTime: Bool = false, breaksLinks: Bool = false, jobCount: Int? = nil) {
    (self.keepsModificationTime, self.breaksLinks) = (keepsModificationTime, breaksLinks)
    self.jobCount = jobCount ?? max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
  }
}

/// What becomes, or would become, of a file.
package struct WriteReport: Sendable {
  package var path: BytePath
  package var changes: [FieldChange] = []
  /// Fields of the file that are not written; empty if none is.
  package var unwritten: [UnwrittenField] = []
  /// Of tags and what holds them, in the new file; all others are copied.
  package var writtenByteCount: Int64 = 0
  /// Why it stays as it is.
  package var refusal: WriteRefusal?
  /// What reading the new file showed, before it took the place of the old one; nil if it was not made, and for what is undone.
  package var proof: SoundProof?
  package var isWritten = false
}

/// Writes tags and pictures into files of a library: each new file is proven to sound the same before it takes the place of the old
/// one, and each change can be taken back byte for byte (docs/writing-tags.md).
///
/// The library's lock for scans is held from `init` to `deinit`.
package final class TagWriter {
  /// Files that are written together, so that the library and the folders are written to the disk once for them.
  private static let batchCount = 64
  /// What their plans may take in memory, and their copies on the disk.
  private static let batchHeldByteCount: Int64 = 64 << 20
  private static let batchByteCount: Int64 = 512 << 20
  /// Files that are planned at once, which may hold all of their bytes.
  private static let groupCount = 16
  private static let groupByteCount: Int64 = 64 << 20

  private let store: MediaStore
  private let worker: TagWorker
  private let options: WriteOptions

  /// - Throws: `StoreError.scanRunning`.
  package init(_ store: MediaStore, _ options: WriteOptions, worker: TagWorker = TagWorker()) throws(StoreError) {
    (self.store, self.options, self.worker) = (store, options, worker)
    try store.fileChanges.beginWriting()
  }

  deinit { store.fileChanges.endWriting() }

  /// Finds out what would become of files, and writes nothing. Files of which nothing is wanted, or that say already what they should,
  /// are left out.
  ///
  /// - Parameter triesOne: Whether the first file that would be written is proven on a copy without a name, where its file system can
  ///   have one.
  package static func preview(
    _ edits: [TagEdit], of files: [WritableFile], in store: MediaStore, _ options: WriteOptions,
    worker: TagWorker = TagWorker(), triesOne: Bool = false, goesOn: () -> Bool = { true },
    each: (WriteReport) throws -> Void
  ) throws {
    var tries = triesOne
    var waiting = zip(files, edits).filter { !$1.changes.isEmpty }[...]
    while !waiting.isEmpty, goesOn() {
      let group = takeGroup(of: &waiting, atMost: groupCount)
      let results = inThreads(group, options) { file, edit in
        try PreparedFile(edit, of: file, in: store, worker, breaksLinks: options.breaksLinks)
      }
      for ((file, _), result) in zip(group, results) {
        do {
          guard let prepared = try result.get() else { continue }
          var report = WriteReport(
            path: file.path, changes: prepared.changes, unwritten: prepared.unwritten,
            writtenByteCount: prepared.plan.writtenByteCount)
          if tries { report.proof = try TrialFile.proof(of: prepared, worker) }
          tries = tries && report.proof == nil
          try each(report)
        } catch let refusal as WriteRefusal {
          try each(WriteReport(path: file.path, refusal: refusal))
        }
      }
    }
  }

  /// Those of some files that are no longer as the last scan saw them.
  package static func changedFiles(among files: [WritableFile]) -> [WritableFile] {
    files.filter { file in
      do throws(WriteRefusal) {
        try OriginalFile(file).requireAsScanned()
        return false
      } catch { return true }
    }
  }

  /// The next files that are planned at once.
  private static func takeGroup(
    of waiting: inout ArraySlice<(WritableFile, TagEdit)>, atMost count: Int
  ) -> [(WritableFile, TagEdit)] {
    var byteCount: Int64 = 0
    let group = waiting.prefix(min(count, groupCount)).prefix { file, edit in
      defer { byteCount += file.known.status.byteCount + edit.coverByteCount }
      return byteCount < groupByteCount
    }
    waiting = waiting.dropFirst(group.count)
    return Array(group)
  }

  private static func inThreads<Value, Answer>(
    _ values: [Value], _ options: WriteOptions, _ body: (Value) throws -> Answer
  ) -> [Result<Answer, any Error>] {
    WorkerThreads.results(values.count, limit: options.jobCount) { index in Result { try body(values[index]) } }
  }

  /// Writes files.
  ///
  /// - Parameters:
  ///   - summary: what the change is called, by the number of files.
  ///   - goesOn: asked before each batch; false ends the work.
  ///   - each: called for each file that was written or refused, after its batch.
  /// - Returns: the change; nil if nothing was written.
  package func write(
    _ edits: [TagEdit], of files: [WritableFile], summary: (Int) -> String, goesOn: () -> Bool = { true },
    each: (WriteReport) throws -> Void
  ) throws -> Int64? {
    var change: Int64?
    var writtenCount = 0
    var waiting = zip(files, edits).filter { !$1.changes.isEmpty }[...]
    do {
      while !waiting.isEmpty, goesOn() {
        let (batch, refused) = try nextBatch(of: &waiting)
        var items: [FileReplacement.Item] = []
        if !batch.isEmpty {
          let id = try change ?? store.fileChanges.begin(summary(writtenCount + batch.count))
          change = id
          items = try replace(batch, in: id)
          writtenCount += items.count(where: \.isWritten)
        }
        for report in refused { try each(report) }
        for item in items {
          try each(
            WriteReport(
              path: item.prepared.file.path, changes: item.prepared.changes, unwritten: item.prepared.unwritten,
              refusal: item.refusal, proof: item.proof, isWritten: item.isWritten))
        }
      }
    } catch {
      if let change { try? store.fileChanges.end(change, summary(writtenCount)) }
      throw error
    }
    if let change { try store.fileChanges.end(change, summary(writtenCount)) }
    return writtenCount > 0 ? change : nil
  }

  private func nextBatch(
    of waiting: inout ArraySlice<(WritableFile, TagEdit)>
  ) throws -> (items: [FileReplacement.Item], refused: [WriteReport]) {
    var items: [FileReplacement.Item] = []
    var refused: [WriteReport] = []
    var (heldByteCount, byteCount): (Int64, Int64) = (0, 0)
    while !waiting.isEmpty, items.count < Self.batchCount, heldByteCount < Self.batchHeldByteCount,
      byteCount < Self.batchByteCount
    {
      let group = Self.takeGroup(of: &waiting, atMost: Self.batchCount - items.count)
      for ((file, _), result) in zip(group, Self.inThreads(group, options, item)) {
        switch result {
        case .success(let item):
          guard let item else { continue }
          items.append(item)
          heldByteCount += item.prepared.heldByteCount
          byteCount += item.prepared.plan.newByteCount
        case .failure(let refusal as WriteRefusal): refused.append(WriteReport(path: file.path, refusal: refusal))
        case .failure(let error): throw error
        }
      }
    }
    return (items, refused)
  }

  /// nil for a file that says already what it should.
  private func item(of file: WritableFile, _ edit: TagEdit) throws -> FileReplacement.Item? {
    guard let prepared = try PreparedFile(edit, of: file, in: store, worker, breaksLinks: options.breaksLinks)
    else { return nil }
    let (old, new) = try calling { () throws(SystemError) in
      (
        try PlanHash.hash(descriptor: prepared.original.descriptor, byteCount: prepared.plan.oldByteCount),
        try PlanHash.hash(prepared.plan, of: prepared.original.descriptor)
      )
    }
    return FileReplacement.Item(prepared, oldHash: old, newHash: new)
  }

  private func replace(_ items: [FileReplacement.Item], in change: Int64) throws -> [FileReplacement.Item] {
    var items = items
    let planned = try items.map { item in
      let pictures = item.prepared.before?.artwork ?? []
      let known = try store.fileChanges.stored(Set(pictures.map(\.hash)))
      let undo = StoredUndo(
        item.prepared.undo ?? SplicePlan(oldByteCount: 0, segments: []),
        known: pictures.filter { known.contains($0.hash) })
      return PlannedFileChange(
        key: item.prepared.file.key, path: item.prepared.file.path, temporary: item.temporary, oldHash: item.oldHash,
        newHash: item.newHash, undo: undo.bytes, pictures: undo.pictures)
    }
    for (index, id) in try store.fileChanges.plan(planned, in: change).enumerated() { items[index].partID = id }
    var replacement = FileReplacement(items, in: store, worker, options)
    try replacement.run()
    return replacement.items
  }
}

extension TagWriter {
  /// Makes the files of a change what they were, byte for byte. Files that are not as it wrote them are refused.
  ///
  /// - Returns: the number of files that are as they were.
  package func undo(
    _ change: Int64, goesOn: () -> Bool = { true }, each: (WriteReport) throws -> Void
  ) throws -> Int {
    var waiting = try store.fileChanges.doneParts(of: change)[...]
    var count = 0
    while !waiting.isEmpty, goesOn() {
      var reports: [WriteReport] = []
      var items: [FileReplacement.Item] = []
      while !waiting.isEmpty, items.count < Self.batchCount,
        items.reduce(0, { $0 + $1.prepared.plan.newByteCount }) < Self.batchByteCount
      {
        let group = Array(waiting.prefix(min(Self.groupCount, Self.batchCount - items.count)))
        waiting = waiting.dropFirst(group.count)
        for (part, result) in zip(group, Self.inThreads(group, options, item(undoing:))) {
          switch result {
          case .success(let item): items.append(item)
          case .failure(let refusal as WriteRefusal):
            reports.append(WriteReport(path: part.file?.path ?? part.path, refusal: refusal))
          case .failure(let error): throw error
          }
        }
      }
      try store.fileChanges.planUndo(items.map { ($0.partID, $0.temporary) })
      var replacement = FileReplacement(items, in: store, worker, options)
      try replacement.run()
      count += replacement.items.count(where: \.isWritten)
      for report in reports { try each(report) }
      for item in replacement.items {
        try each(
          WriteReport(path: item.prepared.file.path, refusal: item.refusal, isWritten: item.isWritten))
      }
    }
    return count
  }

  private func item(undoing part: FileChangePart) throws -> FileReplacement.Item {
    guard let file = part.file else {
      throw WriteRefusal(code: "missing", reason: "it is no longer in the library; `deadwax scan` adds it again")
    }
    let original = try OriginalFile(file)
    try original.requireWritable(breaksLinks: options.breaksLinks)
    let found = try calling { () throws(SystemError) in
      try PlanHash.hash(descriptor: original.descriptor, byteCount: original.status.byteCount)
    }
    guard found == part.newHash else {
      if let later = try store.fileChanges.laterChange(than: part) {
        throw WriteRefusal(code: "changed", reason: "change \(later) wrote it after that, and must be undone first")
      }
      throw WriteRefusal(code: "changed", reason: "it has been changed since; it is left alone")
    }
    let plan: SplicePlan
    do { plan = try StoredUndo.plan(part.undo) { try store.fileChanges.picture($0) } } catch let error
      as ByteReader.Failure
    {
      throw WriteRefusal(code: "undo", reason: "its undo data is damaged: \(error)")
    }
    guard plan.oldByteCount == original.status.byteCount,
      try calling({ () throws(SystemError) in try PlanHash.hash(plan, of: original.descriptor) }) == part.oldHash
    else { throw WriteRefusal(code: "undo", reason: "its undo data is damaged") }
    let prepared = PreparedFile(
      original: original, before: nil, edit: TagEdit([]), plan: plan, undo: nil, changes: [])
    var item = FileReplacement.Item(prepared, oldHash: part.newHash, newHash: part.oldHash)
    item.partID = part.id
    return item
  }
}

extension TagEdit {
  fileprivate var coverByteCount: Int64 { if case .set(let cover) = cover { Int64(cover.bytes.count) } else { 0 } }
}

internal import Base
internal import DecodingService
internal import LibraryScanning
internal import LibraryTracks
internal import MediaImport
internal import MediaModel
internal import MediaStore
internal import TagEditing

/// A file with the plan of what becomes of it; nothing is written yet.
struct PreparedFile {
  let original: OriginalFile
  /// What the file says now; nil for one that becomes what it was.
  let before: Extraction?
  let edit: TagEdit
  let plan: SplicePlan
  /// nil for one that becomes what it was.
  let undo: SplicePlan?
  let changes: [FieldChange]
  /// What is not written, and stays in the library only.
  var unwritten: [UnwrittenField] = []

  var file: WritableFile { original.file }
  /// Bytes that are in memory.
  var heldByteCount: Int64 { plan.writtenByteCount + (undo?.writtenByteCount ?? 0) }
}

extension PreparedFile {
  /// Opens a file, and plans an edit of its tags. Fields for which they have no place are left out, if others are written.
  ///
  /// - Returns: nil if the file says already what it should.
  /// - Throws: ``WriteRefusal`` if the file is not written, and other errors if none can be.
  init?(
    _ edit: TagEdit, of file: WritableFile, in store: MediaStore, _ worker: TagWorker, breaksLinks: Bool
  ) throws {
    let original = try OriginalFile(file)
    // Nothing of a protected folder is even planned.
    if file.isProtected { try original.requireWritable(breaksLinks: breaksLinks) }
    try original.requireAsScanned()
    let byteCount = original.status.byteCount
    let before = try worker.reading(original.descriptor, byteCount: byteCount, of: file)
    guard let stream = before.stream else {
      throw WriteRefusal(code: "not-scanned", reason: before.problem?.reason ?? "its audio is not known")
    }
    guard let known = try store.recordings.streamHash(ofFile: file.known.id) else {
      throw WriteRefusal(code: "not-scanned", reason: before.problem?.reason ?? "none of its audio could be decoded")
    }
    guard known.hash == stream.hash else { throw WriteRefusal.changed }
    let settled = file.container.map { edit.settled(in: before.tags, of: $0) } ?? edit
    let planning = { edit in try worker.planning(edit, original.descriptor, byteCount: byteCount) }
    guard let planned = try PlannedEdit(settled, of: before, by: planning) else { return nil }
    let plan = planned.plan
    guard plan.plan.oldByteCount == byteCount, plan.undo.newByteCount == byteCount else {
      throw WriteRefusal(code: "proof", reason: "a plan for another file")
    }
    try original.requireWritable(breaksLinks: breaksLinks)
    guard original.isUnchanged else { throw WriteRefusal.changedMeanwhile }
    guard try RewrittenFile.record(of: file, before, status: original.status, in: store) != nil else {
      throw WriteRefusal(
        code: "not-scanned",
        reason: before.problem?.reason ?? "it was scanned by another version of Deadwax, or not completely")
    }
    self.init(
      original: original, before: before, edit: planned.edit, plan: plan.plan, undo: plan.undo,
      changes: planned.changes, unwritten: planned.unwritten)
  }

  /// Why the file that was made of it, read again, is not what it should be; nil if it is.
  func contradiction(_ after: Extraction) -> String? {
    guard let before else { return nil }
    guard let stream = after.stream, stream.hash == before.stream?.hash, stream.byteCount == before.stream?.byteCount
    else {
      return "its stream differs"
    }
    guard stream.declaration == before.stream?.declaration else { return "its audio would be trimmed differently" }
    var (old, new) = (before.format, after.format)
    // Computed of the length of the file.
    old?.bitRateInBitsPerSecond = nil
    new?.bitRateInBitsPerSecond = nil
    guard old == new else { return "its length or format differs" }
    guard after.state == before.state, after.problem == before.problem else {
      return after.problem?.reason ?? "its state differs"
    }
    guard after.parts == before.parts else { return "its chapters differ" }
    guard after.tags.bounded == after.tags || before.tags.bounded != before.tags else {
      return "it would have more values than a library stores"
    }
    if let note = after.notes.first(where: { !before.notes.contains($0) }) { return "it has the note \(note)" }
    return edit.difference(before.tags, before.artwork, after: after.tags, after.artwork)?.text
  }
}

/// As much of an edit as a file has a place for.
private struct PlannedEdit {
  private(set) var edit: TagEdit
  let plan: ReversiblePlan
  let changes: [FieldChange]
  private(set) var unwritten: [UnwrittenField] = []

  /// - Parameter planning: asked again without each field that is refused alone.
  /// - Returns: nil if nothing changes.
  /// - Throws: ``WriteRefusal`` if nothing can be written.
  init?(_ wanted: TagEdit, of file: Extraction, by planning: (TagEdit) throws -> EditAnswer) throws {
    edit = wanted
    while true {
      let changes = FieldChange.changes(edit, of: file.tags, file.artwork)
      if changes.isEmpty { break }
      switch try planning(edit) {
      case .plan(let plan):
        if plan.plan.isEmpty { break }
        (self.plan, self.changes) = (plan, changes)
        return
      case .refused(let code, let reason, let property):
        let refusal = WriteRefusal(code: code, reason: reason)
        guard let property, edit.properties.contains(where: { $0.name == property }) else { throw refusal }
        unwritten.append(UnwrittenField(field: property.lowercased(), refusal: refusal))
        edit = edit.without(property)
        continue
      }
      break
    }
    guard let first = unwritten.first?.refusal else { return nil }
    throw WriteRefusal(code: first.code, reason: unwritten.map(\.refusal.reason).joined(separator: "; "))
  }
}

extension TagWorker {
  /// - Throws: ``WriteRefusal``, or `SystemError` if there can be no worker.
  func reading(_ descriptor: Int32, byteCount: Int64, of file: WritableFile) throws -> Extraction {
    try answering { () throws(Failure) in
      try read(descriptor: descriptor, byteCount: byteCount, pathExtension: file.known.path.pathExtension)
    }
  }

  func planning(_ edit: TagEdit, _ descriptor: Int32, byteCount: Int64) throws -> EditAnswer {
    try answering { () throws(Failure) in try plan(edit, descriptor: descriptor, byteCount: byteCount) }
  }

  private func answering<Answer>(_ body: () throws(Failure) -> Answer) throws -> Answer {
    do throws(Failure) { return try body() } catch {
      switch error {
      case .lost(let reason): throw WriteRefusal(code: "worker", reason: "the process that reads it failed: \(reason)")
      case .cannotStart(let error): throw error
      }
    }
  }
}

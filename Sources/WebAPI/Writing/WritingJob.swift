internal import Base
internal import LibraryScanning
internal import MediaModel
internal import TagWriting

/// A preview of what would be written, then the writing of it; or the undoing of a change.
struct WritingJob: Sendable {
  enum Phase: String, Sendable {
    case planning
    /// The preview is complete, and can be written.
    case ready
    case writing, undoing
    case done
    /// Somebody ended it; what was written before stays written.
    case stopped
    case failed

    var isRunning: Bool { self == .planning || self == .writing || self == .undoing }
  }

  /// A file with what becomes of it.
  struct Row: Sendable {
    var fileID: Int64?
    var report: WriteReport
  }

  /// By which it is named; nobody has had the number before, so that an address of a former server names nothing.
  let id = Int64.random(in: 1 << 40..<1 << 53)
  /// nil for what is undone.
  let request: WritingRequest?
  var phase: Phase
  /// Why it failed, as a sentence.
  var failure: String?
  /// Files of the phase.
  var doneCount = 0
  var totalCount: Int
  /// What the preview says, in the order of the query, of files that would be written or are refused; what became of them takes its
  /// place.
  private(set) var rows: [Row] = []
  private var places: [BytePath: Int] = [:]
  /// nil when it is no longer needed.
  var plan: WritingPlan?
  let foundCount: Int
  /// The change in which they were written, or that is undone.
  var change: Int64?

  init(_ request: WritingRequest, _ plan: WritingPlan) {
    (self.request, self.plan, phase) = (request, plan, .planning)
    (totalCount, foundCount) = (plan.files.count, plan.foundCount)
  }

  init(undoing change: FileChangeSummary) {
    (request, plan, phase, self.change) = (nil, nil, .undoing, change.id)
    (totalCount, foundCount) = (change.doneCount, change.doneCount)
  }

  mutating func add(_ report: WriteReport, fileID: Int64?) {
    guard let place = places[report.path] else {
      places[report.path] = rows.count
      rows.append(Row(fileID: fileID, report: report))
      return
    }
    // A report of writing has no size.
    let byteCount = rows[place].report.writtenByteCount
    rows[place].report = report
    rows[place].report.writtenByteCount = byteCount
  }

  func has(_ path: BytePath) -> Bool { places[path].map { rows[$0].report.refusal == nil } ?? false }
}

// MARK: - Documents

extension WritingJob {
  /// What is said of it before its rows.
  var members: [JSONValue.Member] {
    let refusedCount = rows.count { $0.report.refusal != nil }
    return [
      .init("id", .integer(id)), .init("state", .string(phase.rawValue)), .init("error", .string(failure)),
      .init("done", .integer(doneCount)), .init("total", .integer(totalCount)), .init("files", .integer(foundCount)),
      .init("changing", .integer(rows.count - refusedCount)), .init("refused", .integer(refusedCount)),
      .init("unwritten", .integer(rows.reduce(0) { $0 + $1.unwrittenCount })),
      .init("written", .integer(rows.count(where: \.report.isWritten))),
      .init("values", .integer(rows.reduce(0) { $0 + $1.report.changes.count })),
      .init("bytes", .integer(rows.reduce(0) { $0 + $1.report.writtenByteCount })), .init("change", .integer(change)),
    ]
  }
}

extension WritingJob.Row {
  /// Fields that stay in the library only, of a file that is written.
  var unwrittenCount: Int { report.refusal == nil ? report.unwritten.count : 0 }

  /// Values of a field in a row, at most.
  private static let largestValueCount = 20

  var document: JSONValue {
    func values(_ values: [String]) -> JSONValue {
      .array(values.prefix(Self.largestValueCount).map { .string($0.cut(toByteCount: 400)) })
    }
    let changes = report.changes.prefix(100).map { change in
      JSONValue.object(["field": .string(change.field), "old": values(change.old), "new": values(change.new)])
    }
    let unwritten = report.unwritten.prefix(100).map { field in
      JSONValue.object([
        "field": .string(field.field), "code": .string(field.refusal.code),
        "reason": RowText.value(field.refusal.reason),
      ])
    }
    let refusal = report.refusal.map {
      JSONValue.object(["code": .string($0.code), "reason": RowText.value($0.reason)])
    }
    return .object([
      "file": .integer(fileID), "path": RowText.path(report.path), "written": .bool(report.isWritten),
      "refusal": refusal ?? .null, "proof": report.proof.map(document) ?? .null, "changes": .array(changes),
      "unwritten": .array(unwritten),
    ])
  }

  private func document(of proof: SoundProof) -> JSONValue {
    func sound(_ sound: SoundProof.Sound) -> JSONValue {
      .object([
        "hash": .string(sound.hash.description), "bytes": .integer(sound.byteCount),
        "frames": .integer(sound.frameCount),
      ])
    }
    return .object([
      "unchanged": .bool(proof.isUnchanged), "before": sound(proof.before), "after": sound(proof.after),
    ])
  }
}

internal import Base
internal import MediaModel
internal import TagEditing

/// Edits of tags and plans in messages.
extension ByteWriter {
  mutating func append(_ edit: TagEdit) {
    append(UInt32(edit.changes.count))
    for change in edit.changes {
      switch change {
      case .set(let name, let values):
        append(UInt8(0))
        append(text: name)
        append(UInt32(values.count))
        for value in values { append(text: value) }
      case .remove(let name):
        append(UInt8(1))
        append(text: name)
      case .setFrontCover(let cover):
        append(UInt8(2))
        append(text: cover.mimeType)
        append(text: cover.caption)
        append(lengthPrefixed: cover.bytes)
      case .removeFrontCovers: append(UInt8(3))
      }
    }
  }

  mutating func append(_ answer: EditAnswer) {
    switch answer {
    case .plan(let plan):
      append(UInt8(0))
      append(plan.plan)
      append(plan.undo)
      append(plan.stream)
    case .refused(let code, let reason, let property):
      append(UInt8(1))
      append(text: code)
      append(text: reason)
      append(UInt8(property == nil ? 0 : 1))
      if let property { append(text: property) }
    }
  }

  private mutating func append(_ plan: SplicePlan) {
    append(plan.oldByteCount)
    append(UInt32(plan.segments.count))
    for segment in plan.segments {
      switch segment {
      case .copy(let range):
        append(UInt8(0))
        append(range.lowerBound)
        append(range.upperBound)
      case .bytes(let bytes):
        append(UInt8(1))
        append(lengthPrefixed: bytes)
      }
    }
  }
}

extension ByteReader {
  private static let maximumChangeCount = 10_000
  /// A page of Ogg of a file of ten hours has some hundred thousand.
  private static let maximumSegmentCount = 4 << 20

  mutating func readEdit() throws(Failure) -> TagEdit {
    var changes: [TagEdit.Change] = []
    for _ in 0..<(try readCount(Self.maximumChangeCount)) {
      switch try read(UInt8.self) {
      case 0:
        let name = try readText(limit: 4096)
        var values: [String] = []
        for _ in 0..<(try readCount(Self.maximumChangeCount)) { values.append(try readText()) }
        changes.append(.set(name, values))
      case 1: changes.append(.remove(try readText(limit: 4096)))
      case 2:
        let (type, caption) = (try readText(limit: 1024), try readText())
        let bytes = Array(try readLengthPrefixed(limit: WorkerProtocol.maximumCoverByteCount))
        changes.append(.setFrontCover(TagEdit.Cover(bytes: bytes, mimeType: type, caption: caption)))
      case 3: changes.append(.removeFrontCovers)
      case let kind: throw failure("no change of tags has kind \(kind)")
      }
    }
    return TagEdit(changes)
  }

  mutating func readEditAnswer() throws(Failure) -> EditAnswer {
    switch try read(UInt8.self) {
    case 0:
      let (plan, undo) = (try readPlan(), try readPlan())
      guard undo.oldByteCount == plan.newByteCount, undo.newByteCount == plan.oldByteCount else {
        throw failure("a plan that does not lead back")
      }
      return .plan(ReversiblePlan(plan: plan, undo: undo, stream: try readStreamIdentity()))
    case 1:
      return .refused(
        code: try readText(limit: 256), reason: try readText(limit: 65_536),
        property: try readFlag() ? try readText(limit: 65_536) : nil)
    case let kind: throw failure("no answer about an edit has kind \(kind)")
    }
  }

  private mutating func readPlan() throws(Failure) -> SplicePlan {
    let byteCount = try readByteCount()
    var segments: [SplicePlan.Segment] = []
    for _ in 0..<(try readCount(Self.maximumSegmentCount)) {
      switch try read(UInt8.self) {
      case 0:
        let (start, end) = (try read(Int64.self), try read(Int64.self))
        guard start >= 0, start < end, end <= byteCount else { throw failure("no range of the file") }
        segments.append(.copy(start..<end))
      case 1: segments.append(.bytes(Array(try readLengthPrefixed())))
      case let kind: throw failure("no part of a plan has kind \(kind)")
      }
    }
    let plan = SplicePlan(oldByteCount: byteCount, segments: segments)
    guard plan.newByteCount <= Self.maximumPlannedByteCount else {
      throw failure("a file of \(plan.newByteCount) bytes")
    }
    return plan
  }

  /// More than any file has; sums of sizes stay within 64 bits.
  private static let maximumPlannedByteCount: Int64 = 1 << 48

  private mutating func readCount(_ limit: Int) throws(Failure) -> Int {
    let count = Int(try read(UInt32.self))
    guard count <= limit else { throw failure("count \(count) exceeds \(limit)") }
    return count
  }
}

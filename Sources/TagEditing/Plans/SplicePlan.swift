import AudioDecoding
package import MediaModel

/// How a file becomes another one: ranges of it that are copied, and bytes between them.
///
/// An editor only makes the plan; who writes the new file is somebody else.
package struct SplicePlan: Hashable, Sendable {
  package enum Segment: Hashable, Sendable {
    /// Bytes of the file that is there.
    case copy(Range<Int64>)
    case bytes([UInt8])

    package var byteCount: Int64 {
      switch self {
      case .copy(let range): range.upperBound - range.lowerBound
      case .bytes(let bytes): Int64(bytes.count)
      }
    }
  }

  /// Of the file that the plan is for. A file of another length is another file.
  package let oldByteCount: Int64
  package let newByteCount: Int64
  /// In the order of the new file; no two copies or bytes follow each other, and none is empty.
  package let segments: [Segment]

  package init(oldByteCount: Int64, segments: [Segment]) {
    self.oldByteCount = oldByteCount
    var joined: [Segment] = []
    for segment in segments where segment.byteCount > 0 {
      switch (joined.last, segment) {
      case (.copy(let last), .copy(let next)) where last.upperBound == next.lowerBound:
        joined[joined.count - 1] = .copy(last.lowerBound..<next.upperBound)
      case (.bytes(let last), .bytes(let next)): joined[joined.count - 1] = .bytes(last + next)
      default: joined.append(segment)
      }
    }
    self.segments = joined
    newByteCount = joined.reduce(0) { $0 + $1.byteCount }
  }

  /// Whether the file stays as it is.
  package var isEmpty: Bool { segments == (oldByteCount == 0 ? [] : [.copy(0..<oldByteCount)]) }

  /// Bytes that are written, not copied.
  package var writtenByteCount: Int64 {
    segments.reduce(0) { if case .bytes(let bytes) = $1 { $0 + Int64(bytes.count) } else { $0 } }
  }

  /// The new file; for files that fit into memory.
  package func applied(to file: [UInt8]) -> [UInt8] {
    precondition(Int64(file.count) == oldByteCount, "a plan for another file")
    return segments.reduce(into: []) { new, segment in
      switch segment {
      case .copy(let range): new += file[Int(range.lowerBound)..<Int(range.upperBound)]
      case .bytes(let bytes): new += bytes
      }
    }
  }
}

/// A plan, and the one that takes it back.
package struct ReversiblePlan: Hashable, Sendable {
  package let plan: SplicePlan
  /// Makes of the new file the old one, whose bytes that are gone it holds.
  package let undo: SplicePlan
  /// The stream of both files.
  package let stream: StreamIdentity

  package init(plan: SplicePlan, undo: SplicePlan, stream: StreamIdentity) {
    (self.plan, self.undo, self.stream) = (plan, undo, stream)
  }

  /// - Parameter splices: of `file`; none of them overlap.
  init(_ splices: [Splice], of file: BufferedBytes, stream: StreamIdentity) throws(TagEditRefusal) {
    self.stream = stream
    var (segments, undo): ([SplicePlan.Segment], [SplicePlan.Segment]) = ([], [])
    var (offset, newOffset): (Int64, Int64) = (0, 0)
    for splice in try Self.trimmed(splices, of: file) {
      // Tags that lie in each other.
      guard splice.new.range.lowerBound >= offset else { throw .malformed("two tags share bytes") }
      let kept = splice.new.range.lowerBound - offset
      segments += [.copy(offset..<offset + kept), .bytes(splice.new.bytes)]
      undo += [.copy(newOffset..<newOffset + kept), .bytes(splice.old)]
      offset = splice.new.range.upperBound
      newOffset += kept + Int64(splice.new.bytes.count)
    }
    let rest = file.byteCount - offset
    plan = SplicePlan(oldByteCount: file.byteCount, segments: segments + [.copy(offset..<offset + rest)])
    self.undo = SplicePlan(
      oldByteCount: plan.newByteCount, segments: undo + [.copy(newOffset..<newOffset + rest)])
  }

  /// In order, without the bytes at both ends that stay the same.
  private static func trimmed(
    _ splices: [Splice], of file: BufferedBytes
  ) throws(TagEditRefusal) -> [(new: Splice, old: [UInt8])] {
    var result: [(new: Splice, old: [UInt8])] = []
    for splice in splices.inOrder {
      let count = Int(splice.range.upperBound - splice.range.lowerBound)
      let old = try reading { () throws(DecodingError) in
        try file.file.bytes(at: splice.range.lowerBound, count: count)
      }
      guard old.count == count else { throw .malformed("the file ends in its tags") }
      let head = zip(old, splice.bytes).prefix { $0 == $1 }.count
      let tail = zip(old.dropFirst(head).reversed(), splice.bytes.dropFirst(head).reversed()).prefix { $0 == $1 }.count
      let range = splice.range.lowerBound + Int64(head)..<splice.range.upperBound - Int64(tail)
      let new = Splice(range, Array(splice.bytes.dropFirst(head).dropLast(tail)))
      if new.range.isEmpty, new.bytes.isEmpty { continue }
      result.append((new, Array(old.dropFirst(head).dropLast(tail))))
    }
    return result
  }
}

/// The file that a plan would make, read without being written.
final class PlannedBytes: JoinedBytes {
  private let file: FileBytes
  private let segments: [(start: Int64, segment: SplicePlan.Segment)]
  private let byteCount: Int64

  init(_ plan: SplicePlan, of file: FileBytes) {
    self.file = file
    var start: Int64 = 0
    segments = plan.segments.map { segment in
      defer { start += segment.byteCount }
      return (start, segment)
    }
    byteCount = plan.newByteCount
  }

  var buffered: BufferedBytes { BufferedBytes(FileBytes(self, byteCount: byteCount)) }

  func read(into buffer: UnsafeMutableRawBufferPointer, at place: Int64) throws(DecodingError) -> Int {
    var done = 0
    // The last segment that begins at or before the place.
    var (low, high) = (0, segments.count)
    while low < high {
      let middle = (low + high) / 2
      if segments[middle].start <= place { low = middle + 1 } else { high = middle }
    }
    for (start, segment) in segments[max(0, low - 1)...] where done < buffer.count {
      let skipped = place + Int64(done) - start
      guard skipped >= 0, skipped < segment.byteCount else { continue }
      let count = Int(min(Int64(buffer.count - done), segment.byteCount - skipped))
      let target = UnsafeMutableRawBufferPointer(rebasing: buffer[done..<done + count])
      switch segment {
      case .copy(let range):
        let read = try file.read(into: target, at: range.lowerBound + skipped)
        done += read
        if read < count { return done }
      case .bytes(let bytes):
        bytes.withUnsafeBytes {
          target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[Int(skipped)..<Int(skipped) + count]))
        }
        done += count
      }
    }
    return done
  }
}

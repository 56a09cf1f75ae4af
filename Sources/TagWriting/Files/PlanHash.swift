internal import AudioDecoding
internal import Base
internal import Glibc
internal import MediaModel
internal import TagEditing

/// The hash of all bytes of files, and of those that a plan would make.
enum PlanHash {
  private static let blockByteCount = 1 << 20

  static func hash(descriptor: Int32, byteCount: Int64) throws(SystemError) -> ContentHash {
    try hash(SplicePlan(oldByteCount: byteCount, segments: [.copy(0..<byteCount)]), of: descriptor)
  }

  /// - Parameter descriptor: of the file that the plan is for.
  static func hash(_ plan: SplicePlan, of descriptor: Int32) throws(SystemError) -> ContentHash {
    guard let hasher = ContentHasher() else { throw SystemError(call: "malloc", code: ENOMEM) }
    var block = [UInt8](repeating: 0, count: Int(min(Int64(blockByteCount), max(plan.oldByteCount, 1))))
    for segment in plan.segments {
      switch segment {
      case .bytes(let bytes): bytes.withUnsafeBytes { hasher.update($0) }
      case .copy(let range):
        var offset = range.lowerBound
        while offset < range.upperBound {
          let wanted = Int(min(range.upperBound - offset, Int64(block.count)))
          let (count, failure) = block.withUnsafeMutableBytes {
            DescriptorBytes.read(
              from: descriptor, into: UnsafeMutableRawBufferPointer(rebasing: $0[..<wanted]), at: offset)
          }
          if let failure { throw failure }
          guard count == wanted else {
            throw SystemError(call: "read", code: ENODATA, detail: "the file has become shorter")
          }
          block.withUnsafeBytes { hasher.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
          offset += Int64(count)
        }
      }
    }
    return hasher.digest
  }
}

internal import CSndFile

/// What libsndfile's virtual input works on: a range of the descriptor with an offset of its own.
final class SoundFileSource {
  private let file: FileBytes
  private let range: Range<Int64>
  /// Within the range.
  var offset: Int64 = 0
  private(set) var failure: DecodingError?

  init(_ file: FileBytes, range: Range<Int64>) {
    self.file = file
    self.range = range
  }

  var byteCount: Int64 { range.upperBound - range.lowerBound }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let wanted = Int(max(0, min(Int64(buffer.count), byteCount - offset)))
    do throws(DecodingError) {
      let count = try file.read(
        into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]), at: range.lowerBound + offset)
      offset += Int64(count)
      return count
    } catch {
      failure = error
      return 0
    }
  }
}

private func source(_ context: UnsafeMutableRawPointer?) -> SoundFileSource? {
  context.map { Unmanaged<SoundFileSource>.fromOpaque($0).takeUnretainedValue() }
}

let soundFileLength: @convention(c) (UnsafeMutableRawPointer?) -> sf_count_t = { source($0)?.byteCount ?? 0 }

let soundFileTell: @convention(c) (UnsafeMutableRawPointer?) -> sf_count_t = { source($0)?.offset ?? 0 }

let soundFileSeek: @convention(c) (sf_count_t, Int32, UnsafeMutableRawPointer?) -> sf_count_t = {
  distance, whence, context in
  guard let source = source(context) else { return -1 }
  let base: Int64 =
    switch whence {
    case SEEK_CUR: source.offset
    case SEEK_END: source.byteCount
    default: 0
    }
  let (target, overflow) = base.addingReportingOverflow(distance)
  guard !overflow, target >= 0 else { return -1 }
  source.offset = target
  return target
}

let soundFileRead: @convention(c) (UnsafeMutableRawPointer?, sf_count_t, UnsafeMutableRawPointer?) -> sf_count_t = {
  buffer, count, context in
  guard let source = source(context), let buffer, count > 0 else { return 0 }
  return sf_count_t(source.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: Int(count))))
}

let soundFileWrite: @convention(c) (UnsafeRawPointer?, sf_count_t, UnsafeMutableRawPointer?) -> sf_count_t = {
  _, _, _ in 0
}

/// States of a decode between two packets, evenly spaced, thinned out as they grow so that their size is bounded.
struct OggCheckpoints {
  struct Checkpoint {
    /// Frames of the recording before it.
    let frame: Int64
    let linkNumber: Int
    let frameCountOfEarlierLinks: Int64
    let startGranule: Int64
    let linkFrameCount: Int64
    let remainingFrameCount: Int64?
    let pendingDelay: Int64
    let pageCount: OggPageCount
    let reader: OggPacketReader
    let decoderState: [UInt8]
  }

  /// Some 600 states of a stereo decoder.
  private static let maximumByteCount = 16 << 20

  /// Frames from one to the next; doubled whenever there are too many.
  private var stride: Int64
  private var checkpoints: [Checkpoint] = []
  private var byteCount = 0

  /// - Parameter stride: in frames, at first.
  init(stride: Int64) { self.stride = stride }

  /// Whether one at `frame` would be the next in the row.
  func isWanted(at frame: Int64) -> Bool { frame >= (checkpoints.last?.frame ?? 0) + stride }

  /// Adds one that ``isWanted(at:)`` asked for.
  mutating func add(_ checkpoint: Checkpoint) {
    checkpoints.append(checkpoint)
    byteCount += checkpoint.decoderState.count
    guard byteCount > Self.maximumByteCount else { return }
    stride *= 2
    checkpoints = checkpoints.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
    byteCount = checkpoints.reduce(0) { $0 + $1.decoderState.count }
  }

  /// The last one at or before `frame`; nil where there is none.
  func checkpoint(atOrBefore frame: Int64) -> Checkpoint? {
    var low = 0
    var high = checkpoints.count
    while low < high {
      let middle = (low + high) / 2
      if checkpoints[middle].frame <= frame { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? nil : checkpoints[low - 1]
  }
}

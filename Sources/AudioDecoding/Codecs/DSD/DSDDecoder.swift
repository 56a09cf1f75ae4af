import MediaModel

/// Decodes DSD to frames at 88.2 or 96 kHz; see ``DSDFilter``.
///
/// A frame depends only on the bytes around it, which are always added in the same order: positions are exact.
final class DSDDecoder: DecodingEngine {
  private static let framesPerBlock = 1024

  let format: AudioFormat
  let mediaFormat: MediaFormat
  let notes: [String] = []
  let streamProblem: Problem? = nil

  private let reader: DSDReader
  private let filter: DSDFilter
  private let hasher: SampleHasher?
  /// The frame of the next byte that is added.
  private var frameOfBytes: Int64 = 0
  /// For each channel: the frames that are complete, then those to which later bytes will add.
  private var sums: [Float]
  private let sumCount = framesPerBlock + DSDFilter.stride
  /// Among the frames of ``sums``.
  private var firstPending = framesPerBlock
  /// The next frame that is given out.
  private var position: Int64 = 0
  /// Fewer than at first if the file was cut since.
  private var frameCount: Int64

  init(_ bytes: BufferedBytes, layout: DSDLayout, options: DecodingOptions) throws(DecodingError) {
    reader = DSDReader(bytes: bytes, layout: layout)
    format = try .checked(
      sampleRateInHz: layout.sampleRateInHz, channelCount: layout.channelCount, sampleEncoding: .floatingPoint,
      channelMask: layout.channelMask)
    filter = DSDFilter(byteCountPerFrame: layout.byteCountPerFrame)
    hasher = options.hashesSamples ? SampleHasher(.dsd) : nil
    frameCount = layout.frameCount
    sums = [Float](repeating: 0, count: sumCount * layout.channelCount)
    mediaFormat = MediaFormat(
      container: layout.container, codec: .dsd, sampleRateInHz: layout.sampleRateInHz,
      channelCount: layout.channelCount, bitsPerSample: 1,
      bitRateInBitsPerSecond: layout.bitRateInHz * layout.channelCount, declaredFrameCount: layout.declaredFrameCount)
    enter(atFrame: 0)
  }

  var ownProblem: Problem? { reader.layout.ownProblem }

  func decode(into buffer: UnsafeMutableBufferPointer<Float>) throws(DecodingError) -> Int {
    let channelCount = format.channelCount
    while position < frameCount {
      if firstPending >= Self.framesPerBlock { try decodeBlock() }
      let count = min(
        Self.framesPerBlock - firstPending, buffer.count / channelCount,
        Int(clamping: frameCount - position))
      guard count > 0 else { return 0 }
      for channel in 0..<channelCount {
        var source = channel * sumCount + firstPending
        for target in stride(from: channel, to: count * channelCount, by: channelCount) {
          buffer[target] = sums[source]
          source += 1
        }
      }
      firstPending += count
      position += Int64(count)
      return count
    }
    return 0
  }

  func seek(toFrame frame: Int64) throws(DecodingError) -> Int64 {
    enter(atFrame: min(frame, frameCount))
    return position
  }

  func finishSampleHash() -> ContentHash? {
    hasher?.finish(
      AudioFormat(
        sampleRateInHz: reader.layout.bitRateInHz, channelCount: format.channelCount, channelMask: format.channelMask))
  }

  /// Begins with the first byte that adds to `frame`.
  private func enter(atFrame frame: Int64) {
    position = frame
    frameOfBytes = max(0, frame - Int64(DSDFilter.reach))
    for index in sums.indices { sums[index] = 0 }
    // Before the first block nothing is complete; the next one begins with the frame that is `reach` earlier.
    firstPending = Self.framesPerBlock + Int(frame - (frameOfBytes - Int64(DSDFilter.reach)))
  }

  /// Makes the next frames complete.
  private func decodeBlock() throws(DecodingError) {
    let channelCount = format.channelCount
    let first = frameOfBytes * Int64(filter.byteCountPerFrame)
    let wanted = max(0, min(Self.framesPerBlock * filter.byteCountPerFrame, Int(reader.layout.byteCount - first)))
    let bytes = try reader.interleaved(from: first, count: wanted)
    let there = bytes.count / channelCount
    if there < wanted { frameCount = min(frameCount, (first + Int64(there)) / Int64(filter.byteCountPerFrame)) }
    bytes.withUnsafeBytes { hasher?.add($0) }
    let isFirst = firstPending > Self.framesPerBlock
    sums.withUnsafeMutableBufferPointer { sums in
      for channel in 0..<channelCount {
        guard let channelSums = sums.baseAddress.map({ $0 + channel * sumCount }) else { return }
        // What was complete is given out; the rest moves to the start.
        for index in 0..<DSDFilter.stride { channelSums[index] = channelSums[Self.framesPerBlock + index] }
        for index in DSDFilter.stride..<sumCount { channelSums[index] = 0 }
        bytes.withUnsafeBufferPointer { bytes in
          guard let first = bytes.baseAddress, !bytes.isEmpty else { return }
          filter.add(
            first + channel, count: bytes.count / channelCount, byteStride: channelCount, to: channelSums)
        }
      }
    }
    frameOfBytes += Int64(Self.framesPerBlock)
    firstPending = isFirst ? firstPending - Self.framesPerBlock : 0
  }
}

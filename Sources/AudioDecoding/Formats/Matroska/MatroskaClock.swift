/// Finds out which packets are missing before a block of Matroska, by its time.
///
/// Times are rounded, mostly to milliseconds, and programs that record live give them as late as packets arrive: so a
/// block is compared with the end of the one before it, and a short pause is no loss. Times that go back say nothing.
struct MatroskaClock {
  /// Less is the inaccuracy of times.
  private static let leastSeconds = 0.1
  /// A track may begin late. Bytes at the start that could not be read stand for so much at most.
  private static let longestLostStartSeconds = 10.0
  /// More is reported, but not filled up.
  private static let longestFilledSeconds = 600.0
  /// By how much two rounded times may be off.
  private static let roundingSeconds = 0.002

  /// What is missing.
  struct Loss {
    /// Where, behind the first packet.
    let seconds: Double
    /// Of each packet; empty if there are too many to be filled up, or frames are not known.
    var frameCounts: [Int] = []
  }

  private let secondsPerTick: Double
  /// Of the codec; nil if frames are not known: then a block lasts as long as the longest one so far.
  private let sampleRateInHz: Int?
  private let frameCountPerPacket: Int?
  /// nil before the time of a cluster.
  private var clusterTime: Int64?
  /// Of the last block: its time, and the frames that it has given so far.
  private var blockSeconds: Double?
  private var frameCount = 0
  private var longestBlockSeconds: Double?
  /// Of the last packet that gave any.
  private var lastFrameCount = 0
  /// At which the decode begins.
  private var startSeconds: Double?
  private var hasSkippedBytes = false

  /// - Parameters:
  ///   - sampleRateInHz: Nil if nothing is known of frames.
  ///   - frameCountPerPacket: Nil if every packet states its own.
  init(nanosecondsPerTick: Int64, sampleRateInHz: Int?, frameCountPerPacket: Int?) {
    secondsPerTick = Double(nanosecondsPerTick) / 1e9
    self.sampleRateInHz = sampleRateInHz.map { max(1, $0) }
    self.frameCountPerPacket = frameCountPerPacket
  }

  /// Notes that bytes could not be read: if they are those before the first block, it may begin late because of them.
  mutating func noteSkippedBytes() { hasSkippedBytes = true }

  mutating func enterCluster() { clusterTime = nil }

  mutating func setClusterTime(_ time: UInt64?) { clusterTime = time.flatMap { $0 < 1 << 56 ? Int64($0) : nil } }

  /// Counts a packet that is there.
  mutating func add(frameCount stated: Int?) {
    let count = stated ?? frameCountPerPacket ?? 0
    frameCount += count
    if count > 0 { lastFrameCount = count }
  }

  /// Where the packets so far end, behind the first one.
  var elapsedSeconds: Double {
    guard let startSeconds, let end = endSeconds ?? blockSeconds else { return 0 }
    return max(0, end - startSeconds)
  }

  private var endSeconds: Double? {
    guard let blockSeconds else { return nil }
    if let sampleRateInHz { return blockSeconds + Double(frameCount) / Double(sampleRateInHz) }
    return longestBlockSeconds.map { blockSeconds + $0 }
  }

  /// Begins a block.
  ///
  /// - Parameter time: in ticks, counted from that of its cluster.
  /// - Returns: what is missing before it; nil if that is nothing.
  mutating func enterBlock(at time: Int) -> Loss? {
    guard let clusterTime else {
      blockSeconds = nil
      return nil
    }
    let seconds = Double(clusterTime + Int64(time)) * secondsPerTick
    let previous = blockSeconds
    let isLateStart = startSeconds == nil && hasSkippedBytes && seconds < Self.longestLostStartSeconds
    let start = startSeconds ?? (isLateStart ? 0 : seconds)
    let expected = startSeconds == nil ? start : endSeconds
    startSeconds = start
    let least = max(Self.leastSeconds, 0.75 * packetSeconds)
    defer { (blockSeconds, frameCount) = (seconds, 0) }
    guard let expected, seconds - expected > least else {
      if let previous { longestBlockSeconds = max(longestBlockSeconds ?? 0, seconds - previous) }
      // A new row of times.
      if let expected, seconds < expected - least { startSeconds = start + seconds - expected }
      return nil
    }
    var loss = Loss(seconds: max(0, expected - start))
    if seconds - expected <= Self.longestFilledSeconds { loss.frameCounts = frameCounts(seconds: seconds - expected) }
    if loss.frameCounts.isEmpty { startSeconds = start + seconds - expected }
    return loss
  }

  private var packetSeconds: Double {
    Double(frameCountPerPacket ?? lastFrameCount) / Double(sampleRateInHz ?? 1)
  }

  private func frameCounts(seconds: Double) -> [Int] {
    let size = frameCountPerPacket ?? lastFrameCount
    guard let sampleRateInHz, size > 0 else { return [] }
    let wanted = Int((seconds * Double(sampleRateInHz)).rounded())
    let count = (wanted + size / 2) / size
    // Packets of Vorbis have several lengths.
    let isWhole = Double(abs(wanted - count * size)) <= Self.roundingSeconds * Double(sampleRateInHz)
    if frameCountPerPacket != nil || isWhole { return Array(repeating: size, count: count) }
    return Array(repeating: size, count: wanted / size) + [wanted % size]
  }
}

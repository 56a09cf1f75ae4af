/// Finds out how much sound is lost before a packet, by the times that a container gives to packets.
///
/// A demuxer passes over what it cannot read without a word; only the time of the next packet shows it. Times are in
/// milliseconds, and packets that hold parts of each other's blocks begin up to half a block early or late: so what is
/// lost is counted in whole blocks, and less than ``leastSeconds`` is no loss.
struct PacketClock {
  private static let leastSeconds = 0.04
  /// A stream may begin that long after its own zero; one that begins much later was cut out of a longer one.
  private static let longestStartSeconds = 0.5
  private static let longestLostStartSeconds = 10.0
  /// It may end that long before the end that the header gives.
  private static let longestEndSeconds = 0.2

  private let sampleRateInHz: Int
  /// The length by the header, in frames; 0 if it is not known.
  private let duration: Int64
  /// The greatest number of frames of which all packets so far gave a multiple; 0 before the first one.
  private var blockFrameCount: Int64 = 0
  /// By how many frames the times are ahead of those that were decoded, at most, since the last loss.
  private var lead: Int64?
  /// The same of the first packet.
  private var firstLead: Int64 = 0
  private var packetCount = 0
  /// Of all packets so far.
  private var latestStart: Int64?

  init(sampleRateInHz: Int, duration: Int64) {
    self.sampleRateInHz = max(1, sampleRateInHz)
    self.duration = duration
  }

  /// How many frames are lost before a packet.
  ///
  /// - Parameters:
  ///   - start: when the packet begins.
  ///   - frame: the number of frames before it, with the silence that stands for what was lost earlier.
  ///   - hasLostStart: whether bytes before the first packet could not be read. Without them a late start may be meant.
  mutating func lostFrameCount(beforePacketAt start: Int64, atFrame frame: Int64, hasLostStart: Bool) -> Int64 {
    let (lead, overflow) = start.subtractingReportingOverflow(frame)
    guard !overflow, abs(lead) < 1 << 48 else { return 0 }
    defer { packetCount += 1 }
    guard let known = self.lead else {
      let isLost = hasLostStart && lead > 0 && Double(lead) < Self.longestLostStartSeconds * Double(sampleRateInHz)
      self.lead = isLost ? 0 : lead
      if packetCount == 0, !isLost { firstLead = lead }
      return isLost ? lead : 0
    }
    let block = Double(max(1, blockFrameCount))
    let lost = Double(lead - known)
    guard lost > leastFrameCount else {
      // The first packet may have frames before time zero, so that it says nothing about the others.
      self.lead = packetCount == 1 ? lead : max(lead, known)
      return 0
    }
    return Int64((lost / block).rounded()) * Int64(block)
  }

  /// Whether a packet begins before the one before it, by more than times are wrong: as where packets come twice.
  mutating func goesBack(toPacketAt start: Int64) -> Bool {
    guard abs(start) < 1 << 48 else { return false }
    defer { latestStart = max(start, latestStart ?? start) }
    guard let latestStart else { return false }
    return Double(latestStart - start) > leastFrameCount
  }

  /// Less is the inaccuracy of times.
  private var leastFrameCount: Double {
    max(0.75 * Double(max(1, blockFrameCount)), Self.leastSeconds * Double(sampleRateInHz))
  }

  /// What is lost, corrected by the packet behind: the first block of one that follows a loss may have begun in what is lost.
  ///
  /// - Parameters:
  ///   - next: when the packet behind begins.
  ///   - frame: as above, with what the packet gave.
  func lostFrameCount(_ lost: Int64, beforePacketAt next: Int64, atFrame frame: Int64) -> Int64 {
    guard let lead, abs(next) < 1 << 48 else { return lost }
    let block = max(1, blockFrameCount)
    let lost = (lost + block / 2) / block * block
    let more = (Double(next - frame - lead - lost) / Double(block)).rounded()
    return more == 1 ? lost + block : lost
  }

  /// Starts again with the next packet, if none has given a frame yet.
  mutating func restart() { lead = nil }

  mutating func add(frameCount: Int64) {
    var (a, b) = (blockFrameCount, frameCount)
    while b > 0 { (a, b) = (b, a % b) }
    blockFrameCount = a
  }

  /// Whether the stream begins late, and is shorter by as much than its header says.
  func hasMissingStart(atEnd frame: Int64) -> Bool {
    let (late, rate) = (Double(firstLead), Double(sampleRateInHz))
    guard late > Self.longestStartSeconds * rate, late < Self.longestLostStartSeconds * rate else { return false }
    return Double(duration - frame) > late - Self.longestEndSeconds * rate
  }
}

internal import CMusepack
import MediaModel

/// Decodes Musepack through libmpcdec, block by block.
///
/// Noise that replaces subbands depends on every block before: a frame is found by decoding from the start.
final class MusepackDecoder: DecodingEngine {
  let format: AudioFormat
  let mediaFormat: MediaFormat
  private(set) var streamProblem: Problem?
  let notes: [String] = []

  private let bytes: BufferedBytes
  private let layout: MusepackLayout
  private var decoder: Handle
  private var packets: MusepackPackets
  private var packet: MusepackPacket?
  /// Of the packet, as the decoder wants it, with padding.
  private var packetBytes: [UInt8] = []
  private var bit = 0
  private var blockCountInPacket = 0
  private var isPacketBroken = false
  /// Of the recording, where the packet begins. Nothing in a packet tells which of its blocks is the first wrong one.
  private var firstFrameOfPacket: Int64 = 0
  /// Of the last block; frames before `firstPending` are given out or dropped.
  private var samples: [Float]
  private var firstPending = Int(MusepackHeader.blockFrameCount)
  private var frameCountToDrop: Int64 = 0
  private var position: Int64 = 0
  private var allowance: SilenceAllowance

  private final class Handle {
    let pointer: OpaquePointer

    init(_ header: MusepackHeader) throws(DecodingError) {
      var setup = dw_musepack_setup(
        stream_version: Int32(header.version), channel_count: Int32(header.channelCount),
        maximum_band: Int32(header.maximumBand), has_mid_side: header.hasMidSide ? 1 : 0)
      guard let pointer = dw_musepack_open(&setup) else {
        throw .unsupported(reason: "not enough memory for a Musepack decoder")
      }
      self.pointer = pointer
    }

    deinit { dw_musepack_close(pointer) }
  }

  init(_ bytes: BufferedBytes, layout: MusepackLayout) throws(DecodingError) {
    if let problem = dw_musepack_load() { throw .missingLibrary(reason: String(cString: problem)) }
    let header = layout.header
    self.bytes = bytes
    self.layout = layout
    format = try .checked(
      sampleRateInHz: header.sampleRateInHz, channelCount: header.channelCount, sampleEncoding: .floatingPoint)
    allowance = SilenceAllowance(sampleRateInHz: format.sampleRateInHz)
    decoder = try Handle(header)
    packets = MusepackPackets(header, bytes: bytes, range: layout.range)
    samples = [Float](repeating: 0, count: Int(MusepackHeader.blockFrameCount) * header.channelCount)
    mediaFormat = MediaFormat(
      container: .musepack, codec: .musepack, sampleRateInHz: header.sampleRateInHz, channelCount: header.channelCount,
      bitRateInBitsPerSecond: layout.frameCount == 0
        ? nil
        : Int((Double(layout.byteCount) * 8 * Double(header.sampleRateInHz) / Double(layout.frameCount)).rounded()),
      declaredFrameCount: header.frameCount,
      delayFrameCount: header.silentFrameCount > 0 ? Int(clamping: header.silentFrameCount) : nil)
    try restart()
  }

  var ownProblem: Problem? { layout.ownProblem }

  func decode(into buffer: UnsafeMutableBufferPointer<Float>) throws(DecodingError) -> Int {
    while position < layout.frameCount {
      if firstPending == Int(MusepackHeader.blockFrameCount), try !decodeBlock() { return 0 }
      var count = Int(MusepackHeader.blockFrameCount) - firstPending
      if frameCountToDrop > 0 {
        count = Int(min(frameCountToDrop, Int64(count)))
        frameCountToDrop -= Int64(count)
        firstPending += count
        continue
      }
      count = min(count, buffer.count / format.channelCount, Int(clamping: layout.frameCount - position))
      guard count > 0 else { return 0 }
      let first = firstPending * format.channelCount
      samples.withUnsafeBufferPointer {
        _ = buffer.update(fromContentsOf: $0[first..<first + count * format.channelCount])
      }
      firstPending += count
      position += Int64(count)
      return count
    }
    return 0
  }

  func seek(toFrame frame: Int64) throws(DecodingError) -> Int64 {
    if frame < position { try restart() }
    return position
  }

  private func restart() throws(DecodingError) {
    allowance = SilenceAllowance(sampleRateInHz: format.sampleRateInHz)
    decoder = try Handle(layout.header)
    packets = MusepackPackets(layout.header, bytes: bytes, range: layout.range)
    packet = nil
    firstPending = Int(MusepackHeader.blockFrameCount)
    frameCountToDrop = MusepackHeader.delayFrameCount + layout.header.silentFrameCount
    position = 0
  }

  // MARK: Blocks

  /// Makes the samples of the next block ``samples``; false at the end.
  ///
  /// What does not decode becomes silence: the blocks behind it keep their places.
  private func decodeBlock() throws(DecodingError) -> Bool {
    if packet.map({ blockCountInPacket == $0.blockCount }) ?? true {
      guard let next = try packets.next() else { return false }
      try load(next)
    }
    guard let packet else { return false }
    firstPending = 0
    let isFirst = blockCountInPacket == 0
    blockCountInPacket += 1
    if !isPacketBroken {
      bit += packetBytes.withUnsafeBufferPointer { bytes in
        samples.withUnsafeMutableBufferPointer { samples in
          Int(dw_musepack_decode(decoder.pointer, bytes.baseAddress, bit, isFirst ? 1 : 0, samples.baseAddress))
        }
      }
      let isLast = blockCountInPacket == packet.blockCount
      // A packet ends with a whole byte.
      let isExact = !isLast || packet.endBit - bit < (layout.header.version == 8 ? 8 : 1)
      isPacketBroken = bit > packet.endBit || !isExact
    }
    let frameCount = Int(MusepackHeader.blockFrameCount)
    guard isPacketBroken else {
      allowance.addSound(frameCount: frameCount)
      return true
    }
    giveSilence()
    let byteCount = blockCountInPacket == 1 ? Int64(packet.range.count) : 0
    return allowance.addSilence(frameCount: frameCount, byteCount: byteCount)
  }

  private func load(_ next: MusepackPacket) throws(DecodingError) {
    packet = next
    packetBytes = try bytes.file.bytes(at: next.range.lowerBound, count: next.range.count)
    packetBytes.append(contentsOf: repeatElement(0, count: 4 + Int(dw_musepack_padding)))
    if layout.header.version == 7 {
      // Words of 32 bits, the lowest byte first, become bytes in the order of their bits.
      for word in stride(from: 0, to: next.range.count, by: 4) {
        packetBytes.swapAt(word, word + 3)
        packetBytes.swapAt(word + 1, word + 2)
      }
    }
    firstFrameOfPacket = max(0, position + frameCountToDrop - MusepackHeader.delayFrameCount)
    bit = next.firstBit
    blockCountInPacket = 0
    isPacketBroken = false
  }

  private func giveSilence() {
    for index in samples.indices { samples[index] = 0 }
    guard streamProblem == nil else { return }
    streamProblem = Problem(
      code: "undecodable", reason: "a Musepack packet cannot be decoded",
      positionInSeconds: Double(firstFrameOfPacket) / Double(format.sampleRateInHz))
  }
}

internal import CFFmpeg
import MediaModel

/// Decodes a file whose packets libavformat finds; a frame is reached by decoding from the start.
final class DemuxedDecoder: DecodingEngine {
  /// How many packets may come before the first frame.
  private static let longestStart = 16

  let format: AudioFormat
  let mediaFormat: MediaFormat
  let ownProblem: Problem? = nil
  let notes: [String] = []
  private(set) var streamProblem: Problem?

  private let bytes: BufferedBytes
  private let layout: DemuxedLayout
  private var file: DemuxedFile
  private let isInteger: Bool
  private let hasher: SampleHasher?
  /// Of the last packet, 32 bits each; those before `firstPending` are given out.
  private var samples: [UInt32] = []
  private var firstPending = 0
  private var packetNumber = 0
  private var isAtEnd = false
  private var position: Int64 = 0

  init(_ bytes: BufferedBytes, layout: DemuxedLayout, options: DecodingOptions) throws(DecodingError) {
    self.bytes = bytes
    self.layout = layout
    let first = try DemuxedFile(bytes, layout: layout)
    let stream = first.stream
    var shape: dw_ffmpeg_frame?
    for _ in 0..<Self.longestStart where shape == nil {
      guard let packet = try first.next() else { break }
      shape = first.decode(packet, into: &samples).frame
    }
    samples = []
    guard let shape else {
      throw .damaged(
        Problem(code: "undecodable", reason: "none of the first packets of \(stream.codec.rawValue) decodes"))
    }
    isInteger = shape.is_integer != 0
    format = try .checked(
      sampleRateInHz: Int(shape.sample_rate), channelCount: Int(shape.channel_count),
      sampleEncoding: isInteger ? .integer : .floatingPoint,
      channelMask: shape.channel_mask == 0 ? nil : UInt32(exactly: shape.channel_mask))
    let isLossless = stream.codec.isLossless
    let seconds = stream.frameCount.map { Double($0) / Double(max(1, stream.sampleRateInHz)) }
    let byteCount = Double(layout.hashed.upperBound - layout.hashed.lowerBound)
    let stated = (1...100_000_000).contains(stream.bitRateInBitsPerSecond) ? Int(stream.bitRateInBitsPerSecond) : nil
    let bitRate = seconds.map { Int((byteCount * 8 / max($0, 0.001)).rounded()) } ?? stated
    mediaFormat = MediaFormat(
      container: layout.container, codec: stream.codec, sampleRateInHz: format.sampleRateInHz,
      channelCount: format.channelCount,
      bitsPerSample: isLossless && (1...32).contains(stream.bitsPerSample) ? stream.bitsPerSample : nil,
      bitRateInBitsPerSecond: bitRate,
      declaredFrameCount: stream.frameCount)
    hasher =
      options.hashesSamples && isInteger ? SampleHasher.Form(stream.codec).flatMap { SampleHasher($0) } : nil
    file = try DemuxedFile(bytes, layout: layout)
  }

  func decode(into buffer: UnsafeMutableBufferPointer<Float>) throws(DecodingError) -> Int {
    let channelCount = format.channelCount
    while firstPending == samples.count { guard try decodePacket() else { return 0 } }
    let frameCount = min((samples.count - firstPending) / channelCount, buffer.count / channelCount)
    let count = frameCount * channelCount
    samples.withUnsafeBytes { samples in
      guard let source = samples.baseAddress.map({ $0 + 4 * firstPending }),
        let target = UnsafeMutableRawPointer(buffer.baseAddress)
      else { return }
      hasher?.add(UnsafeRawBufferPointer(start: source, count: 4 * count))
      if isInteger {
        FullScale.convert(source, to: target, count: count)
      } else {
        target.copyMemory(from: source, byteCount: 4 * count)
      }
    }
    firstPending += count
    position += Int64(frameCount)
    return frameCount
  }

  func seek(toFrame frame: Int64) throws(DecodingError) -> Int64 {
    if frame < position {
      file = try DemuxedFile(bytes, layout: layout)
      samples.removeAll(keepingCapacity: true)
      (firstPending, packetNumber, position, isAtEnd) = (0, 0, 0, false)
    }
    return position
  }

  func finishSampleHash() -> ContentHash? { hasher?.finish(format) }

  /// Makes the samples of the next packet ``samples``, perhaps none; false at the end.
  ///
  /// If the container says how long a packet is, one that does not decode becomes silence of that length.
  private func decodePacket() throws(DecodingError) -> Bool {
    samples.removeAll(keepingCapacity: true)
    firstPending = 0
    guard !isAtEnd else { return false }
    let packet = try file.next()
    isAtEnd = packet == nil
    let result = file.decode(packet, into: &samples)
    let hasShape = result.frame.map {
      Int($0.sample_rate) == format.sampleRateInHz && Int($0.channel_count) == format.channelCount
        && ($0.is_integer != 0) == isInteger
    }
    if !result.isIntact || hasShape == false { note(result.frame, hasShape: hasShape ?? true) }
    if hasShape == false { samples.removeAll(keepingCapacity: true) }
    let wanted = Int(min(packet?.frameCount ?? 0, 1 << 22)) * format.channelCount
    if !result.isIntact, samples.count < wanted {
      samples.append(contentsOf: repeatElement(0, count: wanted - samples.count))
    }
    packetNumber += 1
    return true
  }

  private func note(_ frame: dw_ffmpeg_frame?, hasShape: Bool) {
    guard streamProblem == nil else { return }
    if let frame, !hasShape {
      streamProblem = .parametersChange(
        atFrame: position,
        to: AudioFormat.shape(sampleRateInHz: Int(frame.sample_rate), channelCount: Int(frame.channel_count)),
        sampleRateInHz: format.sampleRateInHz)
    } else {
      streamProblem = Problem(
        code: "undecodable", reason: "packet \(packetNumber) of \(mediaFormat.codec?.rawValue ?? "") does not decode",
        positionInSeconds: Double(position) / Double(format.sampleRateInHz))
    }
  }
}

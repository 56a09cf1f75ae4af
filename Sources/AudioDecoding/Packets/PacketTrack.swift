import MediaModel

/// An audio track as packets: how they are decoded, which frames of theirs are the recording, and where they are.
struct PacketTrack {
  /// Where the packets are.
  enum Source {
    case mp4(MP4Samples)
    case adts(ADTSFrames)
  }

  let container: Container
  let codec: PacketCodec
  let source: Source
  /// Of the packets that are there, and their bytes.
  let packetCount: Int64
  let byteCount: Int64
  /// What the decoder gives for the first packets; nil if it is not there, or decodes none of them.
  let decoded: FFmpegDecoder.Frames?
  /// Frames of the decode before the recording, and of the recording; the rest at the end is dropped.
  let skippedFrameCount: Int64
  let frameCount: Int64
  /// What the container says, in frames of the decode.
  private(set) var delayFrameCount: Int?
  private(set) var declaredFrameCount: Int64?
  private(set) var ownProblem: Problem?
  private(set) var notes: [String] = []

  /// Frames of the decode for each packet but the last.
  var frameCountPerPacket: Int64 { Int64(codec.frameCountPerPacket) * Int64(rateFactor) }

  /// Of the decode; that of the core if nothing could be decoded.
  var sampleRateInHz: Int { decoded?.sampleRateInHz ?? codec.sampleRateInHz }

  private var rateFactor: Int { codec.rateFactor(decoded) }

  var statement: StreamStatement {
    StreamStatement(
      isSound: ownProblem == nil && !notes.contains("header-lies"), delayFrameCount: delayFrameCount,
      frameCount: frameCount)
  }

  func makeReader(_ bytes: BufferedBytes) -> any PacketReader {
    switch source {
    case .mp4(let samples): MP4SampleReader(bytes.file, samples: samples)
    case .adts(let frames): ADTSFrameReader(bytes, frames: frames)
    }
  }
}

extension PacketTrack {
  /// Of an ADTS stream, which says nothing about its length.
  init(_ frames: ADTSFrames, bytes: BufferedBytes) throws(DecodingError) {
    let codec = PacketCodec.aac(frames.configuration, extradata: frames.configuration.bytes ?? [])
    self.init(
      container: .adts, codec: codec, source: .adts(frames), packetCount: frames.packetCount,
      byteCount: frames.byteCount, decoded: try Self.decode(codec, ADTSFrameReader(bytes, frames: frames), bytes))
    ownProblem = frames.problem(frameCountPerPacket: frameCountPerPacket, sampleRateInHz: sampleRateInHz)
  }

  /// Of an MP4 file.
  init(_ samples: MP4Samples, bytes: BufferedBytes) throws(DecodingError) {
    let codec = try samples.codec
    let decoded = try Self.decode(codec, MP4SampleReader(bytes.file, samples: samples), bytes)
    let timing = MP4Timing(
      samples, sampleRateInHz: decoded?.sampleRateInHz ?? codec.sampleRateInHz,
      frameCountPerPacket: Int64(codec.frameCountPerPacket * codec.rateFactor(decoded)))
    self.init(
      container: .mp4, codec: codec, source: .mp4(samples), packetCount: samples.packetCount,
      byteCount: samples.byteCount, decoded: decoded, skippedFrameCount: timing.delayFrameCount ?? 0,
      frameCount: timing.frameCount)
    delayFrameCount = timing.delayFrameCount.map { Int($0) }
    declaredFrameCount = timing.declaredFrameCount
    notes = timing.notes
    if let declared = declaredFrameCount, declared > frameCount {
      ownProblem = .truncated(
        frameCount: frameCount, declaredFrameCount: declared, sampleRateInHz: sampleRateInHz)
    }
  }

  private init(
    container: Container, codec: PacketCodec, source: Source, packetCount: Int64, byteCount: Int64,
    decoded: FFmpegDecoder.Frames?
  ) {
    self.init(
      container: container, codec: codec, source: source, packetCount: packetCount, byteCount: byteCount,
      decoded: decoded, skippedFrameCount: 0,
      frameCount: packetCount * Int64(codec.frameCountPerPacket * codec.rateFactor(decoded)))
  }

  private init(
    container: Container, codec: PacketCodec, source: Source, packetCount: Int64, byteCount: Int64,
    decoded: FFmpegDecoder.Frames?, skippedFrameCount: Int64, frameCount: Int64
  ) {
    self.container = container
    self.codec = codec
    self.source = source
    self.packetCount = packetCount
    self.byteCount = byteCount
    self.decoded = decoded
    self.skippedFrameCount = skippedFrameCount
    self.frameCount = frameCount
  }

  /// What a decoder gives for the first packets. Spectral band replication and parametric stereo may show only there,
  /// and not in the very first one.
  private static func decode(
    _ codec: PacketCodec, _ reader: any PacketReader, _ bytes: BufferedBytes
  ) throws(DecodingError) -> FFmpegDecoder.Frames? {
    guard let decoder = try? FFmpegDecoder(codec) else { return nil }
    var samples: [UInt32] = []
    var found: FFmpegDecoder.Frames?
    for _ in 0..<(codec.restart == .anywhere ? 1 : 16) {
      guard let packet = try reader.next() else { break }
      let frames = try bytes.withBytes(of: packet) { decoder.decode($0, into: &samples) }
      found = frames ?? found
    }
    return found
  }
}

extension PacketCodec {
  /// 2 if spectral band replication doubles the rate of the core, else 1.
  fileprivate func rateFactor(_ decoded: FFmpegDecoder.Frames?) -> Int {
    max(1, (decoded?.sampleRateInHz ?? 0) / max(1, sampleRateInHz))
  }
}

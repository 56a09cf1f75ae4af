internal import CFFmpeg
import MediaModel

/// Where a file has its stream whose packets FFmpeg finds.
struct DemuxedLayout {
  /// FFmpeg knows its reader by the same name.
  let container: Container
  let rules: StreamHashers.Rules
  /// Without the tags around it.
  let range: Range<Int64>
  /// What is hashed, and before it the configuration of the packets, if it is not among them.
  let hashed: Range<Int64>
  var configuration: [UInt8] = []
  /// What else a reader of the packets uses; empty if it is usual.
  var unusualReading = ""
  /// Bytes of packets that the header promises and the file does not have.
  var missingByteCount: Int64 = 0
  /// Of a packet of the container, which may hold several of the stream; 0 if there are none.
  var packetByteCount: Int64 = 0
  /// Whether all packets of the container have this length.
  var hasEqualPackets = false
}

extension DemuxedLayout: StreamLayout {
  /// Only a decode tells.
  var declaration: StreamDeclaration { StreamDeclaration() }

  func finish(_ hashers: StreamHashers, _ bytes: BufferedBytes) throws(DecodingError) -> Int64? {
    guard let packets = ContentHasher() else { throw .unsupported(reason: "not enough memory for a hash") }
    try bytes.forEachPiece(in: hashed) { packets.update($0) }
    func add(to hash: ContentHasher, _ reading: String) {
      hash.begin(rules)
      hash.note(length: Int64(configuration.count))
      hash.note(configuration)
      hash.note(reading)
      hash.note(packets)
    }
    add(to: hashers.current, unusualReading)
    if !unusualReading.isEmpty { add(to: hashers.replaced, "") }
    return hashed.upperBound - hashed.lowerBound
  }

  func makeEngine(
    _ bytes: BufferedBytes, in container: Container, options: DecodingOptions
  ) throws(DecodingError) -> any DecodingEngine {
    try DemuxedDecoder(bytes, layout: self, options: options)
  }
}

/// A file that is open in libavformat, from its first packet on.
final class DemuxedFile {
  /// What the header says of the first audio stream.
  struct Stream {
    let codec: Codec
    let sampleRateInHz: Int
    let channelCount: Int
    let bitsPerSample: Int
    let bitRateInBitsPerSecond: Int64
    /// Frames that the header counts; nil if it does not.
    let frameCount: Int64?
    /// The length that the header gives in time, in frames; 0 if it does not.
    let duration: Int64
  }

  /// One packet; `bytes` is valid until the next one is read.
  struct DemuxedPacket {
    let bytes: UnsafeRawBufferPointer
    /// 0 if the container does not say it.
    let frameCount: Int64
    /// When it begins, in frames, to some milliseconds; nil if the container does not say it.
    let start: Int64?
    /// Whether it begins elsewhere than the container's packets do, which all have one length.
    let isDisplaced: Bool
    /// Whether it is the first one, and libavformat has passed over bytes before it.
    let followsLostStart: Bool
  }

  private final class Input {
    let file: FileBytes
    let range: Range<Int64>
    var failure: DecodingError?

    init(_ file: FileBytes, range: Range<Int64>) {
      self.file = file
      self.range = range
    }

    func read(at offset: Int64, into bytes: UnsafeMutableRawBufferPointer) -> Int32 {
      let start = range.lowerBound + offset
      guard offset >= 0, start < range.upperBound else { return 0 }
      let count = Int(min(Int64(bytes.count), range.upperBound - start))
      do throws(DecodingError) {
        return Int32(try file.read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[..<count]), at: start))
      } catch {
        failure = failure ?? error
        return -1
      }
    }
  }

  let stream: Stream
  let decoder: FFmpegDecoder
  private let input: Input
  private let demuxer: OpaquePointer
  private let layout: DemuxedLayout
  private var isFirst = true

  init(_ bytes: BufferedBytes, layout: DemuxedLayout) throws(DecodingError) {
    if let problem = dw_ffmpeg_demuxer_load() { throw .missingLibrary(reason: String(cString: problem)) }
    input = Input(bytes.file, range: layout.range)
    self.layout = layout
    var source = dw_ffmpeg_source(
      context: Unmanaged.passUnretained(input).toOpaque(),
      read: { context, offset, bytes, size in
        guard let context else { return -1 }
        return Unmanaged<Input>.fromOpaque(context).takeUnretainedValue().read(
          at: offset, into: UnsafeMutableRawBufferPointer(start: bytes, count: Int(size)))
      }, byte_count: layout.range.upperBound - layout.range.lowerBound)
    guard let demuxer = dw_ffmpeg_demuxer_open(layout.container.rawValue, &source) else {
      if let failure = input.failure { throw failure }
      throw .damaged(
        Problem(code: "malformed", reason: "no audio stream in \(layout.container.displayName), by FFmpeg"))
    }
    var found = dw_ffmpeg_stream()
    dw_ffmpeg_demuxer_stream(demuxer, &found)
    let name = found.codec.map { String(cString: $0) } ?? "unknown"
    guard let decoder = FFmpegDecoder(found) else {
      dw_ffmpeg_demuxer_close(demuxer)
      throw .unsupported(reason: "no decoder for \(name) in \(layout.container.displayName)")
    }
    let setup = found.setup
    stream = Stream(
      codec: Codec(rawValue: name), sampleRateInHz: Int(setup.sample_rate), channelCount: Int(setup.channel_count),
      bitsPerSample: Int(setup.bits_per_sample), bitRateInBitsPerSecond: setup.bit_rate,
      frameCount: found.frame_count > 0 ? found.frame_count : nil, duration: found.duration)
    self.demuxer = demuxer
    self.decoder = decoder
  }

  deinit { dw_ffmpeg_demuxer_close(demuxer) }

  /// Bytes behind the last packet of any stream so far.
  var unreadByteCount: Int64 {
    let last = dw_ffmpeg_demuxer_last_offset(demuxer)
    guard last >= 0, layout.packetByteCount > 0 else { return 0 }
    return max(0, layout.hashed.upperBound - layout.range.lowerBound - last - layout.packetByteCount)
  }

  /// The next packet; nil at the end.
  func next() throws(DecodingError) -> DemuxedPacket? {
    var packet = dw_ffmpeg_packet()
    let isThere = dw_ffmpeg_demuxer_next(demuxer, &packet) == 1
    if let failure = input.failure { throw failure }
    guard isThere else { return nil }
    defer { isFirst = false }
    let firstOffset = layout.hashed.lowerBound - layout.range.lowerBound
    let place = packet.offset - firstOffset
    return DemuxedPacket(
      bytes: UnsafeRawBufferPointer(start: packet.bytes, count: packet.size), frameCount: packet.frame_count,
      start: packet.start == .min ? nil : packet.start,
      isDisplaced: layout.hasEqualPackets && place > 0 && place % layout.packetByteCount != 0,
      followsLostStart: isFirst && place > 0)
  }
}

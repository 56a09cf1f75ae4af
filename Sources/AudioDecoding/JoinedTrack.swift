import MediaModel

/// A track whose packets are read as a file of their own.
struct JoinedTrack {
  let container: Container
  /// The packets, and what they hold.
  let bytes: BufferedBytes
  let content: SniffedContent
  let layout: StreamLayout
  /// What the container says.
  let ownProblem: Problem?
  let notes: [String]
  /// Those of the packets, if the stream is hashed.
  let hashers: StreamHashers?

  /// nil if the packets do not hold what the container promises.
  ///
  /// - Parameter trimming: what the container says about frames of MPEG audio; a frame of their own counts more.
  init?(
    _ source: any PacketSource, form: TrackForm, in container: Container, ownProblem: Problem?, notes: [String],
    bytes: BufferedBytes, hashers: StreamHashers?, trimming: (MPEGLayout) -> MPEGLayout.Trimming?
  ) throws(DecodingError) {
    var head: [UInt8] = []
    var content = SniffedContent.audio(container, name: "")
    if case .stream(let stream, let header) = form { (content, head) = (stream, header) }
    self.container = container
    self.content = content
    self.ownProblem = ownProblem
    self.notes = notes
    self.bytes = BufferedBytes(try JoinedPackets(source, bytes: bytes, head: head).file)
    var own: StreamHashers?
    if let hashers { own = try StreamHashers(current: hashers.current) }
    self.hashers = own
    switch try form.find(in: self.bytes, hashers: own) {
    case .none: return nil
    case .mpeg(var stream):
      if stream.infoFrames.isEmpty { stream.trimming = trimming(stream) }
      layout = .mpeg(stream)
    case let found: layout = found
    }
  }

  var declaration: StreamDeclaration {
    var declaration = layout.declaration
    declaration.isSound = declaration.isSound && ownProblem == nil
    return declaration
  }
}

/// Decodes a joined track as the file that it is read as, and adds what is wrong with its container.
final class JoinedTrackDecoder: DecodingEngine {
  private let engine: any DecodingEngine
  private let container: Container
  private let containerProblem: Problem?
  let notes: [String]

  init(_ engine: any DecodingEngine, track: JoinedTrack) {
    self.engine = engine
    container = track.container
    containerProblem = track.ownProblem
    notes = engine.notes + track.notes
  }

  var format: AudioFormat { engine.format }

  var mediaFormat: MediaFormat {
    var format = engine.mediaFormat
    format.container = container
    return format
  }

  var ownProblem: Problem? { containerProblem ?? engine.ownProblem }
  var streamProblem: Problem? { engine.streamProblem }
  var countedByteCount: Int64? { engine.countedByteCount }
  var hasMatchingChecksum: Bool { engine.hasMatchingChecksum }

  func decode(into buffer: UnsafeMutableBufferPointer<Float>) throws(DecodingError) -> Int {
    try engine.decode(into: buffer)
  }

  func seek(toFrame frame: Int64) throws(DecodingError) -> Int64 { try engine.seek(toFrame: frame) }

  func finish(frameCount: Int64) { engine.finish(frameCount: frameCount) }

  func finishSampleHash() -> ContentHash? { engine.finishSampleHash() }
}

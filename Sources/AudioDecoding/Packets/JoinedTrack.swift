import MediaModel

/// A track whose packets are read as a file of their own.
struct JoinedTrack {
  /// The packets, and what they hold.
  private let joined: BufferedBytes
  private let layout: any StreamLayout
  /// What the container says.
  fileprivate let ownProblem: Problem?
  fileprivate let notes: [String]
  /// Those of the packets, if the stream is hashed.
  private let hashers: StreamHashers?

  /// nil if the packets do not hold what the container promises.
  init?(
    _ source: any PacketSource, form: JoinedForm, ownProblem: Problem?, notes: [String],
    bytes: BufferedBytes, hashers: StreamHashers?, trimming: Trimming.Source
  ) throws(DecodingError) {
    self.ownProblem = ownProblem
    self.notes = notes
    joined = BufferedBytes(try JoinedPackets(source, bytes: bytes, head: form.head).file)
    var own: StreamHashers?
    if let hashers { own = try StreamHashers(current: hashers.current) }
    self.hashers = own
    guard let layout = try form.open(joined, own, trimming) else { return nil }
    self.layout = layout
  }
}

extension JoinedTrack: StreamLayout {
  var declaration: StreamDeclaration {
    var declaration = layout.declaration
    declaration.isSound = declaration.isSound && ownProblem == nil
    return declaration
  }

  func finish(_ hashers: StreamHashers, _ bytes: BufferedBytes) throws(DecodingError) -> Int64? {
    guard let own = self.hashers else { return nil }
    return try layout.finish(own, joined)
  }

  func account(to account: inout FileAccount) throws(DecodingError) {
    var inner = FileAccount(joined)
    try layout.account(to: &inner)
    account.add(inner)
  }

  func makeEngine(
    _ bytes: BufferedBytes, in container: Container, options: DecodingOptions
  ) throws(DecodingError) -> any DecodingEngine {
    JoinedTrackDecoder(try layout.makeEngine(joined, in: container, options: options), track: self, in: container)
  }
}

/// Decodes a joined track as the file that it is read as, and adds what is wrong with its container.
final class JoinedTrackDecoder: DecodingEngine {
  private let engine: any DecodingEngine
  private let container: Container
  private let containerProblem: Problem?
  let notes: [String]

  init(_ engine: any DecodingEngine, track: JoinedTrack, in container: Container) {
    self.engine = engine
    self.container = container
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

import MediaModel

/// A format of files: how it is recognised, and what a file of it holds.
///
/// Each format is a folder here, which nothing that reads names but its line in ``FormatRegistry``. It finds and
/// describes the stream; decoders are in `Codecs`, and C libraries nowhere else.
protocol FileFormat: Sendable {
  /// The containers that are usual under an extension of a file's name, in lower case without the dot.
  var containersByExtension: [String: Set<Container>] { get }

  /// Whether offsets in a file count from behind the tags that were put before it.
  var hasOwnOffsets: Bool { get }

  /// Recognises a file by what it begins with; nil if it is of another format.
  func sniff(_ start: FileStart) throws(DecodingError) -> SniffedContent?

  /// Recognises frames without a signature before them, where the audio of a file begins. Asked only if no format knows
  /// the start of the file.
  func sniffFrames(_ bytes: BufferedBytes, between tags: TagBounds) throws(DecodingError) -> SniffedContent?

  /// Searches for the first of such frames behind bytes that belong to none: blanks, the rest of a frame that was cut, a
  /// tag that is longer than it says. Asked only if no format has them where the audio begins.
  ///
  /// - Parameter limit: a frame that begins at it or later does not count.
  func findFrames(
    _ bytes: BufferedBytes, between tags: TagBounds, before limit: Int64
  ) throws(DecodingError) -> FoundFrames?

  /// Recognises what is left of a file that was cut in its tag or before its first frame ends. Asked last.
  func sniffRemains(_ bytes: BufferedBytes, between tags: TagBounds) throws(DecodingError) -> SniffedContent?

  /// Finds the stream of a file in one walk.
  ///
  /// - Parameter hashers: get the packets that are walked one by one; nil if the stream is not to be hashed.
  /// - Throws: why nothing of the file can be decoded, with the position if it is known.
  func open(_ file: SniffedFile, hashers: StreamHashers?) throws(DecodingError) -> any StreamLayout

  /// The ranges of a file of which version 1 of the hash is made, unless its layout makes it: all of the file, or what
  /// it is without tags. They cannot change any more.
  func formerRanges(_ file: SniffedFile) throws(DecodingError) -> [Range<Int64>]

  /// Reports what a file holds besides its stream, its tags and the structure of its container (docs/decisions/0088).
  func account(_ file: SniffedFile, _ layout: any StreamLayout, to account: inout FileAccount) throws(DecodingError)

  /// By default the tags before and behind the audio.
  func readTags(_ file: SniffedFile, with reader: TagReader) throws(DecodingError) -> TagReading

  /// The chapters or tracks that a file describes itself; nil if there are none, and then those that its tags describe
  /// count.
  func parts(
    _ file: SniffedFile, describedBy tags: PartList?, sampleRateInHz rate: Int
  ) throws(DecodingError) -> PartList?
}

extension FileFormat {
  var hasOwnOffsets: Bool { false }

  func sniff(_ start: FileStart) throws(DecodingError) -> SniffedContent? { nil }

  func sniffFrames(_ bytes: BufferedBytes, between tags: TagBounds) throws(DecodingError) -> SniffedContent? { nil }

  func findFrames(
    _ bytes: BufferedBytes, between tags: TagBounds, before limit: Int64
  ) throws(DecodingError) -> FoundFrames? { nil }

  func sniffRemains(_ bytes: BufferedBytes, between tags: TagBounds) throws(DecodingError) -> SniffedContent? { nil }

  func formerRanges(_ file: SniffedFile) throws(DecodingError) -> [Range<Int64>] { [0..<file.bytes.byteCount] }

  func account(
    _ file: SniffedFile, _ layout: any StreamLayout, to account: inout FileAccount
  ) throws(DecodingError) {}

  func readTags(_ file: SniffedFile, with reader: TagReader) throws(DecodingError) -> TagReading {
    try reader.collect { (collector) throws(DecodingError) in try collector.add(SurroundingTags(file.bytes)) }
  }

  func parts(
    _ file: SniffedFile, describedBy tags: PartList?, sampleRateInHz rate: Int
  ) throws(DecodingError) -> PartList? { nil }
}

/// Frames that were found behind bytes that are none.
struct FoundFrames {
  let content: SniffedContent
  /// Of the first one.
  let offset: Int64
  /// Whether what follows the first frame proves it; if not, a format whose frames begin later may have the file.
  var isProven = true
}

/// What a file begins with, or what stands behind the tags there.
struct FileStart {
  /// The marks of the oldest tracker modules are the last bytes that anyone looks at.
  private static let byteCount = 1084

  let bytes: BufferedBytes
  let offset: Int64
  /// The bytes from `offset` on, fewer at the end of the file.
  let head: [UInt8]

  init(_ bytes: BufferedBytes, at offset: Int64) throws(DecodingError) {
    self.bytes = bytes
    self.offset = offset
    head = try bytes.copy(at: offset, count: Self.byteCount)
  }

  func has(_ ascii: StaticString, at place: Int) -> Bool { head.has(ascii, at: place) }
}

/// A file whose format is known.
struct SniffedFile {
  let bytes: BufferedBytes
  let content: SniffedContent
  let container: Container

  /// What is known before it is opened.
  var bareFormat: MediaFormat { MediaFormat(container: container, codec: content.codec) }

  /// Why a file is not decoded for whose codec there is no decoder.
  var undecodable: DecodingError {
    // Such as "no audio track".
    content.codec == nil && content.name.hasPrefix("no ")
      ? .unsupported(reason: "\(content.name) in \(container.displayName)")
      : .unsupported(reason: "no decoder for \(content.name) in \(container.displayName)")
  }
}

package import MediaModel

/// One open file and what it holds: its format, the identity of its stream, its tags, its audio.
///
/// It only reads the descriptor with `pread`: it opens nothing, does not move the descriptor's position, and does not
/// close it. The descriptor must be that of a regular file, and stay open as long as a decoder from here lives.
package struct MediaFile: ~Copyable {
  /// Container and codec, or what the file is instead.
  package let content: SniffedContent
  /// `extension-mismatch` if the file's name suggests something else; after ``identify(onRead:)`` also ``ContentNote``.
  package private(set) var notes: [String]

  private let bytes: BufferedBytes
  private var layout: StreamLayout?

  /// - Parameters:
  ///   - byteCount: the length of the file; what is appended later is ignored.
  ///   - pathExtension: of the file's name, in lower case; used for the note only.
  package init(descriptor: Int32, byteCount: Int64, pathExtension: String) throws(DecodingError) {
    let whole = BufferedBytes(FileBytes(descriptor: descriptor, byteCount: byteCount))
    let found = try ContentSniffer.sniff(whole)
    // The offsets in an MP4 file do not know of a tag that was put before it.
    let origin = found.container == .mp4 ? try TagBounds.start(of: whole) : 0
    bytes =
      origin == 0 ? whole : BufferedBytes(FileBytes(descriptor: descriptor, byteCount: byteCount, origin: origin))
    content = found
    notes = content.isExpected(underExtension: pathExtension) ? [] : ["extension-mismatch"]
  }

  /// Which stream the file holds, and what the file says about it.
  ///
  /// - Parameter onRead: called several times a megabyte, because this reads the whole file.
  package mutating func identify(onRead: () -> Void = {}) throws(DecodingError) -> StreamIdentity {
    let (bytes, content) = (bytes, content)
    let (result, found) = try bytes.signalling(onRead) { () throws(DecodingError) in
      let result = try StreamIdentifier(bytes: bytes, content: content).identify()
      return (result, try FileAccount.notes(bytes, content: content, layout: result.layout))
    }
    layout = result.layout
    notes += found
    return result.identity
  }

  /// Tags, pictures, and what the tag library says about containers without a decoder.
  ///
  /// The library is known to crash and hang on hostile files: call this in a worker process only.
  ///
  /// - Throws: if the system cannot read all bytes of the tags.
  package func readTags() throws(DecodingError) -> TagReading {
    try TagReader(file: bytes.file, content: content).read()
  }

  /// The chapters or tracks that the file describes itself, in frames of its recording; nil if there are none.
  ///
  /// Call it in a worker process only.
  package func readParts(_ tags: Tags, sampleRateInHz rate: Int) throws(DecodingError) -> PartList? {
    guard let container = content.container else { return nil }
    return try PartReader.read(bytes, container: container, tags: tags, sampleRateInHz: rate)
  }

  /// The part of ``readTags()`` that does not use the tag library, and may be called in any process.
  package func readMisencodedText() throws(DecodingError) -> Tags {
    guard let container = content.container else { return Tags() }
    return try MisencodedText(bytes, container: container).tags
  }

  /// The decoder for the stream; throws if there is none, or the file is too damaged.
  ///
  /// - Parameters:
  ///   - verifiesChecksum: whether to compare the MD5 of decoded FLAC with the one in its header.
  ///   - hashesSamples: whether ``AudioDecoder/decodedStream`` is to have the hash of the samples.
  ///   - seekingMethod: `.byCounting` for a file that is known to be damaged.
  ///   - onRead: called several times a megabyte if ``identify(onRead:)`` was not called before, because MPEG and Ogg
  ///     are then walked to their end here; not called when the decoder reads.
  package borrowing func makeDecoder(
    verifiesChecksum: Bool = false, hashesSamples: Bool = false, seekingMethod: SeekingMethod = .byPosition,
    onRead: () -> Void = {}
  ) throws(DecodingError) -> any AudioDecoder {
    let (bytes, content, layout) = (bytes, content, layout)
    let engine = try bytes.signalling(onRead) { () throws(DecodingError) in
      try DecodingEngines.open(
        bytes, content: content, layout: layout,
        options: DecodingOptions(verifiesChecksum: verifiesChecksum, hashesSamples: hashesSamples))
    }
    return EngineDecoder(engine, seekingMethod: seekingMethod)
  }
}

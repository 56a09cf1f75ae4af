package import MediaModel

/// One open file on its way from bytes to knowledge: what it is, its identity, its tags, its sound.
///
/// Works on the descriptor alone, with `pread`: nothing is opened, the descriptor's position is not moved, and it is
/// not closed at the end. It must be a regular file and stay open as long as a decoder made here lives.
package struct MediaFile: ~Copyable {
  /// Container and codec, or what the file is instead.
  package let content: SniffedContent
  /// `extension-mismatch` where the file's name promises something else.
  package let notes: [String]

  private let bytes: BufferedBytes
  private var layout: StreamLayout?

  /// - Parameters:
  ///   - byteCount: the length to believe; what is appended later is not looked at.
  ///   - pathExtension: of the file's name, in lower case; used for the note only.
  package init(descriptor: Int32, byteCount: Int64, pathExtension: String) throws(DecodingError) {
    bytes = BufferedBytes(FileBytes(descriptor: descriptor, byteCount: byteCount))
    content = try ContentSniffer.sniff(bytes)
    notes = content.isExpected(underExtension: pathExtension) ? [] : ["extension-mismatch"]
  }

  /// The hash that identifies the sound, and the number of bytes it is of.
  ///
  /// - Parameter onRead: called several times a megabyte, because this reads the whole file.
  package mutating func hashPayload(
    onRead: () -> Void = {}
  ) throws(DecodingError) -> (hash: ContentHash, byteCount: Int64) {
    let (bytes, content) = (bytes, content)
    let result = try bytes.signalling(onRead) { () throws(DecodingError) in
      try PayloadHasher(bytes: bytes, content: content).hash()
    }
    layout = result.layout
    return (result.hash, result.byteCount)
  }

  /// Whether the file says how much of its decoded audio the encoder added, known after ``hashPayload(onRead:)``.
  ///
  /// That is in a frame of MPEG audio that is not part of the sound: of two files with one sound, one may say it.
  package var statesEncoderDelay: Bool {
    guard case .mpeg(let stream)? = layout else { return false }
    return stream.infoFrames.first?.delayFrameCount != nil
  }

  /// Whether nothing but the sound lies between the first and the last of its frames or pages, and its chunks are in
  /// order, known after ``hashPayload(onRead:)``.
  ///
  /// Junk is not part of the sound, and neither are headers: two files may have one sound, and one of them is damaged.
  package var isIntact: Bool {
    switch layout {
    case .mpeg(let stream)?: stream.interruption == nil && !stream.isCutAtEnd
    case .ogg(let stream)?: stream.links.allSatisfy { $0.fault == nil }
    case .pcm(let layout)?: layout.problem == nil
    default: true
    }
  }

  /// Tags, pictures, and what the tag library says of containers that have no decoder.
  ///
  /// The library is known to crash and hang on hostile files: call this in a worker process only.
  ///
  /// - Throws: where the system does not give all bytes of the tags: then nothing is known of them.
  package func readTags() throws(DecodingError) -> TagReading {
    try TagReader(file: bytes.file, content: content).read()
  }

  /// The part of ``readTags()`` that is read without the tag library, and can be in any process.
  package func readMisencodedText() throws(DecodingError) -> Tags {
    guard let container = content.container else { return Tags() }
    return try MisencodedText(bytes, container: container).tags
  }

  /// The decoder for the sound; throws where there is none, or the file is beyond decoding.
  ///
  /// - Parameters:
  ///   - verifiesChecksum: also compare the MD5 of decoded FLAC with the one in its header.
  ///   - seekingMethod: by counting for a file that is known to be damaged.
  ///   - onRead: called several times a megabyte, because MPEG and Ogg are walked from end to end where
  ///     ``hashPayload(onRead:)`` did not do it before; not called when the decoder reads.
  package borrowing func makeDecoder(
    verifiesChecksum: Bool = false, seekingMethod: SeekingMethod = .byPosition, onRead: () -> Void = {}
  ) throws(DecodingError) -> any AudioDecoder {
    let (bytes, content, layout) = (bytes, content, layout)
    let engine = try bytes.signalling(onRead) { () throws(DecodingError) in
      try DecodingEngines.open(bytes, content: content, layout: layout, verifiesChecksum: verifiesChecksum)
    }
    return EngineDecoder(engine, seekingMethod: seekingMethod)
  }
}

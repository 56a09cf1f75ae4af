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
  /// The file and its format; nil if it is no audio.
  private let sniffed: (file: SniffedFile, format: any FileFormat)?
  /// What opening it has found, or why it cannot be decoded; nil until it was opened.
  private var opened: Result<any StreamLayout, DecodingError>?

  /// - Parameters:
  ///   - byteCount: the length of the file; what is appended later is ignored.
  ///   - pathExtension: of the file's name, in lower case; used for the note only.
  package init(descriptor: Int32, byteCount: Int64, pathExtension: String) throws(DecodingError) {
    let whole = BufferedBytes(FileBytes(descriptor: descriptor, byteCount: byteCount))
    try self.init(whole, pathExtension: pathExtension) {
      BufferedBytes(FileBytes(descriptor: descriptor, byteCount: byteCount, origin: $0))
    }
  }

  /// A file that exists only in parts, such as one that an edit would make: it can be identified and its tags be read, but
  /// not decoded.
  package init(_ bytes: BufferedBytes) throws(DecodingError) {
    try self.init(bytes, pathExtension: "") { _ in bytes }
  }

  /// - Parameter cut: the file from an offset on.
  private init(
    _ whole: BufferedBytes, pathExtension: String, cut: (Int64) -> BufferedBytes
  ) throws(DecodingError) {
    let (found, format) = try FormatRegistry.sniff(whole)
    let origin = format?.hasOwnOffsets == true ? try TagBounds.start(of: whole) : 0
    let bytes = origin == 0 ? whole : cut(origin)
    self.bytes = bytes
    content = found
    notes = []
    guard let format, let container = found.container else {
      sniffed = nil
      return
    }
    sniffed = (SniffedFile(bytes: bytes, content: found, container: container), format)
    if !FormatRegistry.isExpected(container, underExtension: pathExtension) { notes.append("extension-mismatch") }
  }

  /// Which stream the file holds, and what the file says about it.
  ///
  /// - Parameter onRead: called several times a megabyte, because this reads the whole file.
  package mutating func identify(onRead: () -> Void = {}) throws(DecodingError) -> StreamIdentity {
    let (bytes, sniffed, content) = (bytes, sniffed, content)
    let (identity, opened, found) = try bytes.signalling(onRead) { () throws(DecodingError) in
      let hashers = try StreamHashers()
      let opened = try Self.open(sniffed, content, hashers: hashers)
      guard let (file, format) = sniffed, case .success(let layout) = opened else {
        var ranges = [0..<bytes.byteCount]
        if let (file, format) = sniffed { ranges = try format.formerRanges(file) }
        try Self.add(ranges, of: bytes, to: hashers.former)
        return (Self.identity(hashers, byteCount: nil, StreamDeclaration()), opened, [String]())
      }
      if !layout.hasFormerHash { try Self.add(format.formerRanges(file), of: bytes, to: hashers.former) }
      let identity = Self.identity(hashers, byteCount: try layout.finish(hashers, bytes), layout.declaration)
      let notes = try FileAccount.notes(bytes) { (account) throws(DecodingError) in
        try format.account(file, layout, to: &account)
        try layout.account(to: &account)
      }
      return (identity, opened, notes)
    }
    self.opened = opened
    notes += found
    return identity
  }

  /// - Parameter byteCount: of the stream; nil if only version 1 of the hash identifies it.
  private static func identity(
    _ hashers: StreamHashers, byteCount: Int64?, _ declaration: StreamDeclaration
  ) -> StreamIdentity {
    let former = hashers.former
    guard let byteCount else {
      return StreamIdentity(hash: former.digest, hashVersion: 1, byteCount: former.byteCount, declaration: declaration)
    }
    return StreamIdentity(
      hash: hashers.current.digest, replacedHash: hashers.replaced.isEmpty ? nil : hashers.replaced.digest,
      formerHash: former.digest, byteCount: byteCount, declaration: declaration)
  }

  private static func add(
    _ ranges: [Range<Int64>], of bytes: BufferedBytes, to hash: ContentHasher
  ) throws(DecodingError) {
    for range in ranges { try bytes.forEachPiece(in: range) { hash.update($0) } }
  }

  /// The only place at which a format opens a file.
  ///
  /// - Throws: if the system cannot read all bytes. What is wrong with the file itself is in the result.
  private static func open(
    _ sniffed: (file: SniffedFile, format: any FileFormat)?, _ content: SniffedContent, hashers: StreamHashers?
  ) throws(DecodingError) -> Result<any StreamLayout, DecodingError> {
    guard let (file, format) = sniffed else {
      return .failure(content.kind == .empty ? .empty(reason: "0 bytes") : .notAudio(what: content.name))
    }
    if content.isProtected {
      return .failure(.unsupported(reason: "\(content.name) in \(file.container.displayName) is encrypted"))
    }
    do throws(DecodingError) { return .success(try format.open(file, hashers: hashers)) } catch {
      if case .unreadable = error { throw error }
      return .failure(error)
    }
  }

  /// Why nothing of the stream can be decoded, so that only the bytes of the whole file identify it; nil if there is nothing in the
  /// way.
  package func obstacle() throws(DecodingError) -> DecodingError? {
    let opened = if let opened { opened } else { try Self.open(sniffed, content, hashers: nil) }
    return if case .failure(let error) = opened { error } else { nil }
  }

  /// Tags and pictures; and what TagLib says about the audio, unless it is known that the file can be opened.
  ///
  /// TagLib, which also reads the tags of tracker modules, is known to crash and hang on hostile files: call this in a
  /// worker process only.
  ///
  /// - Throws: if the system cannot read all bytes of the tags.
  package func readTags() throws(DecodingError) -> TagReading { try readTags(usingLibraries: true) }

  /// - Parameter usingLibraries: false leaves out what TagLib reads: then any process may call this.
  package func readTags(usingLibraries: Bool) throws(DecodingError) -> TagReading {
    guard let (file, format) = sniffed else { return TagReading() }
    // What was buffered earlier does not hide that the tags cannot be read.
    let unread = SniffedFile(bytes: BufferedBytes(bytes.file), content: file.content, container: file.container)
    let isOpen = if case .success? = opened { true } else { false }
    return try format.readTags(
      unread, with: TagReader(bytes: unread.bytes, usesLibraries: usingLibraries, measures: !isOpen))
  }

  /// The chapters or tracks that the file describes itself, in frames of its recording; nil if there are none. What its
  /// container says comes before what its tags say.
  ///
  /// Call it in a worker process only.
  package func readParts(_ tags: Tags, sampleRateInHz rate: Int) throws(DecodingError) -> PartList? {
    guard let (file, format) = sniffed else { return nil }
    let described = PartList(describedBy: tags, sampleRateInHz: rate)
    return try format.parts(file, describedBy: described, sampleRateInHz: rate) ?? described
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
    let (bytes, sniffed, content, known) = (bytes, sniffed, content, opened)
    let engine = try bytes.signalling(onRead) { () throws(DecodingError) in
      let opened = if let known { known } else { try Self.open(sniffed, content, hashers: nil) }
      let layout = try opened.get()
      guard let container = content.container else { throw .notAudio(what: content.name) }
      return try layout.makeEngine(
        bytes, in: container,
        options: DecodingOptions(verifiesChecksum: verifiesChecksum, hashesSamples: hashesSamples))
    }
    return EngineDecoder(engine, seekingMethod: seekingMethod)
  }
}

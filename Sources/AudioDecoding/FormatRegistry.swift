import MediaModel

/// The formats that are read, one a line. The first one that recognises a file is its format.
package enum FormatRegistry {
  /// The version of the code that reads files: format detection, hashing, tags, decoding.
  ///
  /// Raise it when a file can be read that could not be read before: the next scan then tries files again that were
  /// unsupported, timed out or crashed. Version 3 hashes streams by the rules of ``StreamIdentity/currentVersion`` 2; version 4
  /// decodes AAC and ALAC in MP4 and ADTS, and reads the tags of more formats that it does not decode; version 5
  /// decodes WavPack, True Audio, AC-3, E-AC-3, DTS, Musepack, Speex, tracker modules, DSD, Windows Media, Monkey's
  /// Audio and TAK; version 6 finds the audio of Windows Media behind covers, and of MP4 and DSD behind tags at the
  /// start of the file; version 7 notes what a file holds besides its stream (``ContentNote``); version 8 decodes AMR; version
  /// 9 searches for the first frame of all bare streams, and decodes AIFF and Wave64 whose length was left open, DTS and
  /// AC-3 in place of samples, and what follows packets that do not decode.
  package static let version = 9

  static let formats: [any FileFormat] = [
    // Before FLAC, whose frames may begin with the same bits.
    ADTSFormat(),
    FLACFormat(),
    OggFormat(),
    WAVFormat(),
    Wave64Format(),
    AIFFFormat(),
    CAFFormat(),
    AUFormat(),
    MP4Format(),
    ASFFormat(),
    MatroskaFormat(),
    MonkeysAudioFormat(),
    WavPackFormat(),
    MusepackFormat(),
    TrueAudioFormat(),
    DSDFormat(),
    TAKFormat(),
    AC3AndDTSFormat(),
    AMRFormat(),
    UndecodedFormats(),
    // Its marks stand so far behind that other files have them by chance.
    TrackerModuleFormat(),
    // Last, because a file without a frame of any format may still be the rest of an MP3.
    MPEGFormat(),
  ]

  /// Finds out container and codec from the bytes of a file, never from its name; the format is nil if it is no audio.
  static func sniff(
    _ bytes: BufferedBytes
  ) throws(DecodingError) -> (content: SniffedContent, format: (any FileFormat)?) {
    guard bytes.byteCount > 0 else { return (.empty, nil) }
    if let found = try sniff(bytes, at: 0) { return found }
    let tags = try TagBounds(bytes)
    let start = tags.audio.lowerBound
    if start > 0, let found = try sniff(bytes, at: start) { return found }
    for format in formats {
      if let content = try format.sniffFrames(bytes, between: tags) { return (content, format) }
    }
    let markup = ForeignContent.markupName(try bytes.copy(at: start, count: 4096))
    if let found = try findFrames(bytes, between: tags), markup == nil || found.frames.isProven {
      return (found.frames.content, found.format)
    }
    if let markup { return (.other(markup), nil) }
    for format in formats {
      if let content = try format.sniffRemains(bytes, between: tags) { return (content, format) }
    }
    if let text = ForeignContent.textName(try bytes.copy(at: 0, count: 4096)) { return (.other(text), nil) }
    return (.other(bytes.byteCount < 16 ? "unknown" : "no audio frame in the first 2 MiB"), nil)
  }

  /// The frames that begin first behind bytes that are none, whatever their format.
  private static func findFrames(
    _ bytes: BufferedBytes, between tags: TagBounds
  ) throws(DecodingError) -> (frames: FoundFrames, format: any FileFormat)? {
    var first: (frames: FoundFrames, format: any FileFormat)?
    // The most common one first: the others search no further than to its frames.
    for format in formats.reversed() {
      let limit = first.flatMap { $0.frames.isProven ? $0.frames.offset : nil } ?? tags.audio.upperBound
      if let found = try format.findFrames(bytes, between: tags, before: limit) { first = (found, format) }
    }
    return first
  }

  private static func sniff(
    _ bytes: BufferedBytes, at offset: Int64
  ) throws(DecodingError) -> (content: SniffedContent, format: (any FileFormat)?)? {
    let start = try FileStart(bytes, at: offset)
    for format in formats {
      if let content = try format.sniff(start) { return (content, format) }
    }
    return ForeignContent.name(start.head).map { (.other($0), nil) }
  }

  /// Whether a container is usual for a file name with this extension (lower case, no dot); true if the extension is
  /// not known.
  static func isExpected(_ container: Container, underExtension pathExtension: String) -> Bool {
    containersByExtension[pathExtension]?.contains(container) ?? true
  }

  private static let containersByExtension = formats.reduce(into: [String: Set<Container>]()) { table, format in
    table.merge(format.containersByExtension) { $0.union($1) }
  }
}

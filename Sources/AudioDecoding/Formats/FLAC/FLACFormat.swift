import MediaModel

/// FLAC with its own header, or without one.
struct FLACFormat: FileFormat {
  let containersByExtension: [String: Set<Container>] = ["flac": [.flac], "fla": [.flac]]

  func sniff(_ start: FileStart) -> SniffedContent? {
    start.has("fLaC", at: 0) ? .audio(.flac, .flac, name: "FLAC") : nil
  }

  func sniffFrames(_ bytes: BufferedBytes, between tags: TagBounds) throws(DecodingError) -> SniffedContent? {
    let head = try bytes.copy(at: tags.audio.lowerBound, count: FLACFrameShape.maximumByteCount)
    return FLACFrameShape.isHeader(head) ? .audio(.flac, .flac, name: "FLAC") : nil
  }

  func findFrames(
    _ bytes: BufferedBytes, between tags: TagBounds, before limit: Int64
  ) throws(DecodingError) -> FoundFrames? {
    guard let start = try FLACStart.search(bytes, around: tags.audio), start < limit else { return nil }
    return FoundFrames(content: .audio(.flac, .flac, name: "FLAC"), offset: start)
  }

  func open(_ file: SniffedFile, hashers: StreamHashers?) throws(DecodingError) -> any StreamLayout {
    let audio = try TagBounds(file.bytes).audio
    let range = try FLACStart.range(file.bytes, audio)
    return try FLACLayout(file.bytes, range: range, behind: min(audio.lowerBound, range.lowerBound)..<range.lowerBound)
  }

  func readTags(_ file: SniffedFile, with reader: TagReader) throws(DecodingError) -> TagReading {
    try reader.collect { (collector) throws(DecodingError) in
      let blocks = try FLACComments(file.bytes)
      var contents =
        try blocks.comments.map { (tag) throws(DecodingError) in try TagContents(comments: tag) } ?? TagContents()
      for picture in blocks.pictures { contents.addFLACPicture(try blocks.picture(picture)) }
      if blocks.isOdd { contents.isOdd = true }
      collector.add(contents)
      let audio = try TagBounds(file.bytes).audio
      let hasJunk = try FLACStart.range(file.bytes, audio).lowerBound > audio.lowerBound
      try collector.add(SurroundingTags(file.bytes, skipsJunk: hasJunk), [.id3v2, .ape, .id3v1])
    }
  }

  /// The block has no names; a sheet in the comments may have them.
  func parts(
    _ file: SniffedFile, describedBy tags: PartList?, sampleRateInHz rate: Int
  ) throws(DecodingError) -> PartList? {
    try FLACCueSheet.parts(file.bytes)?.named(by: tags)
  }
}

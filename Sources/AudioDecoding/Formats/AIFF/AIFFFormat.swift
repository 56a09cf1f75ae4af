import MediaModel

/// AIFF and AIFF-C.
struct AIFFFormat: SampleFormat {
  let containersByExtension: [String: Set<Container>] = [
    "aif": [.aiff], "aiff": [.aiff], "aifc": [.aiff], "afc": [.aiff],
  ]

  private static let chunks = ChunkRow(
    form: .iff, dataName: "SSND",
    known: [
      "COMM", "FVER", "MARK", "INST", "COMT", "NAME", "AUTH", "(c) ", "ANNO", "AESD", "APPL", "MIDI", "SAXL", "ID3 ",
      "id3 ", "CHAN", "PEAK", "basc", "trns", "cate", "BASC", "TRNS", "CATE", "iXML", "bext", "LGWV", "ResU", "AFSP",
      "afsp",
    ])

  func sniff(_ start: FileStart) throws(DecodingError) -> SniffedContent? {
    guard start.has("FORM", at: 0), start.has("AIFF", at: 8) || start.has("AIFC", at: 8) else { return nil }
    return try content(start.bytes, in: .aiff)
  }

  func layout(_ bytes: BufferedBytes) throws(DecodingError) -> PCMLayout {
    try .aiff(bytes, from: TagBounds.start(of: bytes))
  }

  func account(_ file: SniffedFile, _ layout: any StreamLayout, to account: inout FileAccount) throws(DecodingError) {
    guard let layout = layout as? PCMLayout else { return }
    let origin = try TagBounds.start(of: file.bytes)
    try account.add(Self.chunks, from: origin + 12, origin: origin, data: layout.data)
  }

  /// TagLib expects IFF at the start of what it reads.
  func readTags(_ file: SniffedFile, with reader: TagReader) throws(DecodingError) -> TagReading {
    try reader.collect { (collector) throws(DecodingError) in
      let chunks = try AIFFTags(file.bytes, from: TagBounds.start(of: file.bytes))
      for tag in chunks.id3v2 { collector.add(try TagContents(id3v2: tag)) }
      collector.add(try TagContents(aiff: chunks.texts))
      try collector.add(SurroundingTags(file.bytes))
    }
  }

  func parts(
    _ file: SniffedFile, describedBy tags: PartList?, sampleRateInHz rate: Int
  ) throws(DecodingError) -> PartList? {
    let start = try TagBounds.start(of: file.bytes) + 12
    guard let tag = try ChunkForm.iff.id3Chunk(file.bytes, from: start) else { return nil }
    return try ID3Chapters.parts(file.bytes, tag: tag, sampleRateInHz: rate)
  }
}

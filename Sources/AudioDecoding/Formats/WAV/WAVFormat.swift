import MediaModel

/// WAV, also with the highest byte first (RIFX) and with lengths of 64 bits (RF64, BW64).
struct WAVFormat: SampleFormat {
  let containersByExtension: [String: Set<Container>] = [
    "wav": [.wav, .rf64], "wave": [.wav, .rf64], "bwf": [.wav, .rf64], "rf64": [.rf64],
  ]

  fileprivate static let chunks = ChunkRow(
    form: .riff, dataName: "data",
    known: [
      "fmt ", "ds64", "fact", "LIST", "list", "id3 ", "ID3 ", "bext", "cue ", "iXML", "aXML", "axml", "_PMX", "smpl",
      "inst", "plst", "note", "labl", "acid", "strc", "cart", "afsp", "DISP", "PEAK", "chna", "ubxt", "umid", "CDif",
      "SAUR", "levl", "r64m", "MD5 ", "minf", "elm1", "regn", "DGDA", "ResU", "LGWV", "clm ", "ovwf", "trkn", "tlst",
      "mext", "qlty", "link", "slnt", "CSET", "sndm", "SyLp", "AFAn", "bwf ", "mark", "suml", "summ",
    ])

  func sniff(_ start: FileStart) throws(DecodingError) -> SniffedContent? {
    guard start.has("WAVE", at: 8) else { return nil }
    let isPlain = start.has("RIFF", at: 0) || start.has("RIFX", at: 0)
    guard isPlain || start.has("RF64", at: 0) || start.has("BW64", at: 0) else { return nil }
    return try content(start.bytes, in: isPlain ? .wav : .rf64)
  }

  func layout(_ bytes: BufferedBytes) throws(DecodingError) -> PCMLayout {
    try .wav(bytes, from: TagBounds.start(of: bytes))
  }

  func account(_ file: SniffedFile, _ layout: any StreamLayout, to account: inout FileAccount) throws(DecodingError) {
    guard let layout = layout as? PCMLayout else { return }
    let origin = try TagBounds.start(of: file.bytes)
    var chunks = Self.chunks
    if try file.bytes.matches("RIFX", at: origin) { chunks.form = .iff }
    try account.add(chunks, from: origin + 12, origin: origin, data: layout.data)
  }

  /// TagLib knows no RF64, and expects RIFF at the start of what it reads.
  func readTags(_ file: SniffedFile, with reader: TagReader) throws(DecodingError) -> TagReading {
    try reader.collect { (collector) throws(DecodingError) in
      let chunks = try RIFFTags(file.bytes, from: TagBounds.start(of: file.bytes))
      for tag in chunks.id3v2 { collector.add(try TagContents(id3v2: tag)) }
      for tag in chunks.info { collector.add(try TagContents(info: tag, codePage: chunks.codePage)) }
      try collector.add(SurroundingTags(file.bytes))
    }
  }

  func parts(
    _ file: SniffedFile, describedBy tags: PartList?, sampleRateInHz rate: Int
  ) throws(DecodingError) -> PartList? {
    guard file.container == .wav else { return nil }
    let start = try TagBounds.start(of: file.bytes) + 12
    guard let tag = try ChunkForm.riff.id3Chunk(file.bytes, from: start) else { return nil }
    return try ID3Chapters.parts(file.bytes, tag: tag, sampleRateInHz: rate)
  }
}

/// Sony's Wave64: the chunks of WAV with identifiers of 16 bytes and lengths of 64 bits.
struct Wave64Format: SampleFormat {
  let containersByExtension: [String: Set<Container>] = ["w64": [.w64], "wav": [.w64]]

  func sniff(_ start: FileStart) throws(DecodingError) -> SniffedContent? {
    guard start.has("riff", at: 0), start.has("wave", at: 24) else { return nil }
    return try content(start.bytes, in: .w64)
  }

  func layout(_ bytes: BufferedBytes) throws(DecodingError) -> PCMLayout {
    try .wave64(bytes, from: TagBounds.start(of: bytes))
  }

  func account(_ file: SniffedFile, _ layout: any StreamLayout, to account: inout FileAccount) throws(DecodingError) {
    guard let layout = layout as? PCMLayout else { return }
    let origin = try TagBounds.start(of: file.bytes)
    var chunks = WAVFormat.chunks
    chunks.form = .wave64
    try account.add(chunks, from: origin + 40, origin: origin, data: layout.data)
  }
}

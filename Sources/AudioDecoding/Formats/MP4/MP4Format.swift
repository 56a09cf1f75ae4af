import MediaModel

/// MP4 and QuickTime (ISO 14496-12).
struct MP4Format: FileFormat {
  let containersByExtension: [String: Set<Container>] = [
    "m4a": [.mp4], "m4b": [.mp4], "m4p": [.mp4], "mp4": [.mp4], "mov": [.mp4], "aac": [.mp4],
  ]
  let hasOwnOffsets = true

  /// Boxes with which a file may begin.
  private static let firstBoxes: [StaticString] = ["ftyp", "moov", "mdat", "free", "skip", "wide", "pnot"]

  func sniff(_ start: FileStart) throws(DecodingError) -> SniffedContent? {
    guard Self.firstBoxes.contains(where: { start.has($0, at: 4) }) else { return nil }
    return try MP4Layout(start.bytes, start: start.offset).content
  }

  func open(_ file: SniffedFile, hashers: StreamHashers?) throws(DecodingError) -> any StreamLayout {
    let bytes = file.bytes
    let layout = try MP4Layout(bytes)
    guard let track = layout.track else { throw file.undecodable }
    switch try track.description.form {
    case .packets(let form):
      let hasher = hashers.map { form.hasher($0) }
      let samples = try MP4Samples(
        bytes, track: track, fragments: layout.fragments, durations: form.durations,
        filledAtSampleRateInHz: form.codec.sampleRateInHz, onPacket: hasher?.add)
      hasher?.finish()
      return try PacketTrack(samples, form: form, notes: layout.notes, bytes: bytes)
    case .joined(let form):
      let samples = try MP4Samples(bytes, track: track, fragments: layout.fragments)
      let joined = try JoinedTrack(
        samples, form: form, ownProblem: samples.problem, notes: layout.notes, bytes: bytes, hashers: hashers,
        trimming: samples.trimming)
      guard let joined else { throw file.undecodable }
      return joined
    }
  }

  func formerRanges(_ file: SniffedFile) throws(DecodingError) -> [Range<Int64>] {
    let media = try MP4Layout(file.bytes).mediaData
    return media.isEmpty ? [0..<file.bytes.byteCount] : media
  }

  func account(_ file: SniffedFile, _ layout: any StreamLayout, to account: inout FileAccount) throws(DecodingError) {
    try account.addBoxes()
  }

  func readTags(_ file: SniffedFile, with reader: TagReader) throws(DecodingError) -> TagReading {
    try reader.collect(measuring: file.bareFormat, as: .mp4) { (collector) throws(DecodingError) in
      let boxes = try MP4TagBoxes(file.bytes)
      for tag in try MP4ItemReader.tags(file.bytes, boxes) { collector.add(try TagContents(mp4: tag)) }
      if boxes.isMovieCut { collector.noteOddity() }
      for contents in try QuickTimeTags.contents(file.bytes, boxes) { collector.add(contents) }
    }
  }

  func parts(
    _ file: SniffedFile, describedBy tags: PartList?, sampleRateInHz rate: Int
  ) throws(DecodingError) -> PartList? {
    try MP4Chapters(file.bytes, sampleRateInHz: rate).parts
  }
}

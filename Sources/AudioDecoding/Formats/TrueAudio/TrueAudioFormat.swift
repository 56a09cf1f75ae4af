import MediaModel

/// True Audio.
struct TrueAudioFormat: FileFormat {
  let containersByExtension: [String: Set<Container>] = ["tta": [.trueAudio]]

  func sniff(_ start: FileStart) -> SniffedContent? {
    start.has("TTA1", at: 0) || start.has("TTA2", at: 0) ? .audio(.trueAudio, .trueAudio, name: "True Audio") : nil
  }

  func open(_ file: SniffedFile, hashers: StreamHashers?) throws(DecodingError) -> any StreamLayout {
    let packets = hashers.map { PacketHasher($0.current, rules: StreamHashers.Rules("tta")) }
    let frames = try TTAFrames(file.bytes, range: TagBounds(file.bytes).audio, onPacket: packets?.add)
    packets?.finish(identity: frames.codec.identity)
    return try PacketTrack(frames, bytes: file.bytes)
  }

  func formerRanges(_ file: SniffedFile) throws(DecodingError) -> [Range<Int64>] { [try TagBounds(file.bytes).audio] }

  func readTags(_ file: SniffedFile, with reader: TagReader) throws(DecodingError) -> TagReading {
    try reader.collect(measuring: file.bareFormat, as: .trueAudio) { (collector) throws(DecodingError) in
      try collector.add(SurroundingTags(file.bytes))
    }
  }

  func parts(
    _ file: SniffedFile, describedBy tags: PartList?, sampleRateInHz rate: Int
  ) throws(DecodingError) -> PartList? {
    try ID3Chapters.parts(file.bytes, tag: 0..<file.bytes.byteCount, sampleRateInHz: rate)
  }
}

import MediaModel

extension FileAccount {
  private static let knownBoxes: Set<String> = [
    "ftyp", "styp", "moov", "mdat", "moof", "mfra", "sidx", "ssix", "prft", "emsg", "meta", "udta", "pdin", "uuid",
    "pnot",
    "tfra", "free", "skip", "wide",
  ]
  private static let paddingBoxes: Set<String> = ["free", "skip", "wide"]
  private static let onlyBoxes: Set<String> = ["ftyp", "moov"]
  private static let knownMovieBoxes: Set<String> = [
    "mvhd", "trak", "udta", "meta", "iods", "mvex", "uuid", "prfl", "clip", "ctab", "free", "skip", "wide",
  ]
  private static let maximumBoxCount = 2_000_000

  /// Every box must be a known one, every track the one that is heard or of chapters, and every byte of media data that
  /// of a sample.
  mutating func addBoxes() throws(DecodingError) {
    var media: [Range<Int64>] = []
    var movie: Range<Int64>?
    var fragments: [MP4Box] = []
    var seen: Set<String> = []
    var end: Int64 = 0
    var count = 0
    var unknown: [Range<Int64>] = []
    try MP4Box.forEachInFile(bytes) { box in
      let name = String(decoding: box.type, as: UTF8.self)
      if name == "mdat" { media.append(box.body) }
      if name == "moof" { fragments.append(box) }
      if name == "moov", movie == nil { movie = box.body }
      let isSecond = Self.onlyBoxes.contains(name) && !seen.insert(name).inserted
      if isSecond || !Self.knownBoxes.contains(name) || Self.paddingBoxes.contains(name) { unknown.append(box.body) }
      end = max(box.body.upperBound, end)
      count += 1
      return count < Self.maximumBoxCount
    }
    for range in unknown { try leave(range) }
    if end < bytes.byteCount { try leave(end..<bytes.byteCount) }
    guard let movie else { return }
    var samples = SampleRanges(byteCount: bytes.byteCount)
    let heard = try MP4Layout(bytes).track?.identifier
    for box in try MP4Box.boxes(bytes, in: movie) {
      let name = String(decoding: box.type, as: UTF8.self)
      if name == "trak" {
        try addTrack(box.body, movie: movie, heard: heard, fragments: fragments, to: &samples)
      } else if !Self.knownMovieBoxes.contains(name) || Self.paddingBoxes.contains(name) {
        try leave(box.body)
      }
    }
    if samples.isTooMany { return noteSurplus() }
    for gap in samples.gaps(in: media) { try leave(gap) }
  }

  private mutating func addTrack(
    _ body: Range<Int64>, movie: Range<Int64>, heard: UInt32?, fragments: [MP4Box], to samples: inout SampleRanges
  ) throws(DecodingError) {
    guard let handler = try MP4Box.body(bytes, of: "mdia", "hdlr", in: body),
      let table = try MP4Box.body(bytes, of: "mdia", "minf", "stbl", in: body),
      let descriptions = try MP4Box.body(bytes, of: "stsd", in: table)
    else { return noteOtherStream() }
    let kind = String(decoding: try bytes.copy(at: handler.lowerBound + 8, count: 4), as: UTF8.self)
    // Packets of another description would be decoded by the first one.
    if try bytes.bigEndian(UInt32.self, at: descriptions.lowerBound + 4) ?? 0 > 1 { noteOtherStream() }
    let description = try MP4SampleDescription(bytes, body: descriptions)
    switch kind {
    case "soun":
      guard let track = try MP4Track(bytes, body: body, movie: movie), track.identifier == heard,
        samples.isFirst(track.identifier)
      else { return noteOtherStream() }
      for run in try MP4FragmentRuns(bytes, fragments: fragments, track: track).runs {
        var offset = run.offset
        for number in 0..<run.sampleCount where !samples.isTooMany {
          guard let packet = try run.sample(number, at: offset, bytes) else { break }
          samples.add(packet.range)
          offset = packet.range.upperBound
        }
      }
    // Pictures of chapters are stills in a track that is not enabled.
    case "vide" where description.isPicture:
      if try MP4Track.isVideo(bytes, body: body) { return noteOtherStream() }
    case "text", "tmcd": break
    default: return noteOtherStream()
    }
    let bytesPerSample = kind == "soun" ? description.bytesPerSample : nil
    let tables = try MP4SampleTables(bytes, table: table, bytesPerSample: bytesPerSample)
    let buffers = MP4TableCursor.Buffers(bytes.file)
    var cursor = MP4TableCursor()
    while !samples.isTooMany, let packet = try cursor.next(tables, buffers) { samples.add(packet.range) }
  }
}

extension MP4SampleDescription {
  /// Whether samples are JPEG or PNG (ISO 14496-1 section 7.2.6.6.2).
  fileprivate var isPicture: Bool {
    ["jpeg", "png ", "mjpa"].contains(type) || [0x6C, 0x6D].contains(streamObjectType)
  }
}

/// Where samples lie, neighbours in one piece.
private struct SampleRanges {
  private static let maximumRangeCount = 4_000_000

  private var ranges: [Range<Int64>] = []
  private var tracks: Set<UInt32> = []
  private var count: Int64 = 0
  private let greatestCount: Int64

  /// - Parameter byteCount: of the file, which has no more samples.
  init(byteCount: Int64) { greatestCount = min(byteCount, Packet.maximumCount) }

  /// More than a file can have, or than are worth the memory.
  var isTooMany: Bool { count > greatestCount || ranges.count > Self.maximumRangeCount }

  /// Whether no other track with sound has this number.
  mutating func isFirst(_ track: UInt32) -> Bool { tracks.insert(track).inserted }

  mutating func add(_ range: Range<Int64>) {
    count += 1
    guard !range.isEmpty else { return }
    if let last = ranges.last, last.upperBound == range.lowerBound {
      ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
    } else {
      ranges.append(range)
    }
  }

  /// What no sample has of the media data, whose boxes are in the order of the file.
  mutating func gaps(in media: [Range<Int64>]) -> [Range<Int64>] {
    ranges.sort { $0.lowerBound < $1.lowerBound }
    var gaps: [Range<Int64>] = []
    var next = ranges.startIndex
    // Behind the samples so far: one may reach into the next box.
    var reached: Int64 = 0
    for box in media {
      var end = max(box.lowerBound, min(reached, box.upperBound))
      while next < ranges.endIndex, ranges[next].lowerBound < box.upperBound {
        let start = ranges[next].lowerBound
        if start > end { gaps.append(end..<start) }
        reached = max(reached, ranges[next].upperBound)
        end = max(end, min(reached, box.upperBound))
        next += 1
      }
      if end < box.upperBound { gaps.append(end..<box.upperBound) }
    }
    return gaps
  }
}

import MediaModel

/// An audio track of an MP4 file: how its samples (packets) are encoded, how it is trimmed, and where its tables are.
struct MP4Track {
  /// What an entry of the edit list plays (ISO 14496-12 section 8.6.6).
  struct Edit: Hashable {
    /// In ticks of the movie; 0 may mean all.
    let duration: Int64
    /// In ticks of the track; -1 for a pause.
    let mediaTime: Int64
  }

  private static let maximumEditCount = 1000

  let identifier: UInt32
  let isEnabled: Bool
  /// Ticks a second of the track, and of the movie.
  let timescale: Int64
  let movieTimescale: Int64
  let description: MP4SampleDescription
  let tables: MP4SampleTables
  let fragmentDefaults: MP4Fragment.Defaults
  let edits: [Edit]
  let gaplessComment: GaplessComment?

  /// nil if it is not an audio track, or its tables are missing.
  init?(_ bytes: BufferedBytes, body: Range<Int64>, movie: Range<Int64>) throws(DecodingError) {
    guard let handler = try MP4Box.body(bytes, of: "mdia", "hdlr", in: body),
      try bytes.matches("soun", at: handler.lowerBound + 8),
      let table = try MP4Box.body(bytes, of: "mdia", "minf", "stbl", in: body),
      let descriptions = try MP4Box.body(bytes, of: "stsd", in: table)
    else { return nil }
    if let header = try MP4Box.body(bytes, of: "tkhd", in: body) {
      let flags = try bytes.bigEndian(UInt32.self, at: header.lowerBound) ?? 0
      isEnabled = flags & 1 == 1
      identifier = try bytes.bigEndian(at: header.lowerBound + (flags >> 24 == 1 ? 20 : 12)) ?? 0
    } else {
      isEnabled = false
      identifier = 0
    }
    timescale = try Self.timescale(bytes, header: MP4Box.body(bytes, of: "mdia", "mdhd", in: body))
    movieTimescale = try Self.timescale(bytes, header: MP4Box.body(bytes, of: "mvhd", in: movie))
    description = try MP4SampleDescription(bytes, body: descriptions)
    tables = try MP4SampleTables(bytes, table: table, bytesPerSample: description.bytesPerSample)
    fragmentDefaults = try MP4Fragment.Defaults(bytes, movie: movie, track: identifier)
    edits = try Self.edits(bytes, track: body)
    gaplessComment = try GaplessComment(bytes, movie: movie)
  }

  /// Whether it is an enabled track of pictures; those that chapters have are not enabled.
  static func isVideo(_ bytes: BufferedBytes, body: Range<Int64>) throws(DecodingError) -> Bool {
    guard let handler = try MP4Box.body(bytes, of: "mdia", "hdlr", in: body),
      let header = try MP4Box.body(bytes, of: "tkhd", in: body)
    else { return false }
    let flags = try bytes.bigEndian(UInt32.self, at: header.lowerBound) ?? 0
    let isVideo = try bytes.matches("vide", at: handler.lowerBound + 8)
    return isVideo && flags & 1 == 1
  }

  /// 0 without a header.
  static func timescale(_ bytes: BufferedBytes, header: Range<Int64>?) throws(DecodingError) -> Int64 {
    guard let header else { return 0 }
    let version = try bytes.bigEndian(UInt8.self, at: header.lowerBound) ?? 0
    return Int64(try bytes.bigEndian(UInt32.self, at: header.lowerBound + (version == 1 ? 20 : 12)) ?? 0)
  }

  static func edits(_ bytes: BufferedBytes, track: Range<Int64>) throws(DecodingError) -> [Edit] {
    guard let list = try MP4Box.body(bytes, of: "edts", "elst", in: track) else { return [] }
    let isLong = try bytes.bigEndian(UInt8.self, at: list.lowerBound) == 1
    let count = try bytes.bigEndian(UInt32.self, at: list.lowerBound + 4) ?? 0
    var result: [Edit] = []
    var offset = list.lowerBound + 8
    let size: Int64 = isLong ? 20 : 12
    while result.count < min(Int(count), maximumEditCount), offset + size <= list.upperBound {
      let entry = try bytes.copy(at: offset, count: Int(size))
      offset += size
      let duration = isLong ? entry.bigEndian(Int64.self, at: 0) : entry.bigEndian(UInt32.self, at: 0).map { Int64($0) }
      let time = isLong ? entry.bigEndian(Int64.self, at: 8) : entry.bigEndian(Int32.self, at: 4).map { Int64($0) }
      guard let duration, let time else { break }
      result.append(Edit(duration: duration, mediaTime: time))
    }
    return result
  }
}

/// The comment `iTunSMPB`, in which iTunes says what an encoder added, in frames of the core or of the output.
struct GaplessComment: Hashable {
  let delayFrameCount: Int64
  let paddingFrameCount: Int64
  let frameCount: Int64

  /// - Parameter text: Hexadecimal numbers: 0, the delay, the padding, the frames between them, and more.
  init?(_ text: String) {
    let numbers = text.split(separator: " ").prefix(4).map { Int64($0, radix: 16) }
    guard numbers.count == 4, let delay = numbers[1], let padding = numbers[2], let count = numbers[3],
      (0...0xFFFF).contains(delay), (0...0xFFFF).contains(padding), (1...1 << 48).contains(count)
    else { return nil }
    (delayFrameCount, paddingFrameCount, frameCount) = (delay, padding, count)
  }

  /// Among the free-form items of the movie's metadata.
  init?(_ bytes: BufferedBytes, movie: Range<Int64>) throws(DecodingError) {
    guard let meta = try MP4Box.body(bytes, of: "udta", "meta", in: movie) else { return nil }
    // The box has a version and flags before its boxes; files of QuickTime leave them out.
    let start = meta.lowerBound + (try bytes.matches("hdlr", at: meta.lowerBound + 4) ? 0 : 4)
    guard start < meta.upperBound, let list = try MP4Box.body(bytes, of: "ilst", in: start..<meta.upperBound) else {
      return nil
    }
    for item in try MP4Box.boxes(bytes, in: list) where item.isType("----") {
      guard let name = try MP4Box.body(bytes, of: "name", in: item.body),
        name.upperBound - name.lowerBound == 12, try bytes.matches("iTunSMPB", at: name.lowerBound + 4),
        let data = try MP4Box.body(bytes, of: "data", in: item.body), data.upperBound - data.lowerBound > 8
      else { continue }
      let text = try bytes.copy(at: data.lowerBound + 8, count: Int(min(256, data.upperBound - data.lowerBound - 8)))
      self.init(String(decoding: text, as: UTF8.self))
      return
    }
    return nil
  }
}

internal import Base
import MediaModel

/// The chapters of an MP4 file: its chapter track if it has one, whose times are exact, or else Nero's list.
struct MP4Chapters {
  private static let maximumTitleByteCount: Int64 = 2048

  private(set) var parts: PartList?

  init(_ bytes: BufferedBytes, sampleRateInHz rate: Int) throws(DecodingError) {
    let start = try TagBounds.start(of: bytes)
    let boxes = try MP4Box.boxes(bytes, in: start..<bytes.byteCount)
    guard let movie = boxes.first(where: { $0.isType("moov") })?.body else { return }
    parts = try Self.chapterTrack(bytes, movie: movie, rate)
    if parts == nil { parts = try Self.neroList(bytes, movie: movie, rate) }
  }

  // MARK: Chapter track

  /// The text track that a track refers to by `chap` (QuickTime File Format, "Chapter lists").
  private static func chapterTrack(
    _ bytes: BufferedBytes, movie: Range<Int64>, _ rate: Int
  ) throws(DecodingError) -> PartList? {
    var tracks: [UInt32: Range<Int64>] = [:]
    var references: [UInt32] = []
    for box in try MP4Box.boxes(bytes, in: movie) where box.isType("trak") {
      if let head = try MP4Box.body(bytes, of: "tkhd", in: box.body) {
        let version = try bytes.bigEndian(UInt8.self, at: head.lowerBound) ?? 0
        let number = try bytes.bigEndian(UInt32.self, at: head.lowerBound + (version == 1 ? 20 : 12))
        if let number, tracks[number] == nil { tracks[number] = box.body }
      }
      guard let list = try MP4Box.body(bytes, of: "tref", "chap", in: box.body) else { continue }
      for place in stride(from: list.lowerBound, to: min(list.upperBound, list.lowerBound + 64), by: 4) {
        if let number = try bytes.bigEndian(UInt32.self, at: place) { references.append(number) }
      }
    }
    for number in references {
      guard let track = tracks[number], let found = try marks(bytes, track: track, movie: movie, rate) else { continue }
      if let list = PartList(found, from: .textTrack) { return list }
    }
    return nil
  }

  /// nil if the track is none of text: there are also chapters of pictures.
  private static func marks(
    _ bytes: BufferedBytes, track: Range<Int64>, movie: Range<Int64>, _ rate: Int
  ) throws(DecodingError) -> [PartList.Mark]? {
    guard let handler = try MP4Box.body(bytes, of: "mdia", "hdlr", in: track),
      try ["text", "sbtl"].contains(String(decoding: bytes.copy(at: handler.lowerBound + 8, count: 4), as: UTF8.self)),
      let table = try MP4Box.body(bytes, of: "mdia", "minf", "stbl", in: track)
    else { return nil }
    let ticks = try MP4Track.timescale(bytes, header: MP4Box.body(bytes, of: "mdia", "mdhd", in: track))
    guard ticks > 0 else { return nil }
    let tables = try MP4SampleTables(bytes, table: table)
    var (cursor, buffers) = (MP4TableCursor(), MP4TableCursor.Buffers(bytes.file))
    var time = try startTime(bytes, track: track, movie: movie, ticksPerSecond: ticks)
    var marks: [PartList.Mark] = []
    // One more than are kept, so that the list notices.
    while marks.count <= PartList.maximumCount, let sample = try cursor.next(tables, buffers) {
      let end = time + sample.tickCount
      defer { time = end }
      func frame(_ tick: Int64) -> Int64? {
        FrameIndex.frame(atTick: tick, ticksPerSecond: ticks, rateInHz: rate)
      }
      guard sample.range.upperBound <= bytes.byteCount, let last = frame(end) else { continue }
      let tags = PartTags(title: try title(bytes, sample.range))
      // What an edit cuts off at the start is not heard.
      marks.append(PartList.Mark(start: frame(max(0, time)) ?? 0, end: last, tags: tags))
    }
    return marks
  }

  /// The time of the first sample in ticks of the track: after a pause, or before 0 if an edit leaves out its
  /// beginning.
  private static func startTime(
    _ bytes: BufferedBytes, track: Range<Int64>, movie: Range<Int64>, ticksPerSecond: Int64
  ) throws(DecodingError) -> Int64 {
    let movieTicks = try MP4Track.timescale(bytes, header: MP4Box.body(bytes, of: "mvhd", in: movie))
    var time: Int64 = 0
    for edit in try MP4Track.edits(bytes, track: track) {
      guard edit.mediaTime < 0 else { return time - min(edit.mediaTime, 1 << 40) }
      guard movieTicks > 0, (0..<1 << 30).contains(edit.duration) else { continue }
      time += edit.duration * ticksPerSecond / movieTicks
    }
    return time
  }

  /// A length in two bytes, then UTF-8, or UTF-16 with a mark.
  private static func title(_ bytes: BufferedBytes, _ range: Range<Int64>) throws(DecodingError) -> String {
    let sample = try bytes.copy(
      at: range.lowerBound, count: Int(min(maximumTitleByteCount, range.upperBound - range.lowerBound)))
    let text = sample.dropFirst(2).prefix(Int(sample.bigEndian(UInt16.self, at: 0) ?? 0))
    return String(GuessedText.decoded(Array(text)).prefix { $0 != "\0" })
  }

  // MARK: Nero

  /// At most 255 chapters, in units of 100 ns.
  private static func neroList(
    _ bytes: BufferedBytes, movie: Range<Int64>, _ rate: Int
  ) throws(DecodingError) -> PartList? {
    guard let list = try MP4Box.body(bytes, of: "udta", "chpl", in: movie) else { return nil }
    let body = try bytes.copy(at: list.lowerBound, count: Int(min(1 << 17, list.upperBound - list.lowerBound)))
    guard let version = body.first else { return nil }
    var offset = version == 0 ? 4 : 8
    guard offset < body.count else { return nil }
    let count = body[offset]
    offset += 1
    var marks: [PartList.Mark] = []
    for _ in 0..<count {
      guard let time = body.bigEndian(Int64.self, at: offset), offset + 8 < body.count else { break }
      let text = body[(offset + 9)...].prefix(Int(body[offset + 8]))
      offset += 9 + text.count
      guard let start = FrameIndex.frame(atTick: time, ticksPerSecond: 10_000_000, rateInHz: rate) else { continue }
      marks.append(PartList.Mark(start: start, tags: PartTags(title: String(decoding: text, as: UTF8.self))))
    }
    return PartList(marks, from: .nero)
  }
}

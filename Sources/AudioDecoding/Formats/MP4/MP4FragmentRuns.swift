import MediaModel

/// The samples of a track in all fragments of the movie, in the order of the file, by the times of the fragments.
///
/// Where a time is later than the end of what came before, and the fragment does not follow the last one by its number,
/// fragments are missing: samples that are lost stand for them. A fragment that comes twice counts once. Times that go back
/// in another way begin a new row of times, as where recordings were joined.
struct MP4FragmentRuns {
  /// Less is the inaccuracy of times.
  private static let leastSeconds = 0.04
  /// A stream whose first fragment begins later was cut out of a longer one.
  private static let longestLostStartSeconds = 10.0
  /// More is reported, but not filled up.
  private static let longestFilledSeconds: Int64 = 600
  /// Longer heads of fragments are not compared.
  private static let longestComparedByteCount: Int64 = 1 << 20

  private(set) var runs: [MP4Fragment] = []
  /// What is wrong with the times first, and where: in seconds of the decode.
  private(set) var problem: Problem?

  private let bytes: BufferedBytes
  private let track: MP4Track
  private let fillsGaps: Bool
  /// Where the next fragment should begin, in ticks; nil if it is not known.
  private var expectedTime: Int64?
  /// The time at which the decode begins.
  private var startTime: Int64 = 0
  /// Of the last fragment, of whatever track.
  private var sequenceNumber: UInt32?
  /// The fragments of this row of times, in ascending order.
  private var heard: [(time: Int64, head: Range<Int64>)] = []

  /// The part of a fragment that belongs to the track.
  private struct Piece {
    let head: Range<Int64>
    /// When it begins, in ticks; nil if it does not say it.
    var time: Int64?
    var runs: [MP4Fragment] = []
    var tickCount: Int64 = 0
    /// Of the first sample.
    var packetTickCount: Int64 = 0
  }

  /// - Parameter fillsGaps: Whether samples that are lost are among the runs.
  init(
    _ bytes: BufferedBytes, fragments: [MP4Box], track: MP4Track, fillsGaps: Bool = false
  ) throws(DecodingError) {
    (self.bytes, self.track, self.fillsGaps) = (bytes, track, fillsGaps)
    // Behind samples of the movie itself, the first fragment shows the time.
    if track.tables.sizes.count == 0 { expectedTime = 0 }
    for fragment in fragments {
      let boxes = try MP4Box.boxes(bytes, in: fragment.body)
      var number: UInt32?
      if let header = boxes.first(where: { $0.isType("mfhd") })?.body {
        number = try bytes.bigEndian(UInt32.self, at: header.lowerBound + 4)
      }
      var isRepeated = false
      for box in boxes where box.isType("traf") {
        guard let piece = try piece(box, of: fragment) else { continue }
        isRepeated = try !add(piece, number: number)
      }
      if !isRepeated { sequenceNumber = number }
    }
  }

  /// nil if it is of another track.
  private func piece(_ box: MP4Box, of fragment: MP4Box) throws(DecodingError) -> Piece? {
    let boxes = try MP4Box.boxes(bytes, in: box.body)
    guard let header = boxes.first(where: { $0.isType("tfhd") })?.body else { return nil }
    let flags = try bytes.bigEndian(UInt32.self, at: header.lowerBound) ?? 0
    guard try bytes.bigEndian(UInt32.self, at: header.lowerBound + 4) == track.identifier else { return nil }
    var place = header.lowerBound + 8
    var base = fragment.offset
    var defaults = track.fragmentDefaults
    if flags & 1 != 0 {
      base = Int64(clamping: try bytes.bigEndian(UInt64.self, at: place) ?? 0)
      place += 8
    }
    if flags & 2 != 0 { place += 4 }
    if flags & 8 != 0 {
      defaults.duration = Int64(try bytes.bigEndian(UInt32.self, at: place) ?? 0)
      place += 4
    }
    if flags & 16 != 0 { defaults.size = Int64(try bytes.bigEndian(UInt32.self, at: place) ?? 0) }
    var piece = Piece(head: fragment.offset..<fragment.body.upperBound)
    if let time = boxes.first(where: { $0.isType("tfdt") })?.body { piece.time = try decodeTime(time) }
    var next = base
    for run in boxes where run.isType("trun") {
      let found = try MP4Fragment(bytes, body: run.body, base: base, next: next, defaults: defaults)
      if piece.packetTickCount == 0 {
        piece.packetTickCount = try found.sample(0, at: found.offset, bytes)?.tickCount ?? 0
      }
      piece.runs.append(found)
      let end = try found.end(bytes)
      next = end.offset
      piece.tickCount += end.tickCount
    }
    return piece
  }

  /// The time of the first sample (ISO 14496-12 section 8.8.12); nil for one without sense.
  private func decodeTime(_ body: Range<Int64>) throws(DecodingError) -> Int64? {
    let isLong = try bytes.bigEndian(UInt8.self, at: body.lowerBound) == 1
    let time =
      isLong
      ? try bytes.bigEndian(Int64.self, at: body.lowerBound + 4)
      : try bytes.bigEndian(UInt32.self, at: body.lowerBound + 4).map { Int64($0) }
    return time.flatMap { (0..<1 << 56).contains($0) ? $0 : nil }
  }

  /// - Returns: false if the fragment came before.
  private mutating func add(_ piece: Piece, number: UInt32?) throws(DecodingError) -> Bool {
    if let time = piece.time {
      let isFirst = runs.isEmpty
      if let expected = expectedTime, time > expected + leastTickCount(piece) {
        let isNext = number != nil && number == (sequenceNumber ?? 0) &+ 1
        let isLongAgo = isFirst && Double(time) > Self.longestLostStartSeconds * Double(track.timescale)
        if isNext || isLongAgo || isFirst && number == nil {
          if isFirst { startTime = time } else { startTime += time - expected }
        } else {
          addLoss(from: expected, to: time, piece)
        }
      } else if let expected = expectedTime, time < expected - leastTickCount(piece) {
        if try wasHeard(piece, at: time) {
          note("positions", "a fragment of the movie comes twice", at: expected)
          return false
        }
        startTime += time - expected
        heard.removeAll()
      } else if isFirst, expectedTime != nil {
        startTime = time
      }
      expectedTime = time + piece.tickCount
      heard.append((time, piece.head))
    } else if let expected = expectedTime {
      expectedTime = expected + piece.tickCount
    }
    runs += piece.runs
    return true
  }

  private mutating func addLoss(from start: Int64, to end: Int64, _ piece: Piece) {
    note("missing-packets", "fragments of the movie are missing", at: start)
    guard fillsGaps, piece.packetTickCount > 0, (end - start) / max(1, track.timescale) <= Self.longestFilledSeconds
    else {
      startTime += end - start
      return
    }
    let count = (end - start + piece.packetTickCount / 2) / piece.packetTickCount
    runs.append(MP4Fragment(lostSampleCount: count, tickCount: piece.packetTickCount))
  }

  private mutating func note(_ code: String, _ reason: String, at time: Int64) {
    problem =
      problem
      ?? Problem(
        code: code, reason: reason,
        positionInSeconds: Double(time - startTime) / Double(max(1, track.timescale)))
  }

  /// A time that is off by less says nothing.
  private func leastTickCount(_ piece: Piece) -> Int64 {
    max(piece.packetTickCount * 3 / 4, Int64(Self.leastSeconds * Double(track.timescale)))
  }

  /// Whether the same fragment, byte for byte, came before at this time.
  private func wasHeard(_ piece: Piece, at time: Int64) throws(DecodingError) -> Bool {
    var (low, high) = (0, heard.count)
    while low < high {
      let middle = (low + high) / 2
      if heard[middle].time < time { low = middle + 1 } else { high = middle }
    }
    let byteCount = piece.head.upperBound - piece.head.lowerBound
    guard low < heard.count, heard[low].time == time, byteCount <= Self.longestComparedByteCount,
      heard[low].head.upperBound - heard[low].head.lowerBound == byteCount
    else { return false }
    let earlier = try bytes.file.bytes(at: heard[low].head.lowerBound, count: Int(byteCount))
    return try bytes.file.bytes(at: piece.head.lowerBound, count: Int(byteCount)) == earlier
  }
}

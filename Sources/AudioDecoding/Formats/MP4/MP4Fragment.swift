import MediaModel

/// Samples of a track in a fragment of the movie that lie behind one another (ISO 14496-12 section 8.8.8).
struct MP4Fragment {
  /// What applies to samples that do not say it themselves (section 8.8.3 and 8.8.7).
  struct Defaults: Hashable {
    var duration: Int64 = 0
    var size: Int64 = 0

    /// Of the movie; zeros if it says nothing about the track.
    init(_ bytes: BufferedBytes, movie: Range<Int64>, track: UInt32) throws(DecodingError) {
      guard let extends = try MP4Box.body(bytes, of: "mvex", in: movie) else { return }
      for box in try MP4Box.boxes(bytes, in: extends) where box.isType("trex") {
        let start = box.body.lowerBound
        guard try bytes.bigEndian(UInt32.self, at: start + 4) == track else { continue }
        duration = Int64(try bytes.bigEndian(UInt32.self, at: start + 12) ?? 0)
        size = Int64(try bytes.bigEndian(UInt32.self, at: start + 16) ?? 0)
        return
      }
    }
  }

  /// File offset of the first sample.
  let offset: Int64
  let sampleCount: Int64
  /// File offset of the first entry, and the bytes of each; entries have a duration and a size, or one of them, or
  /// none.
  private let entries: Int64
  private let entryByteCount: Int64
  private let hasDurations: Bool
  private let hasSizes: Bool
  private let defaults: Defaults

  /// The next sample after `number` others that ended before `offset`; nil if the table is cut.
  func sample(_ number: Int64, at offset: Int64, _ buffer: BufferedBytes) throws(DecodingError) -> Packet? {
    let place = entries + number * entryByteCount
    var (duration, size) = (defaults.duration, defaults.size)
    if hasDurations {
      guard let own = try buffer.bigEndian(UInt32.self, at: place) else { return nil }
      duration = Int64(own)
    }
    if hasSizes {
      guard let own = try buffer.bigEndian(UInt32.self, at: place + (hasDurations ? 4 : 0)) else { return nil }
      size = Int64(own)
    }
    guard offset >= 0, offset <= .max - size else { return nil }
    return Packet(range: offset..<offset + size, tickCount: duration)
  }

  /// The runs of a track in all fragments, in the order of the file.
  static func runs(
    _ bytes: BufferedBytes, fragments: [MP4Box], track: MP4Track
  ) throws(DecodingError) -> [MP4Fragment] {
    var result: [MP4Fragment] = []
    for fragment in fragments {
      for box in try MP4Box.boxes(bytes, in: fragment.body) where box.isType("traf") {
        try add(box, of: fragment, track: track, bytes, to: &result)
      }
    }
    return result
  }

  private static func add(
    _ box: MP4Box, of fragment: MP4Box, track: MP4Track, _ bytes: BufferedBytes, to runs: inout [MP4Fragment]
  ) throws(DecodingError) {
    let boxes = try MP4Box.boxes(bytes, in: box.body)
    guard let header = boxes.first(where: { $0.isType("tfhd") })?.body else { return }
    let flags = try bytes.bigEndian(UInt32.self, at: header.lowerBound) ?? 0
    guard try bytes.bigEndian(UInt32.self, at: header.lowerBound + 4) == track.identifier else { return }
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
    var next = base
    for run in boxes where run.isType("trun") {
      let found = try MP4Fragment(bytes, body: run.body, base: base, next: next, defaults: defaults)
      runs.append(found)
      next = try found.end(bytes)
    }
  }

  private init(
    _ bytes: BufferedBytes, body: Range<Int64>, base: Int64, next: Int64, defaults: Defaults
  ) throws(DecodingError) {
    let flags = try bytes.bigEndian(UInt32.self, at: body.lowerBound) ?? 0
    let count = Int64(try bytes.bigEndian(UInt32.self, at: body.lowerBound + 4) ?? 0)
    var place = body.lowerBound + 8
    var start = next
    if flags & 1 != 0 {
      start = base.addingReportingOverflow(Int64(try bytes.bigEndian(Int32.self, at: place) ?? 0)).partialValue
      place += 4
    }
    if flags & 4 != 0 { place += 4 }
    hasDurations = flags & 0x100 != 0
    hasSizes = flags & 0x200 != 0
    entryByteCount = 4 * Int64([0x100, 0x200, 0x400, 0x800].count { flags & UInt32($0) != 0 })
    entries = place
    offset = start
    self.defaults = defaults
    // No more samples than the table or the file has room for.
    let room =
      entryByteCount > 0
      ? max(0, body.upperBound - place) / entryByteCount : bytes.byteCount / max(1, defaults.size)
    sampleCount = min(count, room, Packet.maximumCount + 1)
  }

  private func end(_ bytes: BufferedBytes) throws(DecodingError) -> Int64 {
    var end = offset
    if !hasSizes { return end.addingReportingOverflow(defaults.size * sampleCount).partialValue }
    for number in 0..<sampleCount {
      guard let packet = try sample(number, at: end, bytes) else { return end }
      end = packet.range.upperBound
    }
    return end
  }
}

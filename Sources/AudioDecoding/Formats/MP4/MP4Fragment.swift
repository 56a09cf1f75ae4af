import MediaModel

/// Samples of a track in a fragment of the movie that lie behind one another (ISO 14496-12 section 8.8.8).
struct MP4Fragment {
  /// What applies to samples that do not say it themselves (section 8.8.3 and 8.8.7).
  struct Defaults: Hashable {
    var duration: Int64 = 0
    var size: Int64 = 0

    init(duration: Int64 = 0) { self.duration = duration }

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
  /// Whether its samples are not in the file.
  let isLost: Bool
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
    return Packet(range: offset..<offset + size, tickCount: duration, isLost: isLost)
  }

  /// Samples that are in no fragment, but whose times are missing.
  init(lostSampleCount count: Int64, tickCount: Int64) {
    (sampleCount, isLost) = (count, true)
    (offset, entries, entryByteCount, hasDurations, hasSizes) = (0, 0, 0, false, false)
    defaults = Defaults(duration: tickCount)
  }

  /// A run box.
  ///
  /// - Parameters:
  ///   - base: what its offset counts from.
  ///   - next: where it begins if it has no offset.
  init(
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
    (offset, isLost) = (start, false)
    self.defaults = defaults
    // No more samples than the table or the file has room for.
    let room =
      entryByteCount > 0
      ? max(0, body.upperBound - place) / entryByteCount : bytes.byteCount / max(1, defaults.size)
    sampleCount = min(count, room, Packet.maximumCount + 1)
  }

  /// Behind the last sample, and the ticks of all.
  func end(_ bytes: BufferedBytes) throws(DecodingError) -> (offset: Int64, tickCount: Int64) {
    if !hasSizes, !hasDurations {
      let (byteCount, overflow) = defaults.size.multipliedReportingOverflow(by: sampleCount)
      let end = offset.addingReportingOverflow(overflow ? 0 : byteCount).partialValue
      return (end, defaults.duration * sampleCount)
    }
    var end = (offset: offset, tickCount: Int64(0))
    for number in 0..<sampleCount {
      guard let packet = try sample(number, at: end.offset, bytes) else { break }
      end = (packet.range.upperBound, end.tickCount + packet.tickCount)
    }
    return end
  }
}

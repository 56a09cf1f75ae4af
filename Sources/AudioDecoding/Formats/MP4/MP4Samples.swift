import MediaModel

/// The samples of an MP4 track, found in one walk over its tables.
struct MP4Samples {
  let track: MP4Track
  let fragments: [MP4Fragment]
  /// Samples whose bytes are all in the file, from the first one on, and their bytes.
  private(set) var packetCount: Int64 = 0
  private(set) var byteCount: Int64 = 0
  /// What the tables say, of all samples.
  private(set) var declaredPacketCount: Int64 = 0
  private(set) var tickCount: Int64 = 0
  /// Ticks of the samples that are there, and of the last sample.
  private(set) var presentTickCount: Int64 = 0
  private(set) var lastTickCount: Int64 = 0
  /// Of the packets at the start that give no frames, as the first one of Vorbis.
  private(set) var silentTickCount: Int64 = 0
  private(set) var places: PacketPlaces?
  /// The frames that packets state to give; nil if every packet gives as many.
  let durations: (any PacketDurations)?
  /// Of the decode, for packets that are lost.
  fileprivate let sampleRateInHz: Int
  /// Whether samples overlap, or there are more of them than the file has room for.
  private(set) var isImpossible = false
  /// Fragments that are missing, or come twice, by their times.
  let fragmentProblem: Problem?
  private(set) var index = SeekIndex<MP4SampleReader.Cursor>(stride: 256, sizeLimit: 8191, size: { _ in 1 })

  /// - Parameters:
  ///   - sampleRateInHz: Of the decode, if packets that are lost are to be among the samples.
  ///   - onPacket: gets each packet whose bytes are all in the file.
  init(
    _ bytes: BufferedBytes, track: MP4Track, fragments: [MP4Box], durations: (any PacketDurations)? = nil,
    filledAtSampleRateInHz sampleRateInHz: Int? = nil, onPacket: ((UnsafeRawBufferPointer) -> Void)? = nil
  ) throws(DecodingError) {
    self.track = track
    self.durations = durations
    self.sampleRateInHz = sampleRateInHz ?? 0
    if durations != nil { places = PacketPlaces() }
    let runs = try MP4FragmentRuns(bytes, fragments: fragments, track: track, fillsGaps: sampleRateInHz != nil)
    (self.fragments, fragmentProblem) = (runs.runs, runs.problem)
    let reader = MP4SampleReader(bytes, samples: self)
    while true {
      let cursor = reader.cursor
      guard let packet = try reader.next() else { break }
      guard declaredPacketCount < min(bytes.byteCount, Packet.maximumCount) else {
        isImpossible = true
        break
      }
      declaredPacketCount += 1
      tickCount += packet.tickCount
      lastTickCount = packet.tickCount
      let size = packet.range.upperBound - packet.range.lowerBound
      // Behind a sample that is not there nothing counts: what follows would be shifted.
      guard packetCount == declaredPacketCount - 1, packet.range.upperBound <= bytes.byteCount,
        size <= Packet.maximumByteCount
      else { continue }
      guard byteCount + size <= bytes.byteCount else {
        isImpossible = true
        break
      }
      index.add(cursor, at: packetCount)
      places?.add(frameCount: packet.frameCount ?? 0)
      if places?.end.firstFrame == 0 { silentTickCount += packet.tickCount }
      packetCount += 1
      byteCount += size
      presentTickCount += packet.tickCount
      if let onPacket, !packet.isLost { try bytes.withBytes(of: packet) { onPacket($0) } }
    }
  }

  /// What the tables say that cannot be, or what is missing of the samples.
  var problem: Problem? {
    if isImpossible {
      return Problem(code: "impossible-header", reason: "the sample tables describe more than the file contains")
    }
    guard packetCount < declaredPacketCount else { return fragmentProblem }
    return Problem(
      code: "truncated", reason: "truncated: \(packetCount) of \(declaredPacketCount) packets are in the file")
  }
}

extension MP4Samples: PacketSource {
  func makeReader(_ bytes: BufferedBytes) -> any PacketReader { MP4SampleReader(bytes, samples: self) }
}

/// Gives the samples of an MP4 track in order: first those of the movie, then those of its fragments.
final class MP4SampleReader: PacketReader {
  struct Cursor {
    fileprivate(set) var number: Int64 = 0
    fileprivate var table = MP4TableCursor()
    fileprivate var fragment = 0
    fileprivate var numberInFragment: Int64 = 0
    fileprivate var offset: Int64 = 0
    fileprivate var isBehindTables = false
    fileprivate var durations: (any PacketDurations)?
  }

  let bytes: BufferedBytes
  private let samples: MP4Samples
  private let buffers: MP4TableCursor.Buffers
  private(set) var cursor: Cursor

  init(_ bytes: BufferedBytes, samples: MP4Samples) {
    self.bytes = bytes
    self.samples = samples
    cursor = Cursor(durations: samples.durations)
    buffers = MP4TableCursor.Buffers(bytes.file)
  }

  func next() throws(DecodingError) -> Packet? {
    guard var packet = try nextInTables() else { return nil }
    if cursor.durations != nil, packet.isLost {
      packet.frameCount = Int(packet.tickCount) * samples.sampleRateInHz / Int(max(1, samples.track.timescale))
    } else if cursor.durations != nil {
      packet.frameCount = try bytes.withBytes(of: packet) { cursor.durations?.frameCount($0) }
    }
    return packet
  }

  private func nextInTables() throws(DecodingError) -> Packet? {
    if !cursor.isBehindTables {
      if let packet = try cursor.table.next(samples.track.tables, buffers) {
        cursor.number += 1
        return packet
      }
      cursor.isBehindTables = true
    }
    while cursor.fragment < samples.fragments.count {
      let fragment = samples.fragments[cursor.fragment]
      if cursor.numberInFragment == 0 { cursor.offset = fragment.offset }
      if cursor.numberInFragment < fragment.sampleCount,
        let packet = try fragment.sample(cursor.numberInFragment, at: cursor.offset, buffers.sizes)
      {
        cursor.number += 1
        cursor.numberInFragment += 1
        cursor.offset = packet.range.upperBound
        return packet
      }
      cursor.fragment += 1
      cursor.numberInFragment = 0
    }
    return nil
  }

  func go(toPacket number: Int64) throws(DecodingError) {
    if let entry = samples.index.entry(atOrBefore: number), cursor.number > number || entry.position > cursor.number {
      cursor = entry.value
    } else if cursor.number > number {
      cursor = Cursor(durations: samples.durations)
    }
    while cursor.number < number { guard try next() != nil else { return } }
  }
}

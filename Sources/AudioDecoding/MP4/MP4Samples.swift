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
  /// Whether samples overlap, or there are more of them than the file has room for.
  private(set) var isImpossible = false
  private(set) var index = SeekIndex<MP4SampleReader.Cursor>(stride: 256, sizeLimit: 8191, size: { _ in 1 })

  /// - Parameter onPacket: gets each packet whose bytes are all in the file.
  init(
    _ bytes: BufferedBytes, track: MP4Track, fragments: [MP4Box], onPacket: ((UnsafeRawBufferPointer) -> Void)? = nil
  ) throws(DecodingError) {
    self.track = track
    self.fragments = try MP4Fragment.runs(bytes, fragments: fragments, track: track)
    let reader = MP4SampleReader(bytes.file, samples: self)
    while true {
      let cursor = reader.cursor
      guard let packet = try reader.next() else { break }
      declaredPacketCount += 1
      tickCount += packet.tickCount
      lastTickCount = packet.tickCount
      let size = packet.range.upperBound - packet.range.lowerBound
      // Behind a sample that is not there nothing counts: what follows would be shifted.
      guard packetCount == declaredPacketCount - 1, packet.range.upperBound <= bytes.byteCount,
        size <= Packet.maximumByteCount
      else { continue }
      guard byteCount + size <= bytes.byteCount, packetCount < bytes.byteCount else {
        isImpossible = true
        break
      }
      index.add(cursor, at: packetCount)
      packetCount += 1
      byteCount += size
      presentTickCount += packet.tickCount
      if let onPacket { try bytes.withBytes(of: packet) { onPacket($0) } }
    }
  }

  /// How the track is decoded; throws if there is no decoder for it.
  var codec: PacketCodec {
    get throws(DecodingError) {
      let description = track.description
      switch description.type {
      case "mp4a":
        guard let config = AudioSpecificConfig(description.decoderConfiguration) else {
          throw .missing("usable configuration of AAC", in: .mp4)
        }
        guard [1, 2, 4].contains(config.objectType) else {
          throw .unsupported(reason: "no decoder for MPEG-4 audio of type \(config.objectType) in MP4")
        }
        return .aac(config, extradata: description.decoderConfiguration)
      case "alac":
        guard let box = description.box("alac"), box.count >= 28 else {
          throw .missing("configuration of ALAC", in: .mp4)
        }
        return try .alac(cookie: Array(box[4...]))
      default: throw .unsupported(reason: "no decoder for \(description.type) in MP4")
      }
    }
  }

  /// Whether there is a decoder for packets of the kind.
  static func areDecodable(_ description: MP4SampleDescription) -> Bool {
    (description.type == "mp4a" && !description.isMPEGLayerIII && description.audioObjectType != 36)
      || description.type == "alac"
  }
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
  }

  private let samples: MP4Samples
  private let buffers: MP4TableCursor.Buffers
  private(set) var cursor = Cursor()

  init(_ file: FileBytes, samples: MP4Samples) {
    self.samples = samples
    buffers = MP4TableCursor.Buffers(file)
  }

  func next() throws(DecodingError) -> Packet? {
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
      cursor = Cursor()
    }
    while cursor.number < number { guard try next() != nil else { return } }
  }
}

/// Which frames of the decode are the recording, by what the track says about its times.
struct MP4Timing {
  /// nil if the track does not say it.
  private(set) var delayFrameCount: Int64?
  /// Frames of the recording that are there, and those that the track promises.
  private(set) var frameCount: Int64
  private(set) var declaredFrameCount: Int64?
  private(set) var notes: [String] = []

  /// - Parameters:
  ///   - rate: of the decode; spectral band replication doubles that of the track.
  ///   - frameCountPerPacket: frames of the decode that a packet gives.
  init(_ samples: MP4Samples, sampleRateInHz rate: Int, frameCountPerPacket: Int64) {
    let track = samples.track
    let scale = Scale(frames: Int64(rate), ticks: max(1, track.timescale))
    let whole = samples.declaredPacketCount * frameCountPerPacket
    // The last packet may be shorter than the others, nothing else.
    let byTicks = scale.frames(samples.tickCount)
    let isExact = scale.isExact && (whole - frameCountPerPacket + 1...max(1, whole)).contains(byTicks)
    var end = isExact ? byTicks : whole
    if !isExact, abs(byTicks - whole) >= frameCountPerPacket, samples.tickCount > 0 { notes.append("header-lies") }

    let edits = track.edits.filter { $0.mediaTime >= 0 }
    if edits.count > 1 || track.edits.count > edits.count { notes.append("edit-list") }
    if let edit = edits.first {
      let delay = min(end, scale.frames(edit.mediaTime))
      delayFrameCount = delay
      // The length of the edit counts ticks of the movie, which are mostly milliseconds: only if nothing else says it.
      let movie = Scale(frames: Int64(rate), ticks: max(1, track.movieTimescale))
      let length = movie.frames(edit.duration)
      if edits.count == 1, end == whole, length > 0, end - delay - length > movie.frames(1) { end = delay + length }
    } else if let comment = track.gaplessComment {
      let sum = comment.delayFrameCount + comment.paddingFrameCount + comment.frameCount
      // It counts frames of the core or of the output.
      let factor = sum > 0 && whole.isMultiple(of: sum) ? whole / sum : 0
      if factor == 1 || factor == 2 {
        delayFrameCount = comment.delayFrameCount * factor
        end = (comment.delayFrameCount + comment.frameCount) * factor
      } else {
        notes.append("header-lies")
      }
    }
    let declared = end - (delayFrameCount ?? 0)
    declaredFrameCount = declared
    let present = samples.packetCount == samples.declaredPacketCount ? end : samples.packetCount * frameCountPerPacket
    frameCount = max(0, min(end, present) - (delayFrameCount ?? 0))
  }

  /// Turns ticks into frames.
  private struct Scale {
    let frames: Int64
    let ticks: Int64

    var isExact: Bool { frames.isMultiple(of: ticks) }

    /// The nearest frame; 0 for numbers without sense.
    func frames(_ count: Int64) -> Int64 {
      guard count > 0, count < 1 << 46 else { return 0 }
      let (high, low) = count.multipliedFullWidth(by: frames)
      guard high == 0, low < 1 << 63 else { return 0 }
      return (Int64(low) + ticks / 2) / ticks
    }
  }
}

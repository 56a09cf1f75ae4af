import MediaModel

/// Where a file has its stream, for the containers that have a decoder.
enum StreamLayout {
  case mpeg(MPEGLayout)
  case ogg(OggLayout)
  case flac(FLACLayout)
  case pcm(PCMLayout)
  case packets(PacketTrack)
  case musepack(MusepackLayout)
  case dsd(DSDLayout)
  case demuxed(DemuxedLayout)
  /// All of the file.
  case module
  indirect case joined(JoinedTrack)
  /// There is no decoder for the container, or its structure is broken.
  case none

  /// - Parameter hashers: Get the stream of those containers that are walked piece by piece: MPEG and Ogg. MPEG in WAV
  ///   goes to the current one alone.
  static func find(
    _ bytes: BufferedBytes, content: SniffedContent, hashers: StreamHashers? = nil
  ) throws(DecodingError) -> StreamLayout {
    switch content.container {
    case .mpeg:
      let former = hashers?.former
      let stream = try MPEGLayout.scan(bytes, range: TagBounds(bytes).audio) { former?.update($0) }
      return stream.map { .mpeg($0) } ?? .none
    case .ogg: return .ogg(try OggLayout(bytes, range: TagBounds(bytes).audio, hashers: hashers))
    case .flac: return .flac(try FLACLayout(bytes, range: TagBounds(bytes).audio))
    case .wav, .rf64, .w64, .aiff, .caf, .au:
      var layout: PCMLayout
      do throws(DecodingError) {
        layout = try PCMLayout.find(content.container ?? .wav, bytes)
      } catch {
        if case .unreadable = error { throw error }
        return .none
      }
      if layout.isMPEG {
        let frames = hashers == nil ? nil : ContentHasher()
        layout.mpeg = try MPEGLayout.scan(bytes, range: layout.data) { frames?.update($0) }
        if let frames {
          hashers?.current.begin(.mpeg)
          hashers?.current.note(frames)
        }
      } else if let (syntax, range) = try layout.bareFrames(bytes) {
        layout.packets = try bare(bytes, range: range, syntax, in: content.container, hash: hashers?.current)
      } else if let table = layout.packetTable, let form = try? table.form {
        let hasher = hashers.map { form.hasher($0) }
        let packets = try CAFPackets(bytes, table: table, data: layout.data, onPacket: hasher?.add)
        hasher?.finish()
        layout.packets = try PacketTrack(packets, form: form, bytes: bytes)
      }
      return .pcm(layout)
    case .mp4: return try mp4(bytes, hashers: hashers)
    case .matroska: return try matroska(bytes, hashers: hashers)
    case .adts, .wavpack, .ac3, .eac3, .dts:
      return try packetLayout { () throws(DecodingError) in
        let range = try TagBounds(bytes).audio
        return try bare(
          bytes, range: range, BareFrames.syntax(content, bytes, range: range), hash: hashers?.current)
      }
    case .trueAudio:
      let packets = hashers.map { PacketHasher($0.current, rules: .tta) }
      return try packetLayout { () throws(DecodingError) in
        let frames = try TTAFrames(bytes, range: TagBounds(bytes).audio, onPacket: packets?.add)
        let track = try PacketTrack(frames, bytes: bytes)
        packets?.finish(identity: track.codec.identity)
        return track
      }
    case .musepack:
      do throws(DecodingError) {
        return .musepack(try MusepackLayout(bytes, range: TagBounds(bytes).audio, hash: hashers?.current))
      } catch {
        if case .unreadable = error { throw error }
        return .none
      }
    case .dsf, .dsdiff: return try dsd(bytes, container: content.container ?? .dsf, hash: hashers?.current)
    case .asf? where content.codec != nil && !content.isProtected, .ape?, .tak?:
      return .demuxed(try DemuxedLayout(bytes, container: content.container ?? .asf))
    case .trackerModule: return .module
    default: return .none
    }
  }

  private static func mp4(_ bytes: BufferedBytes, hashers: StreamHashers?) throws(DecodingError) -> StreamLayout {
    let layout = try MP4Layout(bytes)
    guard let track = layout.track, let form = try? track.description.form else { return .none }
    guard case .packets(let form) = form else {
      let samples = try MP4Samples(bytes, track: track, fragments: layout.fragments)
      let joined = try JoinedTrack(
        samples, form: form, in: .mp4, ownProblem: samples.problem, notes: layout.notes, bytes: bytes,
        hashers: hashers, trimming: samples.trimming)
      return joined.map { .joined($0) } ?? .none
    }
    let hasher = hashers.map { form.hasher($0) }
    let samples = try MP4Samples(
      bytes, track: track, fragments: layout.fragments, durations: form.durations, onPacket: hasher?.add)
    hasher?.finish()
    return .packets(try PacketTrack(samples, form: form, notes: layout.notes, bytes: bytes))
  }

  private static func matroska(_ bytes: BufferedBytes, hashers: StreamHashers?) throws(DecodingError) -> StreamLayout {
    let layout = try MatroskaLayout(bytes, start: TagBounds.start(of: bytes))
    guard let track = layout.track, !track.isEncrypted, let form = try? track.form else { return .none }
    guard case .packets(let form) = form else {
      let packets = try MatroskaPackets(bytes, layout: layout, track: track)
      let joined = try JoinedTrack(
        packets, form: form, in: .matroska, ownProblem: packets.problem { _ in nil }, notes: layout.notes, bytes: bytes,
        hashers: hashers, trimming: packets.trimming)
      return joined.map { .joined($0) } ?? .none
    }
    let hasher = hashers.map { form.hasher($0) }
    let packets = try MatroskaPackets(
      bytes, layout: layout, track: track, durations: form.durations, onPacket: hasher?.add)
    hasher?.finish()
    return .packets(try PacketTrack(packets, form: form, notes: layout.notes, bytes: bytes))
  }

  private static func bare(
    _ bytes: BufferedBytes, range: Range<Int64>, _ syntax: any BareFrameSyntax, in container: Container? = nil,
    hash: ContentHasher?
  ) throws(DecodingError) -> PacketTrack {
    let packets = hash.map { PacketHasher($0, rules: syntax.rules) }
    let frames = try BareFrames(bytes, range: range, syntax: syntax, onPacket: packets?.add)
    packets?.finish(identity: syntax.codec.identity)
    if let syntax = syntax as? WavPackSyntax { return try PacketTrack(frames, wavPack: syntax, bytes: bytes) }
    return try PacketTrack(frames, in: container ?? syntax.container, bytes: bytes)
  }

  /// ``none`` if there are no packets that can be decoded.
  private static func packetLayout(
    _ track: () throws(DecodingError) -> PacketTrack
  ) throws(DecodingError) -> StreamLayout {
    do throws(DecodingError) {
      return .packets(try track())
    } catch {
      if case .unreadable = error { throw error }
      return .none
    }
  }

  private static func dsd(
    _ bytes: BufferedBytes, container: Container, hash: ContentHasher?
  ) throws(DecodingError) -> StreamLayout {
    let layout: DSDLayout
    do throws(DecodingError) {
      layout = try DSDLayout(bytes, container: container)
    } catch {
      if case .unreadable = error { throw error }
      return .none
    }
    if let hash, let samples = ContentHasher() {
      hash.begin(.dsd)
      hash.note(layout.identity)
      try DSDReader(bytes: bytes, layout: layout).forEachPiece { piece in piece.withUnsafeBytes { samples.update($0) } }
      hash.note(samples)
    }
    return .dsd(layout)
  }

  /// What the file says about its stream, and whether it contradicts it.
  var declaration: StreamDeclaration {
    switch self {
    case .mpeg(let stream): return Self.declaration(stream)
    case .ogg(let stream): return stream.declaration
    case .flac(let layout): return StreamDeclaration(isSound: layout.streamInfo != nil)
    case .pcm(let layout):
      if let stream = layout.mpeg { return Self.declaration(stream) }
      if let track = layout.packets { return track.declaration }
      return StreamDeclaration(
        isSound: layout.ownProblem == nil && layout.notes.isEmpty, frameCount: layout.cutFrameCount)
    case .packets(let track): return track.declaration
    case .musepack(let layout): return layout.declaration
    case .dsd(let layout): return layout.declaration
    case .joined(let track): return track.declaration
    case .demuxed, .module, .none: return StreamDeclaration()
    }
  }

  private static func declaration(_ stream: MPEGLayout) -> StreamDeclaration {
    let trimming = MPEGTrimming(stream)
    return StreamDeclaration(
      isSound: stream.problem(trimming) == nil && !trimming.headerLies, delayFrameCount: trimming.delayFrameCount,
      frameCount: trimming.frameCount)
  }
}

/// Finds which stream a file holds, without what taggers change, so that equal streams have equal hashes.
///
/// Version 2. MPEG: the frames, without tags, junk and Xing, Info or VBRI frames, also in WAV. FLAC: rate, channels, bits
/// and unusual loudspeakers, then the frames, also in Ogg. Vorbis: the identification and setup packets, then the audio
/// packets. Opus: channels and their mapping, then the audio packets. Speex: rate, mode, channels and coded frames of a
/// packet, then the audio packets. Of a chain all links, of each the first audio stream. WAV, RF64, W64, AIFF, CAF, AU:
/// how the bytes are to be read, then those of whole frames. AAC and ALAC: type, rate and channels of the core, or the
/// decoder's configuration, then the packets. What a codec gives is the same in Matroska and MP4 as in its own
/// container. WavPack: the blocks with sound, without their numbers. True Audio: the numbers of the header that the
/// decoder needs, then the packets.
/// AC-3, E-AC-3, DTS: the frames, also in WAV. Musepack: what the decoder gets of the header, then the packets; in version 7, which
/// has none, what follows the header. Tracker modules: the whole file. DSD: rate and channels, then a byte of each
/// channel in turn. ASF: the format of the first audio stream, then the packets. APE and TAK: the file without the tags
/// around it.
///
/// Version 1 alone: what has no decoder. MP4: the media data boxes. ASF: the packets. APE, WavPack, Musepack, TTA, ADTS:
/// the file without the tags around it. Everything else: the whole file.
struct StreamIdentifier {
  let bytes: BufferedBytes
  let content: SniffedContent

  /// Also returns the layout, which a decoder needs.
  func identify() throws(DecodingError) -> (identity: StreamIdentity, layout: StreamLayout) {
    let hashers = try StreamHashers()
    let (current, former) = (hashers.current, hashers.former)
    let layout = try StreamLayout.find(bytes, content: content, hashers: hashers)
    let declaration = layout.declaration
    guard let byteCount = try finish(layout, hashers) else {
      let identity = StreamIdentity(
        hash: former.digest, hashVersion: 1, byteCount: former.byteCount, declaration: declaration)
      return (identity, layout)
    }
    let identity = StreamIdentity(
      hash: current.digest, replacedHash: hashers.replaced.isEmpty ? nil : hashers.replaced.digest,
      formerHash: former.digest, byteCount: byteCount, declaration: declaration)
    return (identity, layout)
  }

  /// Adds to both hashes what they do not have yet.
  ///
  /// - Returns: the bytes of the stream; nil if there is no decoder for it.
  private func finish(_ layout: StreamLayout, _ hashers: StreamHashers) throws(DecodingError) -> Int64? {
    let (current, former) = (hashers.current, hashers.former)
    switch layout {
    case .mpeg:
      current.begin(.mpeg)
      current.note(former)
      return former.byteCount
    case .ogg(let stream):
      return stream.links.first.map(\.codec.isDecodable) == true ? stream.packetByteCount : nil
    case .flac(let layout):
      current.begin(.flac)
      current.note(layout.configuration)
      try bytes.forEachPiece(in: layout.frames) { former.update($0) }
      current.note(former)
      return former.byteCount
    case .pcm(let layout): return try identify(layout, hashers)
    case .packets(let track):
      try addFormerRanges(to: former)
      return track.source.byteCount
    case .musepack(let layout):
      try addFormerRanges(to: former)
      return layout.byteCount
    case .dsd(let layout):
      try addFormerRanges(to: former)
      return layout.byteCount * Int64(layout.channelCount)
    case .demuxed(let layout):
      try addFormerRanges(to: former)
      try layout.hash(bytes, into: hashers)
      return layout.hashed.upperBound - layout.hashed.lowerBound
    case .module:
      try addFormerRanges(to: former)
      current.begin(.module)
      current.note(former)
      return former.byteCount
    case .joined(let track):
      try addFormerRanges(to: former)
      guard let packets = track.hashers else { return nil }
      return try StreamIdentifier(bytes: track.bytes, content: track.content).finish(track.layout, packets)
    case .none:
      try addFormerRanges(to: former)
      return nil
    }
  }

  /// - Returns: the bytes of the stream; nil if there is no decoder for it.
  private func identify(_ layout: PCMLayout, _ hashers: StreamHashers) throws(DecodingError) -> Int64? {
    let (current, former) = (hashers.current, hashers.former)
    former.note(layout.reading)
    guard layout.isDecodable, layout.mpeg == nil, layout.packets == nil else {
      try bytes.forEachPiece(in: layout.formerData) { former.update($0) }
      return layout.mpeg?.streamByteCount ?? layout.packets?.source.byteCount
    }
    current.begin(.samples)
    current.note(layout.reading + "\n")
    if let configuration = layout.alacConfiguration {
      current.note(length: Int64(configuration.count))
      current.note(configuration)
    }
    // Version 1 has the same samples, unless it has more behind them.
    let samples = layout.alignedData
    if samples == layout.formerData {
      try bytes.forEachPiece(in: samples) { former.update($0) }
      current.note(former)
      return former.byteCount
    }
    guard let whole = ContentHasher() else { throw .unsupported(reason: "not enough memory for a hash") }
    whole.note(layout.reading)
    for range in [samples, samples.upperBound..<layout.formerData.upperBound] {
      try bytes.forEachPiece(in: range) {
        former.update($0)
        if range == samples { whole.update($0) }
      }
    }
    current.note(whole)
    return whole.byteCount
  }

  private func addFormerRanges(to former: ContentHasher) throws(DecodingError) {
    for range in try formerRanges() { try bytes.forEachPiece(in: range) { former.update($0) } }
  }

  /// What version 1 hashes of containers that had no decoder.
  private func formerRanges() throws(DecodingError) -> [Range<Int64>] {
    let whole = 0..<bytes.byteCount
    switch content.container {
    case .mp4:
      let media = try MP4Layout(bytes).mediaData
      return media.isEmpty ? [whole] : media
    case .asf: return [try ASFLayout(bytes, start: TagBounds.start(of: bytes)).packets ?? whole]
    case .ape, .wavpack, .musepack, .trueAudio, .adts: return [try TagBounds(bytes).audio]
    default: return [whole]
    }
  }
}

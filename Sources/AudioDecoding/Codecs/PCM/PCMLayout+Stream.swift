import MediaModel

extension PCMLayout {
  /// Finds out whether the data is a stream of MPEG audio, DTS or AC-3 instead of samples.
  ///
  /// - Parameter hashers: The current one gets such a stream.
  mutating func findStream(
    _ bytes: BufferedBytes, in container: Container, hashers: StreamHashers?
  ) throws(DecodingError) {
    if isMPEG {
      let frames = hashers == nil ? nil : ContentHasher()
      let found = try MPEGLayout.scan(bytes, range: data) { frames?.update($0) }
      stream = found.map { Packed(layout: $0, byteCount: $0.streamByteCount) }
      if let frames {
        hashers?.current.begin(.mpeg)
        hashers?.current.note(frames)
      }
      return
    }
    let start = try firstSound(bytes)
    if let found = try bareFrames(bytes, from: start) {
      let track = try PacketTrack(bare: bytes, found, in: container, hash: hashers?.current)
      stream = Packed(layout: track, byteCount: track.source.byteCount)
      isCodedLate =
        isSamples
        && (start - data.lowerBound > Self.shortSilenceByteCount || !found.junk.isEmpty || found.syntax is AC3Syntax)
    } else if let bursts = try bursts(bytes, from: start), let form = bursts.form {
      let joined = try JoinedTrack(
        bursts, form: form, ownProblem: nil, notes: [], bytes: bytes, hashers: hashers, trimming: { _, _ in nil })
      guard let joined else { return }
      stream = Packed(layout: joined, byteCount: bursts.byteCount)
      isCodedLate = true
    }
  }

  /// Whether the header calls the data samples of 16 bits in two channels, as in copies of discs that were sold with DTS.
  private var isSamples: Bool { codec == .pcmS16 && channelCount == 2 }

  /// How much silence may come before the first frame among samples.
  private static let longestSilenceByteCount: Int64 = 64 << 20
  private static let shortSilenceByteCount: Int64 = 1 << 16
  /// How much of a frame that was cut may come before it.
  private static let longestRestByteCount: Int64 = 1 << 16

  /// Where something else than zero bytes begins.
  private func firstSound(_ bytes: BufferedBytes) throws(DecodingError) -> Int64 {
    guard isSamples else { return data.lowerBound }
    return data.lowerBound
      + (try bytes.byteCountToSync(
        from: data.lowerBound, before: data.upperBound, limit: Self.longestSilenceByteCount
      ) { $0 != 0 })
  }

  /// Frames of DTS or AC-3 that stand in place of samples; nil if there are none. The header says so, or calls them samples.
  private func bareFrames(_ bytes: BufferedBytes, from start: Int64) throws(DecodingError) -> BareFrameSearch? {
    let range = start..<max(start, data.upperBound)
    func search(
      _ limit: Int64, _ canBegin: (UInt8) -> Bool, _ makeSyntax: ([UInt8]) -> (any BareFrameSyntax)?
    ) throws(DecodingError) -> BareFrameSearch? {
      try BareFrameSearch(bytes, in: range, before: limit, canBegin: canBegin, makeSyntax)
    }
    let isDTS: (UInt8) -> Bool = { DTSHeader.firstBytes.contains($0) }
    let isAC3: (UInt8) -> Bool = { $0 == AC3Syntax.sync[0] }
    if codec == nil, rawFormat == nil {
      switch codecName {
      case "DTS": return try search(range.upperBound, isDTS) { DTSSyntax($0) }
      case "AC-3": return try search(range.upperBound, isAC3) { AC3Syntax($0) }
      default: return nil
      }
    }
    guard isSamples else { return nil }
    return try search(start + Self.longestRestByteCount, { isDTS($0) || isAC3($0) }) {
      DTSSyntax($0) ?? AC3Syntax($0)
    }
  }

  /// Bursts that stand in place of samples, perhaps behind the rest of one; nil if there are none.
  private func bursts(_ bytes: BufferedBytes, from start: Int64) throws(DecodingError) -> CodedBursts? {
    guard isSamples else { return nil }
    let limit = min(data.upperBound, start + Self.longestRestByteCount)
    let firstBytes = CodedBursts.Order.allCases.map { $0.sync[0] }
    var offset = start
    while offset < limit {
      if let bursts = try CodedBursts(bytes, range: offset..<data.upperBound) { return bursts }
      offset += 1
      offset += try bytes.byteCountToSync(from: offset, before: limit, limit: limit - offset) {
        firstBytes.contains($0)
      }
    }
    return nil
  }
}

extension PCMLayout: StreamLayout {
  var declaration: StreamDeclaration {
    stream?.layout.declaration
      ?? StreamDeclaration(isSound: ownProblem == nil && notes.isEmpty, frameCount: cutFrameCount)
  }

  var hasFormerHash: Bool { true }

  func finish(_ hashers: StreamHashers, _ bytes: BufferedBytes) throws(DecodingError) -> Int64? {
    let (current, former) = (hashers.current, hashers.former)
    former.note(reading)
    guard isDecodable, stream == nil else {
      try bytes.forEachPiece(in: formerData) { former.update($0) }
      if isCodedLate { try addSamples(of: bytes, to: hashers.replaced) }
      return stream?.byteCount
    }
    current.begin(.samples)
    current.note(reading + "\n")
    if let alacConfiguration {
      current.note(length: Int64(alacConfiguration.count))
      current.note(alacConfiguration)
    }
    // Version 1 has the same samples, unless it has more behind them.
    let samples = alignedData
    if samples == formerData {
      try bytes.forEachPiece(in: samples) { former.update($0) }
      current.note(former)
      return former.byteCount
    }
    guard let whole = ContentHasher() else { throw .unsupported(reason: "not enough memory for a hash") }
    whole.note(reading)
    for range in [samples, samples.upperBound..<formerData.upperBound] {
      try bytes.forEachPiece(in: range) {
        former.update($0)
        if range == samples { whole.update($0) }
      }
    }
    current.note(whole)
    return whole.byteCount
  }

  /// The hash of data that was taken for samples, under which libraries know it.
  private func addSamples(of bytes: BufferedBytes, to replaced: ContentHasher) throws(DecodingError) {
    guard let samples = ContentHasher() else { throw .unsupported(reason: "not enough memory for a hash") }
    samples.note(reading)
    try bytes.forEachPiece(in: alignedData) { samples.update($0) }
    replaced.begin(.samples)
    replaced.note(reading + "\n")
    replaced.note(samples)
  }

  func account(to account: inout FileAccount) throws(DecodingError) {
    guard let layout = stream?.layout else { return }
    // Silence before the first frame.
    if let frames = (layout as? PacketTrack)?.source as? BareFrames {
      try account.leave(data.lowerBound..<frames.range.lowerBound)
    }
    try layout.account(to: &account)
  }

  func makeEngine(
    _ bytes: BufferedBytes, in container: Container, options: DecodingOptions
  ) throws(DecodingError) -> any DecodingEngine {
    if let stream { return try stream.layout.makeEngine(bytes, in: container, options: options) }
    if isMPEG { throw .empty(reason: "no audio frame in the data chunk") }
    guard isDecodable else {
      throw obstacle
        ?? .unsupported(reason: "no decoder for \(codec?.rawValue ?? codecName) in \(container.displayName)")
    }
    return try SoundFileDecoder(bytes.file, layout: self, container: container, options: options)
  }
}

extension StreamHashers.Rules {
  static let samples = Self("samples")
}

extension TrackForm {
  /// Samples of whole bytes.
  static func pcm(
    sampleRateInHz: Int, channelCount: Int, bitsPerSample: Int, isFloat: Bool = false, isUnsigned8: Bool = true,
    isBigEndian: Bool
  ) throws(DecodingError) -> TrackForm {
    var layout = PCMLayout(whole: 0..<0, data: 0..<0, sampleRateInHz: sampleRateInHz, channelCount: channelCount)
    try layout.checkShape()
    try layout.setPCM(
      bitsPerSample: bitsPerSample, isFloat: isFloat, isUnsigned8: isUnsigned8, isBigEndian: isBigEndian)
    return samples(layout)
  }

  static func law(_ codec: Codec, sampleRateInHz: Int, channelCount: Int) throws(DecodingError) -> TrackForm {
    var layout = PCMLayout(whole: 0..<0, data: 0..<0, sampleRateInHz: sampleRateInHz, channelCount: channelCount)
    try layout.checkShape()
    layout.setLaw(codec)
    return samples(layout)
  }

  private static func samples(_ layout: PCMLayout) -> TrackForm {
    .joined(
      JoinedForm(samples: JoinedForm.Samples(codec: layout.codec, bytesPerFrame: layout.bytesPerFrame)) {
        (bytes, _, _) throws(DecodingError) in
        var layout = layout
        (layout.whole, layout.data) = (0..<bytes.byteCount, 0..<bytes.byteCount)
        return layout
      })
  }
}

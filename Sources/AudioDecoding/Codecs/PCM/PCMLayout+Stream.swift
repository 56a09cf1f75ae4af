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
    } else if let (syntax, range) = try bareFrames(bytes) {
      let track = try PacketTrack(bare: bytes, range: range, syntax, in: container, hash: hashers?.current)
      stream = Packed(layout: track, byteCount: track.source.byteCount)
    }
  }

  /// How many bytes of silence may come before the first frame among samples.
  private static let maximumSilenceByteCount = 1 << 16

  /// Frames of DTS or AC-3 that stand in place of samples, and where; nil if there are none.
  ///
  /// The header says so, or calls them samples of 16 bits, as in copies of discs that were sold with DTS: then a frame
  /// must be what comes first, and another one must follow it.
  private func bareFrames(
    _ bytes: BufferedBytes
  ) throws(DecodingError) -> (syntax: any BareFrameSyntax, range: Range<Int64>)? {
    if codec == nil, rawFormat == nil {
      let head = try bytes.copy(at: data.lowerBound, count: 16)
      let syntax: (any BareFrameSyntax)? =
        codecName == "DTS" ? DTSSyntax(head) : codecName == "AC-3" ? AC3Syntax(head) : nil
      return syntax.map { ($0, data) }
    }
    guard codec == .pcmS16, channelCount == 2 else { return nil }
    let silence = try bytes.byteCountToSync(
      from: data.lowerBound, before: data.upperBound, limit: Int64(Self.maximumSilenceByteCount)
    ) { $0 != 0 }
    let start = data.lowerBound + silence
    guard let syntax = DTSSyntax(try bytes.copy(at: start, count: 16)),
      let first = syntax.frame(try bytes.copy(at: start, count: 16)),
      syntax.frame(try bytes.copy(at: start + Int64(first.byteCount), count: 16)) != nil
    else { return nil }
    return (syntax, start..<data.upperBound)
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

internal import ArgumentParser
internal import AudioDecoding
internal import MediaExport
internal import MediaImport
internal import MediaModel
internal import MediaStore

/// `deadwax segment`: decoded audio of a range, as a sound file.
struct SegmentCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "segment",
    abstract: "Decode a part of a track into a sound file.",
    discussion: """
      The part is exact to the sample: it begins with frame start x rate and ends before frame end x rate, both rounded \
      down, and equals the same range of a decode from the start bit for bit. WAV and FLAC have the bits of a lossless \
      source; what was lossy becomes float in WAV and 24 bit in FLAC. Raw samples are 32-bit floats, little-endian, \
      interleaved, unless --bits is given.

      Examples: deadwax segment 17 -s 1:02.5 -e 1:10 -o part.wav
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var file: OutputFileOptions
  @OptionGroup var cache: CacheOptions

  @Argument(help: ArgumentHelp("The track: an id, a path, or a query that finds exactly one.", valueName: "track"))
  var words: [String]

  @Option(name: .letter("s"), help: ArgumentHelp("Where to start (0).", valueName: "seconds"))
  var start: SecondsArgument?

  @Option(name: .letter("e"), help: ArgumentHelp("Where to end (the track's end).", valueName: "seconds"))
  var end: SecondsArgument?

  @Option(name: .letter("b"), help: "Bits of a sample: 16, 24 or float.")
  var bits: SampleFormArgument?

  func validate() throws {
    if let start, let end, end.seconds <= start.seconds { throw ValidationError("--end must be after --start") }
    try file.requireFile()
    guard file.resolvedFormat != nil else {
      throw ValidationError("-o is needed: a file ending in .wav, .flac or .raw, or `-` with --format")
    }
    try file.require(["wav", "flac", "raw", "pcm"])
    if kind == .flac, bits == .float { throw ValidationError("FLAC holds integers: --bits takes 16 or 24") }
  }

  func run() throws {
    let track = try library.reading { store in
      try store.resolveTrack(BytePath(argument: words.joined(separator: " ")))
    }
    let frames = try frames(of: track)
    let cache = try cache.makeCache()
    let reader = try track.makeReader(cache: cache)
    let encoder = try kind.makeEncoder(reader.format, form: form(of: track), frameCount: Int64(frames.count))
    if file.isStandardOutput, StandardOutput.isTerminal {
      throw ValidationError("\(kind.rawValue) is not for a terminal; name a file with -o")
    }
    let segment = SegmentWriting(
      reader: reader, frames: frames, encoder: encoder,
      permutation: kind == .raw
        ? nil : ChannelOrder.permutation(from: reader.format.channelOrder, channelCount: reader.format.channelCount))
    try segment.write(to: file, protecting: track.files + library.protectedFiles(for: file.output))
    if encoder.clippedSampleCount > 0, !output.quiet {
      StandardError.line(
        "\(PlainText.count(encoder.clippedSampleCount, "sample")) beyond full scale cut to it; --bits float keeps them")
    }
    output.tell(cache)
  }

  private var kind: SoundFileKind { SoundFileKind(rawValue: file.resolvedFormat ?? "") ?? .raw }

  private func form(of track: TrackReference) -> SampleForm {
    if let bits { return bits.form }
    switch kind {
    case .raw, .ogg, .opus: return .float32
    case .wav: return SampleForm(holding: track.format)
    case .flac:
      let form = SampleForm(holding: track.format)
      return form == .float32 ? .int24 : form
    }
  }

  /// The frames asked for, as far as there are any.
  private func frames(of track: TrackReference) throws -> Range<Int64> {
    guard let rate = track.format.sampleRateInHz, let frameCount = track.format.decodedFrameCount, frameCount > 0 else {
      throw TrackWithoutSound(path: track.files.first)
    }
    func frame(_ seconds: Double) -> Int64 { Int64((seconds * Double(rate)).rounded(.down)) }
    let first = frame(start?.seconds ?? 0)
    let last = end.map { frame($0.seconds) } ?? frameCount
    let duration = DecimalText.number(Double(frameCount) / Double(rate), places: 3)
    guard first < frameCount else { throw ValidationError("nothing lies after --start: the track has \(duration) s") }
    guard first < last else { throw ValidationError("no frame lies between --start and --end") }
    if last > frameCount, !output.quiet { StandardError.line("the track ends at \(duration) s; so does the segment") }
    return first..<min(last, frameCount)
  }
}

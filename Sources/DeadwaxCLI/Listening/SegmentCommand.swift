internal import ArgumentParser
internal import AudioEncoding
internal import Base
internal import LibraryTracks
internal import MediaModel
internal import MediaRendering

/// `deadwax segment`: a part of a track as a sound file.
struct SegmentCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "segment",
    abstract: "Decode part of a track into a sound file.",
    discussion: """
      The part is exact to the sample: it starts with frame start x rate and ends before frame end x rate, both \
      rounded down, and is bit-identical to the same range of a full decode. WAV and FLAC keep the bits of a \
      lossless source; sources that are lossy, float or wider than 24 bits become float in WAV and 24-bit in FLAC. \
      Raw samples are 32-bit floats, little-endian, interleaved in the order of the source, unless --bits is given.

      Examples: deadwax segment 17 -s 1:02.5 -e 1:10 -o part.wav
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var file: OutputFileOptions
  @OptionGroup var existing: OverwriteOption
  @OptionGroup var cache: CacheOptions

  @Argument(help: ArgumentHelp("The track: an id, a path, or a query that finds exactly one.", valueName: "track"))
  var words: [String]

  @OptionGroup var part: PartOptions

  @Option(name: .letter("b"), help: "Bits per sample: 16, 24 or float.")
  var bits: SampleFormArgument?

  func validate() throws {
    try file.requireFile()
    guard file.resolvedFormat != nil else {
      throw ValidationError("-o is needed: a file ending in .wav, .flac or .raw, or `-` with --format")
    }
    try file.require(["wav", "flac", "raw", "pcm"])
    if kind == .flac, bits == .float { throw ValidationError("FLAC stores integers: --bits takes 16 or 24") }
  }

  func run() throws {
    let cache = try cache.makeCache()
    let word = BytePath(argument: words.joined(separator: " "))
    let track = try library.reading(orAnalysing: [word], for: [.measures], output) { try $0.tracks.resolve(word) }
    let source = RecordingSource(track, cache: cache)
    let segment = try SegmentWriter(SegmentRequest(part: part.part, kind: kind, form: bits?.form), of: source)
    output.warn(of: source.damage)
    if segment.isCutAtEnd, !output.quiet {
      let duration = DecimalText.number(track.durationInSeconds ?? 0, places: 3)
      StandardError.line("the \(track.part == nil ? "track" : "part") ends at \(duration) s; so does the segment")
    }
    try SoundFileOutput(
      kind: kind, file: file, replaces: existing.overwrite,
      inputs: track.files + library.protectedFiles(for: file.output)
    ).write { ((), start: try segment.write($0)) }
    if segment.clippedSampleCount > 0, !output.quiet {
      StandardError.line(
        "\(NumberText.count(segment.clippedSampleCount, "sample")) beyond full scale clipped; "
          + (kind == .flac ? "WAV can keep them" : "--bits float keeps them"))
    }
    output.tell(cache)
  }

  private var kind: SoundFileKind { SoundFileKind(rawValue: file.resolvedFormat ?? "") ?? .raw }
}

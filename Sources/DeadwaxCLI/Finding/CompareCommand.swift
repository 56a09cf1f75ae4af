internal import ArgumentParser
internal import AudioEncoding
internal import Base
internal import DecodingService
internal import LibraryTracks
internal import MasterComparison
internal import MediaDrawing
internal import MediaModel
internal import MediaRendering
internal import MediaStore

/// `deadwax compare`: what one copy of a recording is to another one.
struct CompareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Compare two copies or masters of a recording, sample by sample.",
    discussion: """
      Aligns both to a fraction of a sample, finds polarity and speed, and subtracts one from the other: after one \
      gain, and after the best filter. From what is left it says what B is to A:

        identical          equal samples
        gain               another gain, or only rounding and dither
        resampled          other sample rate in between
        equalized          one filter for all of it
        compressed         gain that follows the level: compressor or limiter
        clipped            differs only in the loudest samples
        lossy              noise of a lossy codec
        speed              other speed
        edited             pieces missing, added or replaced, with their places
        other-mix          same performance, other mix
        other-performance  no sample in common

      Next to it: DR14, loudness, range, PLR and peaks of both. The figures are evidence; the rules and where they \
      fail are in docs/comparing.md. Files outside the library are read for the occasion.

      Examples: deadwax compare 17 42
                deadwax compare old.flac remaster.flac -o difference.flac
                deadwax compare 17 new.flac --image compared.svg --json
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var existing: OverwriteOption
  @OptionGroup var cache: CacheOptions

  @Flag(help: "Print one JSON document.")
  var json = false

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("Write the difference after one gain: .flac, .wav or .raw.", valueName: "file"),
    completion: .file())
  var difference: String?

  @Option(
    help: ArgumentHelp(
      "Draw the difference, the filter and the gain over time: .svg, .png or .pdf.", valueName: "file"),
    completion: .file())
  var image: String?

  @Argument(help: ArgumentHelp("A track: an id, a path, or a query that finds exactly one.", valueName: "A"))
  var first: String

  @Argument(help: ArgumentHelp("The one that is compared with it.", valueName: "B"))
  var second: String

  /// The alignment, the filter and the subtraction read the same stretches; the cache holds some of them.
  private static let cacheByteCount = 48 << 20

  func validate() throws {
    if let image {
      guard image != "-" else { throw ValidationError("--image takes a file; standard output has the figures") }
      guard imageFormat != nil else { throw ValidationError("--image takes a file ending in .svg, .png or .pdf") }
      if OutputFolder.named(image) != nil { throw ValidationError("--image takes a file here, not a folder") }
    }
    guard let difference else { return }
    guard difference != "-" else { throw ValidationError("-o takes a file; standard output has the figures") }
    guard kind != nil else { throw ValidationError("-o takes a file ending in .flac, .wav or .raw") }
    if OutputFolder.named(difference) != nil { throw ValidationError("-o takes a file here, not a folder") }
  }

  func run() throws {
    let cache = try cache.makeCache(ofByteCount: Self.cacheByteCount)
    try reading(first) { one in
      try reading(second) { two in
        for source in [one, two] { output.warn(of: RecordingSource(source.track, cache: cache).damage) }
        let comparison = try output.showing("comparing") {
          try difference == nil ? TrackComparison(one, two, cache: cache) : written(one, two, cache)
        }
        try draw(comparison)
        if json {
          try StandardOutput.line(comparison.json.prettyText)
        } else {
          try ComparisonText(comparison, isVerbose: output.verbose).write()
        }
      }
    }
    output.tell(cache)
  }

  /// Each may be in the library or outside of it.
  private func reading(_ word: String, _ body: (TrackComparison.Source) throws -> Void) throws {
    let word = BytePath(argument: word)
    try library.reading(orAnalysing: [word], for: TrackComparison.products, output) { store in
      try body(TrackComparison.Source(store.tracks.resolve(word), in: store))
    }
  }

  // MARK: - The picture

  private var imageFormat: PictureFormat? {
    image.flatMap { PictureFormat(rawValue: BytePath(argument: $0).pathExtension) }
  }

  private func draw(_ comparison: TrackComparison) throws {
    guard let image, let imageFormat else { return }
    let bytes = try comparison.picture.bytes(as: imageFormat)
    try OutputFile(BytePath(argument: image)).write(
      bytes,
      protecting: comparison.first.track.files + comparison.second.track.files + library.protectedFiles(for: image))
  }

  // MARK: - The difference

  private var kind: SoundFileKind? {
    guard let difference, let kind = SoundFileKind(rawValue: BytePath(argument: difference).pathExtension) else {
      return nil
    }
    return kind.isLossy ? nil : kind
  }

  private func written(
    _ one: TrackComparison.Source, _ two: TrackComparison.Source, _ cache: SegmentCache
  ) throws -> TrackComparison {
    let path = BytePath(argument: difference ?? "")
    let pending = try OutputFile(path, replaces: existing.overwrite).begin(
      protecting: one.track.files + two.track.files + library.protectedFiles(for: difference))
    var encoder: (any SoundEncoder)?
    let comparison = try TrackComparison(one, two, cache: cache) { format in
      let made = try (kind ?? .flac).makeEncoder(
        AudioFormat(sampleRateInHz: format.sampleRateInHz, channelCount: format.channelCount),
        form: kind == .flac ? .int24 : .float32, frameCount: Int64(format.frameCount))
      encoder = made
      return { try pending.append(try made.encode($0.span)) }
    }
    guard let encoder else { throw ComparisonFailure.nothingInCommon(one.track.label, two.track.label) }
    let (end, start) = try encoder.finish()
    if !end.isEmpty { try pending.append(end) }
    if !start.isEmpty { try pending.replaceStart(with: start) }
    try pending.commit()
    return comparison
  }
}

/// Why there is no difference of two tracks.
enum ComparisonFailure: Error, CustomStringConvertible {
  case nothingInCommon(String, String)

  var description: String {
    switch self {
    case .nothingInCommon(let one, let other):
      "no difference was written: '\(one)' and '\(other)' have no sound in common"
    }
  }
}

internal import ArgumentParser
internal import AudioEncoding
internal import Base
internal import DecodingService
internal import LibraryQueries
internal import LibraryTracks
internal import MediaModel
internal import MediaRendering
internal import MediaStore

/// `deadwax render`: tracks through their presets, as sound files.
struct RenderCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "render",
    abstract: "Write tracks to files as they sound through their presets.",
    discussion: """
      Each track goes through the preset that applies to it (`preset of TRACK` shows which), or through --preset: \
      pitch, reverb, rate and equalizer, in this order. With a folder (-o DIR) a file is written for every matching \
      track, several at once. The file's extension, or --format, selects the format: wav, flac, ogg (Vorbis), opus \
      or mp3. Tags and pictures are copied, except tags about the loudness or length of the original file.

      If neither a preset nor --normalize changes anything, WAV and FLAC contain what `segment` writes: the samples \
      of a lossless source of up to 24 bits; for other sources, floats in WAV and 24 bits in FLAC. Otherwise true \
      peaks are limited to -1 dBTP, or to -2 dBTP for Vorbis, Opus and MP3, whose encoders shift them. Reverb rings \
      out after the end. --normalize compensates for the loudness that limiting costs, by up to 6 dB.

      Examples: deadwax render 17 --preset Warm -o warm.flac
                deadwax render 'album:tide' --normalize -16 --format opus -o phone/
                deadwax render year:2023 -o car/ --name '{album}/{title}'
                deadwax render list:evening -o radio.opus --announce --crossfade 4
                deadwax render list:party -o party.flac --transitions smart
                deadwax render 17#3 -o chapter.flac
                deadwax render 17 --parts -o tracks/ --name '{track} {title}'
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var file: OutputFileOptions
  @OptionGroup var existing: OverwriteOption
  @OptionGroup var sound: RenderSoundOptions
  @OptionGroup var radio: RadioOptions
  @OptionGroup var batch: BatchOptions
  @OptionGroup var cache: CacheOptions

  @Argument(
    help: ArgumentHelp(
      "The track: an id, a path, or a query that finds exactly one; with a folder, any number of them.",
      valueName: "track"))
  var words: [String] = []

  @Option(
    help: ArgumentHelp(
      "The preset for all tracks: a name, or a preset file of Deadwax (.json); Flat changes nothing.", valueName: "name"
    ))
  var preset: String?

  @Flag(
    help: """
      Write each part (chapter, or track of a CUE sheet) of tracks with parts to a folder; in --name, {track} is its \
      number.
      """)
  var parts = false

  @Flag(help: "Print which files would be written, without writing them.")
  var dryRun = false

  private static let formats = ["wav", "flac", "ogg", "opus", "mp3"]

  func validate() throws {
    guard file.output != nil else { throw ValidationError("-o is needed: a file, or a folder for many tracks") }
    try batch.requireFolder(file.folder)
    if file.folder == nil, words.isEmpty { throw ValidationError("which track? An id, a path or a query") }
    if parts, file.folder == nil {
      throw ValidationError("--parts needs a folder: name one with -o, with / at the end")
    }
    try file.require(Self.formats)
    try sound.require(for: kind)
    try radio.require(folder: file.folder, part: sound.part.part, writesParts: parts, isDryRun: dryRun)
  }

  func run() throws {
    let cache = try cache.makeCache()
    let renderer = TrackRenderer(try sound.request(kind))
    let word = words.joined(separator: " ")
    let names = (file.folder == nil && !radio.isGiven ? [word] : words).map(BytePath.init(argument:))
    try library.reading(orAnalysing: names, for: [.measures, .loudness], output) { store in
      let chain = try PresetChoice.chain(preset, in: store, of: library)
      if let folder = file.folder {
        try renderAll(into: folder, renderer, chain, store, cache)
      } else if radio.isGiven {
        let programme = try radio.renderer(of: words, try sound.request(kind), through: chain, in: store, cache, output)
        let output = SoundFileOutput(
          kind: kind, file: file, replaces: existing.overwrite,
          inputs: programme.files + (try library.protectedFiles(for: file.output)))
        tell(try output.write { try programme.renderer.write($0) }, of: nil)
        for damage in programme.damages { self.output.warn(of: damage) }
      } else {
        let source = RecordingSource(try store.tracks.resolve(BytePath(argument: word)), cache: cache)
        if dryRun { return try preview(source) }
        let track = try RenderedTrack(source, through: chain, in: store)
        let output = try SoundFileOutput(
          kind: kind, file: file, replaces: existing.overwrite,
          inputs: source.track.files + library.protectedFiles(for: file.output))
        tell(try output.write { append in try renderer.write(track) { try append($0) } }, of: source.track.files.first)
        self.output.warn(of: source.damage)
      }
    }
    output.tell(cache)
  }

  private var kind: SoundFileKind { SoundFileKind(rawValue: file.resolvedFormat ?? "flac") ?? .flac }

  private func renderAll(
    into folder: BytePath, _ renderer: TrackRenderer, _ chain: EffectChain?, _ store: MediaStore, _ cache: SegmentCache
  ) throws {
    let run = BatchRun(
      folder: folder, ending: kind.rawValue, batch: batch, output: output, library: library,
      writesParts: parts, replaces: existing.overwrite)
    let query = try store.tracks.query(naming: words)
    if dryRun { return try run.preview(over: query, in: store) }
    try run.writing(over: query, in: store) { item, output in
      let whole = try store.tracks.resolve(item.path)
      let source = RecordingSource(try item.part.map { try store.tracks.part($0, of: whole) } ?? whole, cache: cache)
      let track = try RenderedTrack(source, through: chain, in: store)
      let (report, start) = try renderer.write(track) { try output.append($0) }
      if !start.isEmpty { try output.replaceStart(with: start) }
      tell(report, of: source.track.files.first)
      self.output.warn(of: source.damage)
    }
  }

  private func preview(_ source: RecordingSource) throws {
    guard let track = source.track.files.first, let output = file.output else { return }
    try OutputPreview.write(track, as: BytePath(argument: output), replaces: existing.overwrite)
  }

  private func tell(_ report: RenderReport, of path: BytePath?) {
    let name = path.map { $0.displayString + ": " } ?? ""
    let remarks = report.remarks
    if output.verbose, !remarks.isEmpty {
      StandardError.line(TerminalText.escaped(name + remarks.joined(separator: ", ")))
    }
    guard !output.quiet else { return }
    for warning in report.warnings(for: kind) { StandardError.line(TerminalText.escaped(name + warning)) }
  }
}

extension RenderReport {
  /// What was done.
  fileprivate var remarks: [String] {
    var remarks: [String] = []
    if gainInDB != 0 { remarks.append("gain \(Self.decimal(gainInDB)) dB") }
    if let greatestReductionInDB { remarks.append("limiter: at most \(Self.decimal(greatestReductionInDB)) dB less") }
    return remarks
  }

  /// What was not as asked for.
  fileprivate func warnings(for kind: SoundFileKind) -> [String] {
    var warnings: [String] = []
    if let shortfallInLU {
      warnings.append("\(Self.decimal(shortfallInLU)) LU quieter than requested, because its peaks are limited")
    }
    if clippedSampleCount > 0 {
      warnings.append("\(NumberText.count(clippedSampleCount, "sample")) beyond full scale clipped")
    }
    if hasNoLoudness { warnings.append("too short or too quiet to have a loudness, so not normalized") }
    if movedBandCount > 0 {
      warnings.append("\(NumberText.count(movedBandCount, "band")) above half the sample rate moved down to it")
    }
    if let channelCount = channelCountWithOtherLoudspeakers {
      warnings.append("\(kind.rawValue) has a different speaker layout for \(channelCount) channels")
    }
    if omitsArtwork { warnings.append("a picture of 16 MiB or more does not fit into \(kind.rawValue)") }
    return warnings
  }

  private static func decimal(_ value: Double) -> String { DecimalText.number(value, places: 1) }
}

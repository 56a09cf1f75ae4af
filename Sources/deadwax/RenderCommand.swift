internal import ArgumentParser
internal import AudioDecoding
internal import MediaExport
internal import MediaModel
internal import MediaStore

/// `deadwax render`: tracks through their presets, as sound files.
struct RenderCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "render",
    abstract: "Write tracks as they sound through their presets.",
    discussion: """
      Each track goes through the preset that applies to it (`preset of TRACK` says which), or through --preset: pitch, \
      reverb, rate, equalizer, in this order. With a folder (-o DIR) every track that the words find becomes a file, \
      several at once. The file's ending, or --format, says what is written: wav, flac, ogg (Vorbis) or opus. Tags and \
      pictures are carried over, but for those that say how loud or how long the old file was.

      Where neither a preset nor --normalize changes anything, every sample stays as it was decoded, as far as the \
      format holds it. Otherwise true peaks are kept at or below -1 dBTP, before encoders of Vorbis and Opus, which move \
      them, at or below -2 dBTP. A reverb rings out behind the end. --normalize makes up for the loudness that limiting costs, as far as 6 dB do.

      Examples: deadwax render 17 --preset Warm -o warm.flac
                deadwax render 'album:tide' --normalize -16 --format opus -o phone/
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var file: OutputFileOptions
  @OptionGroup var sound: RenderSoundOptions
  @OptionGroup var batch: BatchOptions
  @OptionGroup var cache: CacheOptions

  @Argument(
    help: ArgumentHelp(
      "The track: an id, a path, or a query that finds exactly one; with a folder, any number of them.",
      valueName: "track"))
  var words: [String] = []

  @Option(
    help: ArgumentHelp(
      "The preset for all, by name, or a file of ours ending in .json; Flat changes nothing.", valueName: "name"))
  var preset: String?

  private static let formats = ["wav", "flac", "ogg", "opus"]

  func validate() throws {
    guard file.output != nil else { throw ValidationError("-o is needed: a file, or a folder for many tracks") }
    try batch.requireFolder(file.folder)
    if file.folder == nil, words.isEmpty { throw ValidationError("which track? An id, a path or a query") }
    try file.require(Self.formats)
    if kind == .flac, sound.bits == .float { throw ValidationError("FLAC holds integers: --bits takes 16 or 24") }
    if kind == .ogg || kind == .opus, sound.bits != nil { throw ValidationError("--bits is for wav and flac") }
    if sound.quality != nil, kind != .ogg { throw ValidationError("--quality is for ogg") }
    if sound.bitrate != nil, kind != .opus { throw ValidationError("--bitrate is for opus") }
  }

  func run() throws {
    let cache = try cache.makeCache()
    try library.reading { store in
      let rendering = TrackRendering(options: sound, kind: kind)
      let choice = try PresetChoice(preset, in: store)
      if let folder = file.folder {
        try renderAll(into: folder, rendering, choice, store, cache)
      } else {
        let track = try store.resolveTrack(BytePath(argument: words.joined(separator: " ")))
        let source = try source(track, choice, store)
        do {
          tell(try renderOne(rendering, source, cache), of: track.files.first)
        } catch let failure as TrackFailure {
          // Of one track it is the options that are wrong, as it is for `segment`.
          guard case .nothingInRange = failure else { throw failure }
          throw ValidationError("\(failure)")
        }
      }
    }
    output.tell(cache)
  }

  private var kind: SoundFileKind { SoundFileKind(rawValue: file.resolvedFormat ?? "flac") ?? .flac }

  private func renderOne(
    _ rendering: TrackRendering, _ source: TrackRendering.Source, _ cache: SegmentCache
  ) throws -> TrackRendering.Report {
    let output = try SoundFileOutput(
      kind: kind, file: file, inputs: source.track.files + library.protectedFiles(for: file.output))
    return try output.write { append in try rendering.write(source, cache: cache) { try append($0) } }
  }

  private func renderAll(
    into folder: BytePath, _ rendering: TrackRendering, _ choice: PresetChoice, _ store: MediaStore,
    _ cache: SegmentCache
  ) throws {
    let run = BatchRun(folder: folder, ending: kind.rawValue, batch: batch, output: output, library: library)
    try run.writing(over: store.query(naming: words), in: store) { item, output in
      let track = try store.resolveTrack(item.path)
      let (report, start) = try rendering.write(source(track, choice, store), cache: cache) { try output.append($0) }
      if !start.isEmpty { try output.replaceStart(with: start) }
      tell(report, of: track.files.first)
    }
  }

  private func source(
    _ track: TrackReference, _ choice: PresetChoice, _ store: MediaStore
  ) throws -> TrackRendering.Source {
    let found = try store.tagsAndArtwork(ofRecording: track.recordingID, preferring: track.files.first)
    let chain = try choice.chain(for: track, in: store)
    return TrackRendering.Source(
      track: track, chain: chain, measures: try store.measures(ofRecording: track.recordingID),
      tags: SoundTags(carriedOver: found.tags, artwork: found.artwork, through: chain))
  }

  private func tell(_ report: TrackRendering.Report, of path: BytePath?) {
    let name = path.map { $0.displayString + ": " } ?? ""
    if output.verbose, !report.lines.isEmpty {
      StandardError.line(TerminalText.escaped(name + report.lines.joined(separator: ", ")))
    }
    guard !output.quiet else { return }
    for warning in report.warnings { StandardError.line(TerminalText.escaped(name + warning)) }
  }
}

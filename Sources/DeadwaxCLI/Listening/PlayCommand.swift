internal import ArgumentParser
internal import AudioEncoding
internal import Base
internal import DecodingService
internal import Foundation
internal import Glibc
internal import LibraryTracks
internal import MediaModel
internal import MediaPlaying
internal import MediaRendering
internal import MediaStore
internal import UserData

/// `deadwax play`: tracks through their presets, on a sound device or into a pipe.
struct PlayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "play",
    abstract: "Play tracks through their presets.",
    discussion: """
      Plays the matching tracks without gaps, each through its preset: what you hear is what `render` writes. In a \
      terminal it shows the waveform, the spectrum and ten sliders of an equalizer; `?` lists the keys. Click the \
      waveform to seek.

      Sound goes through ALSA, so PipeWire and PulseAudio work too. For a track with another sample rate the device \
      is reopened, to avoid needless conversion. With -o the sound goes to a file or a pipe in one format, as fast \
      as the reader takes it: `-` is raw samples unless --format says otherwise.

      Desktops, media keys and programs such as playerctl control it through MPRIS, if there is a session bus.

      --transitions plays each track into the next as `render --transitions` writes it: smart (fades that suit both \
      tracks), silence (no fades, short silences) or gapless. --explain says what each transition is, and why; `deadwax \
      help transitions` explains the kinds.

      --resume continues where the last playback stopped.

      Examples: deadwax play 'album:tide'
                deadwax play genre:jazz --shuffle --gain album
                deadwax play --resume
                deadwax play 17 -o - -b 16 | aplay -f cd
                deadwax play list:evening -o evening.flac
                deadwax play list:party --transitions smart --explain
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var file: OutputFileOptions
  @OptionGroup var existing: OverwriteOption
  @OptionGroup var options: PlayOptions

  @Argument(
    help: ArgumentHelp("The tracks: ids, paths of files, or a query (default: all).", valueName: "query"),
    completion: Completions.query)
  var words: [String] = []

  @Option(help: ArgumentHelp("The ALSA name of the sound device.", valueName: "name"))
  var device = "default"

  @Flag(help: "Resume the last playback where it stopped.")
  var resume = false

  @Flag(inversion: .prefixedNo, help: "Draw in the terminal; otherwise print one line per track.")
  var screen = true

  @Option(name: .letter("b"), help: "Bits per sample with -o: 16, 24 or float.")
  var bits: SampleFormArgument?

  @OptionGroup var cache: CacheOptions

  private static let formats = ["raw", "pcm", "wav", "flac"]

  func validate() throws {
    try file.requireFile()
    if resume, !words.isEmpty || options.shuffle || options.from != nil {
      throw ValidationError("--resume takes no query, --shuffle or --from")
    }
    guard let output = file.output else {
      if bits != nil || file.format != nil { throw ValidationError("--bits and --format need -o") }
      return
    }
    if output != "-" || file.format != nil { try file.require(Self.formats) }
    if kind == .flac, bits == .float { throw ValidationError("FLAC stores integers: --bits takes 16 or 24") }
    if options.repeat != .off { throw ValidationError("--repeat never ends, so it cannot be used with -o") }
    if output == "-", StandardOutput.isTerminal {
      throw ValidationError("sound cannot be shown in a terminal; send it to a file or a pipe")
    }
  }

  func run() throws {
    let cache = try cache.makeCache()
    let names = (words.isEmpty ? [""] : words).map(BytePath.init(argument:))
    try library.reading(
      orAnalysing: names,
      for: Set([.measures, .loudness, .waveform, .waveformEnergy]).union(
        options.transitions == .smart ? [.chroma, .rhythm] : []), output
    ) { store in
      let memory = PlayMemory(library: store.isTemporary ? nil : try library.path())
      let session = resume ? try memory.session() : nil
      let chain = try options.chain(in: store, of: library)
      let opener = file.output == nil ? RecordingSource.openForListening : RecordingSource.openInWorker
      let covers = file.output == nil ? DesktopCover(StateFolder.covers) : nil
      let load: @Sendable (PlayItem) throws -> PlayedTrack = { item in
        let track = try store.tracks.resolve("\(item.recordingID)" + (item.part.map { "#\($0)" } ?? ""))
        let source = RecordingSource(track, cache: cache, opening: opener)
        var played = try PlayedTrack(source, through: chain, in: store)
        played.coverFile = covers?.file(ofRecording: track.recordingID, in: store)
        return played
      }
      let queue = PlayQueue(try session?.items ?? items(in: store), repetition: options.repeat)
      if let from = options.from, let first = queue.items.first {
        let length = try load(first).durationInSeconds
        guard from.seconds < length else {
          throw ValidationError("--from is beyond the end of the first track, \(DurationText.clock(length))")
        }
      }
      let transitions = options.transitions.map { PlayerTransitions($0, from: store) }
      if file.output != nil { return try write(queue, transitions, load) }
      // After all that the user may have mistyped, before anything is decoded.
      try play(queue, session, on: try DeviceSink(device), transitions, memory, store, load)
    }
    output.tell(cache)
  }

  private var kind: SoundFileKind { SoundFileKind(rawValue: file.resolvedFormat ?? "") ?? .raw }

  /// What was named, shuffled if that was asked for.
  private func items(in store: MediaStore) throws -> [PlayItem] {
    let tracks = try words.map {
      try PartAddress(BytePath(argument: $0)) == nil ? nil : store.tracks.named(BytePath(argument: $0))
    }
    var items: [PlayItem]
    if tracks.contains(where: { $0?.part != nil }) {
      items = try words.map {
        let track = try store.tracks.resolve(BytePath(argument: $0))
        return PlayItem(track.recordingID, part: track.part?.number)
      }
    } else {
      items = try store.tracks.recordingIDs(naming: words).map { PlayItem($0) }
    }
    guard !items.isEmpty else { throw TrackError.nothing(named: words) }
    if options.shuffle { items.shuffle() }
    return items
  }

  // MARK: On a device

  private func play(
    _ queue: PlayQueue, _ session: PlaySession?, on sink: DeviceSink, _ transitions: PlayerTransitions?,
    _ memory: PlayMemory, _ store: MediaStore, _ load: @escaping @Sendable (PlayItem) throws -> PlayedTrack
  ) throws {
    let volume = options.volume.map { Double($0) / 100 } ?? session?.volume ?? 1
    let settings = PlayerOptions(levelling: options.gain, volume: volume, transitions: transitions)
    let start = (place: session?.place ?? 0, seconds: options.from?.seconds ?? session?.seconds ?? 0)
    let (output, count) = (output, queue.items.count)
    // Messages would be drawn over.
    let messages = screen && ScreenTerminal.isThere ? MessageBox() : nil
    let player = Player(
      queue, into: sink, options: settings, load: load,
      onStart: { place, track in
        // The screen marks the place itself, too.
        if let messages, let damage = track.source.damage { messages.put(damage.text) }
        guard messages == nil, !output.quiet else { return }
        output.warn(of: track.source.damage)
        let text = "\(place + 1)/\(count)  \(track.label)  \(DurationText.clock(track.durationInSeconds))"
        try? StandardOutput.line(TerminalText.escaped(text))
        try? StandardOutput.flush()
      },
      onTransition: { [explains = options.explain] transition in
        guard explains else { return }
        if let messages {
          messages.put(transition.explanation)
        } else {
          try? StandardOutput.line("  \(transition.explanation)")
        }
      },
      onFailure: { error in
        let text = ErrorAdvice.text(of: error)
        if let messages { messages.put(text) } else { StandardError.line(TerminalText.escaped(text)) }
      })
    let stop = try StopSignal.catchingSignals()
    player.start(at: start.place, seconds: start.seconds)
    let remote = RemoteControl(player)
    remote.start()
    defer {
      remote.end()
      memory.note(player)
    }
    var noted = monotonicSeconds()
    func note() {
      guard monotonicSeconds() - noted > 5 else { return }
      memory.note(player)
      noted = monotonicSeconds()
    }
    if let messages {
      let screen = try PlayScreen(player, store, library, messages, output.capabilities)
      try screen.run(until: stop, note)
    } else {
      while stop.number == nil, !player.state.isFinished {
        stop.wait(for: -1, upToSeconds: 0.2)
        note()
      }
    }
    player.stop()
    // A device that hangs must not keep the program.
    player.waitUntilFinished(upToSeconds: 2)
    if let failure = player.state.failure { throw failure }
    if let number = stop.number { throw ExitCode(128 + number) }
  }

  // MARK: Into a file or a pipe

  /// All tracks in the rate and the channels of the first, which is known before anything is decoded, with its length.
  private func write(
    _ queue: PlayQueue, _ transitions: PlayerTransitions?,
    _ load: @escaping @Sendable (PlayItem) throws -> PlayedTrack
  ) throws {
    let tracks = try queue.items.map(load)
    guard let first = tracks.first else { return }
    for track in tracks { self.output.warn(of: track.source.damage) }
    let rate = first.sampleRateInHz
    let format = AudioFormat(
      sampleRateInHz: rate, channelCount: max(1, first.source.track.format.channelCount ?? 1))
    let forms = tracks.map { kind.form(holding: $0.source.track.format) }
    let form = bits?.form ?? forms.max { $0.bytesPerSample < $1.bytesPerSample } ?? .float32
    var frameCount =
      try transitions?.frameCount(of: tracks, atRateInHz: rate)
      ?? tracks.reduce(0) { try $0 + $1.frameCount(atRateInHz: rate) }
    if let from = options.from { frameCount -= from.frame(atRateInHz: rate) }
    let settings = PlayerOptions(
      levelling: options.gain, volume: Double(options.volume ?? 100) / 100, transitions: transitions)
    let stop = try StopSignal.catchingSignals()
    let output = SoundFileOutput(
      kind: kind, file: file, replaces: existing.overwrite,
      inputs: try tracks.flatMap { $0.source.track.files } + library.protectedFiles(for: file.output))
    let encoder = try kind.makeEncoder(format, form: form, frameCount: max(0, frameCount))
    try output.write { append in
      try withoutActuallyEscaping(append) { append in
        let sink = EncodedSink(format, form: form, encoder, append: append)
        let failure = FirstFailure()
        let player = Player(
          queue, into: sink, options: settings, load: load,
          onTransition: { [explains = options.explain] in if explains { StandardError.line($0.explanation) } },
          onFailure: { failure.note($0) })
        player.start(seconds: options.from?.seconds ?? 0)
        while stop.number == nil, !player.state.isFinished, failure.error == nil {
          stop.wait(for: -1, upToSeconds: 0.05)
        }
        player.stop()
        // Who reads a pipe may never go on.
        if let number = stop.number, !player.waitUntilFinished(upToSeconds: 2) { _exit(128 + number) }
        player.waitUntilFinished()
        if let error = failure.error ?? player.state.failure { throw error }
        if let number = stop.number { throw ExitCode(128 + number) }
        return ((), start: sink.start)
      }
    }
  }
}

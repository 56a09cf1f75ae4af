internal import AudioAnalysis
internal import Base
internal import LibraryTracks
internal import MediaDrawing
internal import MediaModel
internal import MediaPlaying
internal import MediaRendering
internal import MediaStore
internal import Synchronization

/// A player in the terminal: draws what is heard, and does what keys and clicks say.
final class PlayScreen {
  /// At most so many pictures a second.
  private static let picturesPerSecond = 30.0
  private static let messageSeconds = 4.0

  let player: Player
  let store: MediaStore
  let library: LibraryOptions
  private let terminal: ScreenTerminal
  private let capabilities: TerminalCapabilities
  private let messages: MessageBox
  private var shown: (place: Int, track: ShownTrack)?
  private var waveform: PlayerWaveform?
  private var grid: CellGrid?
  private var layout = PlayerLayout(width: 0, height: 0)
  private var spectrum: LiveSpectrum?
  private var lastPicture = 0.0
  private var message: (text: String, until: Double)?
  private var rest: [UInt8] = []

  // What keys have changed; PlayScreen+Keys moves them.
  var selectedSlider: Int?
  var showsHelp = false
  var isQuitting = false
  /// The start of a loop whose end is not chosen yet.
  var loopStart: Int64?
  /// The equalizer that is switched off, and where.
  var bypassed: (place: Int, equalizer: Equalizer)?
  /// What is typed as the name of a preset.
  var typedName: String?
  /// Presets that were saved for places of the queue, with what they hold.
  var saved: [Int: (name: String, equalizer: Equalizer)] = [:]
  private var scene = PlayerScene()

  init(
    _ player: Player, _ store: MediaStore, _ library: LibraryOptions, _ messages: MessageBox,
    _ capabilities: TerminalCapabilities
  ) throws {
    self.player = player
    self.store = store
    self.library = library
    self.messages = messages
    self.capabilities = capabilities
    terminal = try ScreenTerminal()
  }

  /// Draws until the queue ends, a key or a signal says so.
  ///
  /// - Parameter tick: Called a few times a second.
  func run(until stop: StopSignal, _ tick: () -> Void) throws {
    defer { terminal.leave() }
    while stop.number == nil, !isQuitting {
      let state = player.state
      if state.isFinished { return }
      try draw(state, until: stop)
      let pause = state.isPaused ? 0.1 : 1 / Self.picturesPerSecond
      let events = try terminal.wait(
        for: stop, upToSeconds: max(0.001, lastPicture + pause - monotonicSeconds()))
      take(events.input)
      if events.needsRedraw { grid = nil }
      if events.isGone { return }
      if events.wasAskedToStop { try suspend() }
      tick()
    }
  }

  /// Ctrl-Z: the music stops, and goes on with the process if it was playing.
  func suspend() throws {
    let wasPaused = player.state.isPaused
    player.pause(true)
    try terminal.stop()
    grid = nil
    if !wasPaused { player.pause(false) }
  }

  func tell(_ text: String) { message = (text, monotonicSeconds() + Self.messageSeconds) }

  private func take(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    let (keys, rest) = TerminalKey.keys(in: self.rest + bytes)
    self.rest = rest
    for key in keys {
      if case .click(let column, let row) = key {
        if let part = layout.part(column: column, row: row) { player.seek(toPart: part) }
      } else {
        take(key)
      }
    }
  }

  // MARK: Pictures

  private func draw(_ state: PlayerState, until stop: StopSignal) throws {
    let now = monotonicSeconds()
    guard now - lastPicture >= 0.9 / Self.picturesPerSecond || grid == nil else { return }
    let seconds = min(1, now - lastPicture)
    lastPicture = now
    let (width, height) = terminal.size
    layout = PlayerLayout(width: width, height: height, movesSliders: selectedSlider != nil)
    if let track = state.track, shown?.place != state.place {
      let shown = ShownTrack(track, in: store)
      self.shown = (state.place, shown)
      scene.show(shown)
      waveform = nil
      loopStart = nil
    }
    if waveform?.width != layout.columns.count || waveform?.height != layout.waveform.count {
      waveform = shown?.track.waveform(width: layout.columns.count, height: layout.waveform.count, capabilities)
    }
    update(state, seconds: seconds)
    let next = scene.grid(width: width, height: height, capabilities)
    try terminal.write(next.update(from: grid, capabilities), until: stop)
    grid = next
  }

  private func update(_ state: PlayerState, seconds: Double) {
    scene.waveform = waveform
    scene.isPaused = state.isPaused
    scene.positionInSeconds = state.positionInSeconds
    scene.queue = "\(state.place + 1) of \(player.itemCount)"
    scene.facts = facts(state)
    scene.volume = state.volume
    scene.isMuted = state.isMuted
    scene.sliders = (isBypassed(state) ? bypassed?.equalizer ?? .flat : state.equalizer).sliderGains
    scene.isBypassed = isBypassed(state)
    scene.selectedSlider = selectedSlider
    scene.showsHelp = showsHelp
    scene.modes = player.repetition == .off ? [] : ["repeat \(player.repetition.rawValue)"]
    scene.loop = loop(state)
    let now = monotonicSeconds()
    if let text = messages.take() { tell(text) }
    if message.map({ $0.until < now }) == true { message = nil }
    scene.message = typedName.map { "Save as preset: \($0)_" } ?? message?.text
    measure(state, seconds: seconds)
  }

  func isBypassed(_ state: PlayerState) -> Bool { bypassed?.place == state.place }

  private func facts(_ state: PlayerState) -> [String] {
    guard let track = state.track else { return [] }
    let format = track.source.track.format
    let kind = [format.codec?.rawValue, format.sampleRateInHz.map { "\(NumberText.short(Double($0) / 1000)) kHz" }]
    var facts = [kind.compactMap { $0 }.joined(separator: " ")]
    let saved = saved[state.place]
    let isChanged = state.isEqualizerChanged && saved?.equalizer != state.equalizer
    if isBypassed(state) {
      facts.append("bypassed")
    } else if let name = saved?.name ?? track.presetName {
      facts.append(name + (isChanged ? " *" : ""))
    } else if isChanged {
      facts.append("equalizer *")
    }
    let gain = track.gainInDB(state.levelling)
    if state.levelling != .off {
      facts.append("\(gain > 0 ? "+" : "")\(NumberText.decimal(gain, 1)) dB \(state.levelling.rawValue)")
    }
    return facts.filter { !$0.isEmpty }
  }

  private func loop(_ state: PlayerState) -> (start: Double?, end: Double?) {
    guard let track = state.track else { return (nil, nil) }
    func part(_ frame: Int64) -> Double { Double(frame - track.frames.lowerBound) / Double(max(1, track.frames.count)) }
    if let loop = state.loop { return (part(loop.lowerBound), part(loop.upperBound)) }
    return (loopStart.map(part), nil)
  }

  private func measure(_ state: PlayerState, seconds: Double) {
    let rate = player.tap.latest(0, delay: 0).sampleRateInHz
    guard rate > 0 else { return }
    if spectrum?.sampleRateInHz != rate { spectrum = LiveSpectrum(sampleRateInHz: rate) }
    guard let spectrum else { return }
    var levels = (
      left: [Double](repeating: 0, count: spectrum.bands.count),
      right: [Double](repeating: 0, count: spectrum.bands.count)
    )
    if !state.isPaused {
      let heard = player.tap.latest(spectrum.frameCount, delay: state.delayFrameCount)
      let found = spectrum.levels(left: heard.left, right: heard.right)
      levels = (found.left.map(FallingBars.height), found.right.map(FallingBars.height))
    }
    scene.left.update(levels.left, seconds: seconds)
    scene.right.update(levels.right, seconds: seconds)
  }
}

/// Messages of other threads for the screen, of which the last one counts.
final class MessageBox: Sendable {
  private let text = Mutex<String?>(nil)

  func put(_ text: String) { self.text.withLock { $0 = text } }

  func take() -> String? {
    text.withLock { text in
      defer { text = nil }
      return text
    }
  }
}

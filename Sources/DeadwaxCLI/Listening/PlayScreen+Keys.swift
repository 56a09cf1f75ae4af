internal import Base
internal import LibraryQueries
internal import LibraryTracks
internal import MediaModel
internal import MediaPlaying
internal import MediaRendering
internal import MediaStore
internal import UserData

extension PlayScreen {
  private static let volumeStep = 0.05
  private static let sliderStep = 0.5

  func take(_ key: TerminalKey) {
    if typedName != nil { return type(key) }
    switch key {
    case .control("c"), .character("q"): isQuitting = true
    case .control("z"):
      // A failure would also be one of drawing, which reports it.
      try? suspend()
    case .character("?"): showsHelp.toggle()
    case .escape:
      showsHelp = false
      selectedSlider = nil
    case .character("e"): selectedSlider = selectedSlider == nil ? 0 : nil
    case .character("x"): bypass()
    case .character("w"): typedName = suggestedName
    case .wheel(let up): changeVolume(by: up ? Self.volumeStep : -Self.volumeStep)
    case _ where selectedSlider != nil && moveSlider(key): break
    default: play(key)
    }
  }

  private func play(_ key: TerminalKey) {
    let state = player.state
    switch key {
    case .character(" "), .character("k"): player.pause(!state.isPaused)
    case .character("j"): player.seek(bySeconds: -10)
    case .character("l"): player.seek(bySeconds: 10)
    case .left: player.seek(bySeconds: -5)
    case .right: player.seek(bySeconds: 5)
    case .character(","): player.seek(bySeconds: -0.1)
    case .character("."): player.seek(bySeconds: 0.1)
    case .home: player.seek(toPart: 0)
    case .up: changeVolume(by: Self.volumeStep)
    case .down: changeVolume(by: -Self.volumeStep)
    case .character("+"), .character("="): changeVolume(by: Self.volumeStep)
    case .character("-"): changeVolume(by: -Self.volumeStep)
    case .character("n"), .pageDown: if !player.step(by: 1) { tell("this is the last track") }
    case .character("p"), .pageUp: if !player.step(by: -1) { player.seek(toPart: 0) }
    case .character("m"): player.setVolume(state.volume, isMuted: !state.isMuted)
    case .character("g"):
      player.setLevelling(state.levelling.next)
      tell("gain: \(state.levelling.next.rawValue)")
    case .character("r"): changeRepetition()
    case .character("s"):
      var generator = SystemRandomNumberGenerator()
      player.changeQueue { $0.shuffle(after: state.place, using: &generator) }
      tell("the upcoming tracks were shuffled")
    case .character("["):
      loopStart = state.frame
      player.repeatFrames(nil)
    case .character("]"): repeatToHere(state)
    case .character("\\"):
      loopStart = nil
      if state.loop != nil { player.repeatFrames(nil) }
    case .character(let digit):
      if let number = digit.wholeNumberValue, digit.isASCII { player.seek(toPart: Double(number) / 10) }
    default: break
    }
  }

  private func changeVolume(by step: Double) {
    player.setVolume(((player.state.volume + step) * 100).rounded() / 100, isMuted: false)
  }

  private func changeRepetition() {
    let all = PlayQueue.Repetition.allCases
    let next = all[((all.firstIndex(of: player.repetition) ?? 0) + 1) % all.count]
    player.changeQueue { $0.repetition = next }
    tell("repeat: \(next.rawValue)")
  }

  private func repeatToHere(_ state: PlayerState) {
    guard let start = loopStart, start < state.frame else { return tell("[ sets the start first") }
    player.repeatFrames(start..<state.frame)
    loopStart = nil
  }

  // MARK: Equalizer

  /// - Returns: Whether the key is one of the sliders.
  private func moveSlider(_ key: TerminalKey) -> Bool {
    guard let index = selectedSlider else { return false }
    switch key {
    case .left: selectedSlider = (index + 9) % 10
    case .right: selectedSlider = (index + 1) % 10
    case .up: setSlider(index) { $0 + Self.sliderStep }
    case .down: setSlider(index) { $0 - Self.sliderStep }
    case .character("0"), .delete, .backspace: setSlider(index) { _ in 0 }
    case .character("z"): resetSliders()
    case .enter: selectedSlider = nil
    default: return false
    }
    return true
  }

  private func setSlider(_ index: Int, _ change: (Double) -> Double) {
    let state = player.state
    if isBypassed(state) { bypass() }
    let equalizer = player.state.equalizer
    let range = GraphicEqualizer.gains
    let gain = min(max(change(equalizer.sliderGains[index]), range.lowerBound), range.upperBound)
    do { player.setEqualizer(try equalizer.movingSlider(index, to: gain)) } catch { tell("\(error)") }
  }

  private func resetSliders() {
    var equalizer = player.state.equalizer
    for index in GraphicEqualizer.centers.indices {
      equalizer = (try? equalizer.movingSlider(index, to: 0)) ?? equalizer
    }
    player.setEqualizer(equalizer)
  }

  /// Switches the equalizer off, and on again.
  private func bypass() {
    let state = player.state
    if let bypassed, bypassed.place == state.place {
      self.bypassed = nil
      player.setEqualizer(bypassed.equalizer)
    } else {
      bypassed = (state.place, state.equalizer)
      player.setEqualizer(.flat)
    }
  }

  // MARK: Saving

  private var suggestedName: String {
    let state = player.state
    return saved[state.place]?.name ?? state.track?.title ?? ""
  }

  private func type(_ key: TerminalKey) {
    switch key {
    case .enter:
      let name = typedName ?? ""
      typedName = nil
      save(as: name)
    case .escape, .control("c"): typedName = nil
    case .backspace: typedName = typedName.map { String($0.dropLast()) }
    case .control("u"): typedName = ""
    case .character(let character): typedName?.append(character)
    default: break
    }
  }

  /// Stores what is heard as a preset, and assigns it to the track.
  private func save(as text: String) {
    let state = player.state
    guard let track = state.track else { return }
    guard !store.isTemporary else { return tell("the file is not in a library, so no preset can be assigned to it") }
    do {
      let heard = isBypassed(state) ? bypassed?.equalizer ?? .flat : state.equalizer
      let chain = try EffectChain(
        equalizer: heard, pitch: track.chain.pitch, reverberation: track.chain.reverberation, rate: track.chain.rate)
      let preset = Preset(name: try PresetName(text), chain: chain)
      // A preset of another track is not changed by the way.
      let isOwn = preset.name.text == track.presetName || preset.name.text == saved[state.place]?.name
      let reference = track.source.track
      try library.writing { store in
        try store.presets.importAll([preset], replacing: isOwn)
        _ = try store.presets.assign(named: preset.name.text, to: try Self.subjects(of: reference, in: store))
      }
      saved[state.place] = (preset.name.text, heard)
      tell("saved as \(preset.name.text), the preset of this track")
    } catch {
      tell(ErrorAdvice.text(of: error))
    }
  }

  private static func subjects(of track: TrackReference, in store: MediaStore) throws -> [PresetSubject] {
    if let part = track.part { return [.part(track.hash, frames: part.part.frames, label: part.label)] }
    return try store.presets.subjects(.track, of: store.tracks.query(naming: ["\(track.recordingID)"]))
  }
}

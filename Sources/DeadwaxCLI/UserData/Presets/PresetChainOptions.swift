internal import ArgumentParser
internal import Base
internal import LibraryTracks
internal import MediaModel
internal import MediaStore

/// The options of `create` and `edit` for the effects of a preset.
struct PresetChainOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The sliders of a ten-band equalizer (32 64 125 … 16k Hz), each -12 to 12 dB.", valueName: "g1,…,g10"))
  var graphic: String?

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("A band, such as 'pk 220 -2.4 q0.9'; may be repeated.", valueName: "band"))
  var band: [String] = []

  @Flag(
    inversion: .prefixedNo,
    help: "Adjust the bands so that the summed curve reaches the gain of each band; bands at 0 dB are ignored.")
  var compensate: Bool?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The gain before all bands, -96 to 24 dB; auto is the highest gain at which the summed curve cannot clip.",
      valueName: "dB|auto"))
  var gain: String?

  @Option(
    help: ArgumentHelp(
      "Use the true peak and sample rate of this track for --gain auto, instead of a full-scale sine at 48 kHz.",
      valueName: "track"))
  var `for`: String?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Pitch, -2400 to 2400 cents; keeps the length.", valueName: "cents"))
  var pitch: String?

  @Option(
    help: ArgumentHelp(
      "Reverb: a room and its mix in percent, such as plate:20, or none.", valueName: "room:percent"))
  var reverb: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Speed, 0.25 to 4; 2 plays in half the time, an octave higher.", valueName: "factor"))
  var rate: String?

  @Flag(
    help: "With --rate: keep the pitch and change only the length; --pitch adds to it.")
  var keepPitch = false

  var isEmpty: Bool {
    graphic == nil && band.isEmpty && compensate == nil && gain == nil && pitch == nil && reverb == nil && rate == nil
  }

  func validate() throws {
    if `for` != nil, gain != "auto" { throw ValidationError("--for needs --gain auto") }
    if keepPitch, rate == nil { throw ValidationError("--keep-pitch needs --rate") }
  }

  static let help = """
    BAND: \(EqualizerBand.textSyntax)
      pk peak · ls hs shelves · lp hp passes · bp bs band pass and band stop
      ap all-pass
      rls rhs rlp rhp shelves and passes with a Q
    """

  /// The chain with the changes of the options.
  ///
  /// - Parameter bands: returns the bands of the result, from those of the options (nil for none) and the old ones.
  func chain(
    changing old: EffectChain, track: HeadroomTrack?,
    bands: (_ given: [EqualizerBand]?, _ old: [EqualizerBand]) throws -> [EqualizerBand] = { $0 ?? $1 }
  ) throws -> EffectChain {
    let isCompensated = compensate ?? old.equalizer.isCompensated
    let bands = try bands(try givenBands(), old.equalizer.bands)
    var equalizer = try Equalizer(bands: bands, gain: old.equalizer.gain, isCompensated: isCompensated)
    if let gain {
      let value =
        gain == "auto"
        ? equalizer.automaticGain(sampleRate: track?.sampleRate ?? 48_000, truePeak: track?.truePeak ?? 0)
        : try Self.number(gain, "--gain")
      equalizer = try Equalizer(bands: bands, gain: value, isCompensated: isCompensated)
    }
    let rate = try rate.map { try Self.number($0, "--rate") } ?? old.rate
    var pitch = try pitch.map { try Self.number($0, "--pitch") }
    if keepPitch, rate > 0 { pitch = (pitch ?? 0) + EffectChain.pitch(makingUpForRate: rate) }
    return try EffectChain(
      equalizer: equalizer, pitch: pitch ?? old.pitch,
      reverberation: try reverb.map(Self.reverberation) ?? old.reverberation, rate: rate)
  }

  private func givenBands() throws -> [EqualizerBand]? {
    guard graphic != nil || !band.isEmpty else { return nil }
    var bands: [EqualizerBand] = []
    if let graphic {
      let sliders = try graphic.split(separator: ",", omittingEmptySubsequences: false)
        .map { try Self.number(String($0.filter { $0 != " " }), "--graphic") }
      bands = try GraphicEqualizer.equalizer(sliders: sliders).bands
    }
    return bands + (try band.map { text throws(PresetError) in try EqualizerBand(text: text) })
  }

  private static func number(_ text: String, _ option: String) throws -> Double {
    guard let number = DecimalText.parse(text) else { throw ValidationError("\(option): '\(text)' is not a number") }
    return number
  }

  private static func reverberation(_ text: String) throws -> Reverberation? {
    if text == "none" { return nil }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, let room = Reverberation.Room(rawValue: parts[0]) else {
      let rooms = Reverberation.Room.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("--reverb takes none, or a room and a percentage such as plate:20; the rooms are \(rooms)")
    }
    return try Reverberation(room, mix: try number(parts[1], "--reverb"))
  }
}

/// The properties of a track that `--gain auto` uses.
struct HeadroomTrack {
  let sampleRate: Double
  /// In dBTP.
  let truePeak: Double

  /// - Throws: `ValidationError` for a track whose true peak is not known.
  init?(_ words: String?, in store: MediaStore) throws {
    guard let words else { return nil }
    let track = try store.tracks.resolve(BytePath(argument: words))
    guard let peak = try store.products.measures(ofRecording: track.recordingID)?.truePeakInDBTP else {
      throw ValidationError(
        "the true peak of track \(track.recordingID) is not known; `deadwax reanalyze --missing` measures it")
    }
    truePeak = peak
    sampleRate = track.format.sampleRateInHz.map(Double.init) ?? 48_000
  }
}

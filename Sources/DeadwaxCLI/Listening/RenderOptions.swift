internal import ArgumentParser
internal import AudioEncoding
internal import Base
internal import MediaModel
internal import MediaRendering
internal import MediaStore
internal import UserData

/// Which part of a track is rendered, how loud, and how it is written.
struct RenderSoundOptions: ParsableArguments {
  @OptionGroup var part: PartOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Normalize the result to this integrated loudness, -70 to 0 LUFS.", valueName: "LUFS"))
  var normalize: String?

  @Option(
    help: """
      How to keep peaks raised by the preset or --normalize at or below -1 dBTP (ogg, opus, mp3: -2): limit turns \
      down loud moments, headroom turns down the whole track, keep does nothing.
      """)
  var peaks = PeakProtection.limit

  @Option(
    name: .letter("b"),
    help: """
      Bits per sample in WAV and FLAC: 16, 24 or float (WAV only). Default: those of a lossless source of up to 24 \
      bits, else float in WAV and 24 in FLAC.
      """)
  var bits: SampleFormArgument?

  @Flag(inversion: .prefixedNo, help: "Dither integer output if samples were changed or have more bits.")
  var dither = true

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      Quality of Ogg Vorbis: -1 to 10 (default: 6, about 192 kbit/s); or of MP3 with a variable bit rate, as in lame -V: \
      0, the best, to 9.999 (default: 2, about 190 kbit/s).
      """, valueName: "q"))
  var quality: String?

  @Option(
    help: ArgumentHelp(
      "Bit rate of Opus: 6 to 510 kbit/s (default: 80 per channel); or of MP3, which is then constant: 8 to 320.",
      valueName: "kbit/s"))
  var bitrate: String?

  func validate() throws { _ = try targetLoudness }

  /// Refuses what is not for this kind of file.
  func require(for kind: SoundFileKind) throws {
    if kind == .flac, bits == .float { throw ValidationError("FLAC stores integers: --bits takes 16 or 24") }
    if kind.isLossy, bits != nil { throw ValidationError("--bits is for wav and flac") }
    if quality != nil, kind != .ogg, kind != .mp3 { throw ValidationError("--quality is for ogg and mp3") }
    if bitrate != nil, kind != .opus, kind != .mp3 { throw ValidationError("--bitrate is for opus and mp3") }
    if quality != nil, bitrate != nil { throw ValidationError("--quality and --bitrate exclude each other") }
    _ = try lossy(kind)
  }

  func request(_ kind: SoundFileKind) throws -> RenderRequest {
    var request = RenderRequest(kind: kind)
    request.part = part.part
    request.targetLoudness = try targetLoudness
    request.peaks = peaks
    request.form = bits?.form
    request.dithers = dither
    request.lossy = try lossy(kind)
    return request
  }

  private var targetLoudness: Double? {
    get throws {
      try normalize.map { try Self.number($0, "--normalize", in: -70...0, unit: "LUFS") }
    }
  }

  private func lossy(_ kind: SoundFileKind) throws -> LossyEncoding {
    var encoding = LossyEncoding()
    if let quality {
      encoding.quality = try Self.number(quality, "--quality", in: kind == .mp3 ? 0...9.999 : -1...10, unit: "")
    }
    if let bitrate {
      let number = try Self.number(bitrate, "--bitrate", in: kind == .mp3 ? 8...320 : 6...510, unit: "kbit/s")
      encoding.bitRate = Int((number * 1000).rounded())
    }
    return encoding
  }

  private static func number(
    _ text: String, _ option: String, in range: ClosedRange<Double>, unit: String
  ) throws -> Double {
    guard let number = DecimalText.parse(text), range.contains(number) else {
      let ends = [range.lowerBound, range.upperBound].map { DecimalText.number($0, places: 3) }
      throw ValidationError("\(option) takes \(ends[0]) to \(ends[1])" + (unit.isEmpty ? "" : " \(unit)"))
    }
    return number
  }
}

extension PeakProtection: ExpressibleByArgument {}

/// The effects that `--preset` names.
enum PresetChoice {
  /// - Parameters:
  ///   - text: The name of a preset, or the path of one of our files, which ends in `.json`.
  ///   - library: Whose presets there are for files outside of it, too, if it is there.
  /// - Returns: nil without a text: the preset that applies to the track.
  static func chain(_ text: String?, in store: MediaStore, of library: LibraryOptions) throws -> EffectChain? {
    guard store.isTemporary else { return try chain(text, in: store) }
    do {
      return try library.reading { try chain(text, in: $0) }
    } catch StoreError.missingLibrary {
      return try chain(text, in: store)
    }
  }

  private static func chain(_ text: String?, in store: MediaStore) throws -> EffectChain? {
    guard let text else { return nil }
    do throws(StoreError) {
      return try store.presets.preset(named: text).preset().chain
    } catch {
      // A name may end like a file.
      guard case .noSuchPreset = error, text.hasSuffix(".json") else { throw error }
    }
    do {
      return try Preset(json: InputFile.bytes(of: BytePath(argument: text))).chain
    } catch let error as InputFile.Failure {
      throw ValidationError("--preset: \(error)")
    } catch {
      throw ValidationError("--preset: \(text): \(error)")
    }
  }
}

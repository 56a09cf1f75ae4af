internal import ArgumentParser
internal import AudioEncoding
internal import Base
internal import MediaModel
internal import MediaRendering
internal import MediaStore

/// Which part of a track is rendered, how loud, and how it is written.
struct RenderSoundOptions: ParsableArguments {
  @OptionGroup var part: PartOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Bring the result to this integrated loudness, -70 to 0 LUFS.", valueName: "LUFS"))
  var normalize: String?

  @Option(
    help: """
      How to keep peaks that the preset or --normalize raised at or below -1 dBTP (ogg, opus: -2): limit turns down \
      loud moments, headroom the whole track; keep does nothing. (default: limit)
      """)
  var peaks = PeakProtection.limit

  @Option(
    name: .letter("b"),
    help:
      "Bits of a sample in WAV and FLAC: 16, 24 or float (WAV only). Default: those of a lossless source, else 24.")
  var bits: SampleFormArgument?

  @Flag(inversion: .prefixedNo, help: "Dither to integers if samples were changed or have more bits.")
  var dither = true

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Quality of Ogg Vorbis: -1 to 10 (default: 6, about 192 kbit/s).", valueName: "q"))
  var quality: String?

  @Option(help: ArgumentHelp("Bit rate of Opus: 6 to 510 kbit/s (default: 80 per channel).", valueName: "kbit/s"))
  var bitrate: Double?

  func validate() throws {
    _ = try targetLoudness
    _ = try lossy
  }

  func request(_ kind: SoundFileKind) throws -> RenderRequest {
    var request = RenderRequest(kind: kind)
    request.part = part.part
    request.targetLoudness = try targetLoudness
    request.peaks = peaks
    request.form = bits?.form
    request.dithers = dither
    request.lossy = try lossy
    return request
  }

  private var targetLoudness: Double? {
    get throws {
      try normalize.map { try Self.number($0, "--normalize", in: -70...0, unit: "LUFS") }
    }
  }

  private var lossy: LossyEncoding {
    get throws {
      var encoding = LossyEncoding()
      if let quality { encoding.quality = try Self.number(quality, "--quality", in: LossyEncoding.qualities, unit: "") }
      if let bitrate {
        let range = LossyEncoding.bitRates
        guard let bitRate = Int(exactly: (bitrate * 1000).rounded()), range.contains(bitRate) else {
          throw ValidationError("--bitrate takes \(range.lowerBound / 1000) to \(range.upperBound / 1000) kbit/s")
        }
        encoding.bitRate = bitRate
      }
      return encoding
    }
  }

  private static func number(
    _ text: String, _ option: String, in range: ClosedRange<Double>, unit: String
  ) throws -> Double {
    guard let number = DecimalText.parse(text), range.contains(number) else {
      let ends = [range.lowerBound, range.upperBound].map { DecimalText.number($0, places: 0) }
      throw ValidationError("\(option) takes \(ends[0]) to \(ends[1])" + (unit.isEmpty ? "" : " \(unit)"))
    }
    return number
  }
}

extension PeakProtection: ExpressibleByArgument {}

/// The effects that `--preset` names.
enum PresetChoice {
  /// - Parameter text: The name of a preset, or the path of one of our files, which ends in `.json`.
  /// - Returns: nil without a text: the preset that applies to the track.
  static func chain(_ text: String?, in store: MediaStore) throws -> EffectChain? {
    guard let text else { return nil }
    guard text.hasSuffix(".json") else { return try store.preset(named: text).preset().chain }
    do {
      return try Preset(json: InputFile.bytes(of: BytePath(argument: text))).chain
    } catch let error as InputFile.Failure {
      throw ValidationError("--preset: \(error)")
    } catch {
      throw ValidationError("--preset: \(text): \(error)")
    }
  }
}

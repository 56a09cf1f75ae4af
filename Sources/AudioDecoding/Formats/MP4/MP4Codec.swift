internal import Base
import MediaModel

/// How the samples of a description are decoded.
extension MP4SampleDescription {
  /// As people write it, or the type.
  var displayName: String { codecName ?? "MP4 type \(TerminalText.escaped(type))" }

  /// nil for types that nobody knows.
  var codecName: String? {
    switch type {
    case "mp4a":
      switch streamObjectType ?? 0 {
      case 0x69, 0x6B: "MP3"
      case 0xA5: "AC-3"
      case 0xA6: "E-AC-3"
      case 0xA9...0xAC: "DTS"
      case 0xDD: "Vorbis"
      default: audioObjectType == 36 ? "MPEG-4 ALS" : "AAC"
      }
    case "alac": "ALAC"
    case "fLaC": "FLAC"
    case "Opus": "Opus"
    case "ac-3", "sac3": "AC-3"
    case "ec-3": "E-AC-3"
    case "dtsc", "dtsh", "dtsl", "dtse": "DTS"
    case ".mp3", "ms\0U": "MP3"
    case "sowt", "twos", "raw ", "NONE", "in24", "in32", "fl32", "fl64", "lpcm", "ipcm", "fpcm": "PCM"
    case "ulaw": "µ-law"
    case "alaw": "A-law"
    default: nil
    }
  }

  var codec: Codec? {
    switch codecName {
    case "AAC": .aac
    case "MP3": .mp3
    case "ALAC": .alac
    case "FLAC": .flac
    case "Opus": .opus
    case "Vorbis": .vorbis
    case "AC-3": .ac3
    case "E-AC-3": .eac3
    case "DTS": .dts
    default: (try? form)?.samples?.codec
    }
  }

  /// Throws if there is no decoder, or its configuration is missing.
  var form: TrackForm {
    get throws(DecodingError) {
      switch codecName {
      case "AAC":
        guard let config = AudioSpecificConfig(decoderConfiguration) else {
          throw .missing("usable AAC configuration", in: .mp4)
        }
        return .packets(try .aac(config, extradata: decoderConfiguration, in: .mp4))
      case "ALAC":
        guard let box = box("alac"), box.count >= 28 else { throw .missing("ALAC configuration", in: .mp4) }
        return .packets(PacketForm(codec: try .alac(cookie: Array(box[4...])), rules: .alac))
      case "FLAC": return try .flac(header: Array("fLaC".utf8) + (box("dfLa") ?? []).dropFirst(4), in: .mp4)
      case "Opus": return .packets(try .opus(head: opusHead, in: .mp4))
      case "Vorbis": return .packets(try .vorbis(lacedHeaders: decoderConfiguration, in: .mp4))
      case "MP3": return .mpeg
      case "AC-3", "E-AC-3": return .ac3
      case "DTS": return .dts
      case "µ-law": return try .law(.muLaw, sampleRateInHz: sampleRateInHz, channelCount: channelCount)
      case "A-law": return try .law(.aLaw, sampleRateInHz: sampleRateInHz, channelCount: channelCount)
      case "PCM": return try pcm
      default: throw .unsupported(reason: "no decoder for \(displayName) in MP4")
      }
    }
  }

  /// Whether the samples are so small that a chunk of them is read as one.
  var bytesPerSample: Int64? {
    guard let samples = (try? form)?.samples, samples.bytesPerFrame > 0 else { return nil }
    return Int64(samples.bytesPerFrame)
  }

  /// As Ogg has it, with the lowest byte first, from a box that has the highest first (Encapsulation of Opus in ISO
  /// Base Media File Format, section 4.3.2).
  private var opusHead: [UInt8] {
    guard let box = box("dOps"), box.count >= 11 else { return [] }
    let delay = [box[3], box[2]]
    let rate = [box[7], box[6], box[5], box[4]]
    let gain = [box[9], box[8]]
    return Array("OpusHead".utf8) + [1, box[1]] + delay + rate + gain + box[10...]
  }

  /// PCM as QuickTime names it (QuickTime File Format, sound sample descriptions), and as ISO 23003-5 does.
  private var pcm: TrackForm {
    get throws(DecodingError) {
      let isLittleEndian = box("enda").map { $0.count >= 2 && $0[1] == 1 } ?? false
      let flags = linearFlags
      func samples(
        _ bits: Int, isFloat: Bool = false, isUnsigned8: Bool = false, isBigEndian: Bool
      ) throws(DecodingError) -> TrackForm {
        try .pcm(
          sampleRateInHz: sampleRateInHz, channelCount: channelCount, bitsPerSample: bits, isFloat: isFloat,
          isUnsigned8: isUnsigned8, isBigEndian: isBigEndian)
      }
      switch type {
      case "sowt": return try samples(bitsPerSample, isBigEndian: false)
      case "twos": return try samples(bitsPerSample, isBigEndian: true)
      case "raw ", "NONE": return try samples(bitsPerSample, isUnsigned8: true, isBigEndian: true)
      case "in24": return try samples(24, isBigEndian: !isLittleEndian)
      case "in32": return try samples(32, isBigEndian: !isLittleEndian)
      case "fl32": return try samples(32, isFloat: true, isBigEndian: !isLittleEndian)
      case "fl64": return try samples(64, isFloat: true, isBigEndian: !isLittleEndian)
      case "ipcm", "fpcm":
        guard let box = box("pcmC"), box.count >= 6 else { throw .missing("PCM configuration", in: .mp4) }
        return try samples(Int(box[5]), isFloat: type == "fpcm", isBigEndian: box[4] & 1 == 0)
      default:
        return try samples(
          bitsPerSample, isFloat: flags & 1 == 1, isUnsigned8: flags & 4 == 0, isBigEndian: flags & 2 == 2)
      }
    }
  }
}

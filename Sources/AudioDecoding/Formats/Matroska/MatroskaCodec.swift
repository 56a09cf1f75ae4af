import MediaModel

/// Which codec a track has, and how it is decoded, by the names of RFC 9559's registry of codecs.
extension MatroskaTrack {
  private static let codecs: [(prefix: String, codec: Codec?, name: String)] = [
    ("A_OPUS", .opus, "Opus"), ("A_VORBIS", .vorbis, "Vorbis"), ("A_FLAC", .flac, "FLAC"), ("A_AAC", .aac, "AAC"),
    ("A_MPEG/L3", .mp3, "MP3"), ("A_MPEG/L2", .mp2, "MPEG layer II"), ("A_MPEG/L1", .mp1, "MPEG layer I"),
    ("A_ALAC", .alac, "ALAC"), ("A_AC3", .ac3, "AC-3"), ("A_EAC3", .eac3, "E-AC-3"), ("A_DTS", .dts, "DTS"),
    ("A_TTA1", .trueAudio, "True Audio"), ("A_WAVPACK4", .wavpack, "WavPack"), ("A_TRUEHD", nil, "TrueHD"),
    ("A_PCM", nil, "PCM"), ("A_MS/ACM", nil, "a Windows codec"), ("A_QUICKTIME", nil, "a QuickTime codec"),
    ("A_REAL", nil, "RealAudio"),
  ]

  private var known: (prefix: String, codec: Codec?, name: String)? {
    Self.codecs.first { codecIdentifier.hasPrefix($0.prefix) }
  }

  var codec: Codec? {
    if let samples = (try? form)?.samples { return samples.codec }
    return known?.codec
  }

  var codecName: String { known?.name ?? "an unknown codec" }

  /// Throws if there is no decoder, or its configuration is missing.
  var form: TrackForm {
    get throws(DecodingError) {
      if encoding == .unknown {
        throw .unsupported(reason: "no decoder for \(codecName) with additional compression in Matroska")
      }
      switch codecIdentifier {
      case "A_OPUS": return .packets(try .opus(head: configuration, in: .matroska))
      case "A_VORBIS": return .packets(try .vorbis(lacedHeaders: configuration, in: .matroska))
      case "A_FLAC": return try .flac(header: configuration, in: .matroska)
      case "A_AAC":
        guard let config = AudioSpecificConfig(configuration) else {
          throw .missing("usable AAC configuration", in: .matroska)
        }
        return .packets(try .aac(config, extradata: configuration, in: .matroska))
      case "A_ALAC": return .packets(PacketForm(codec: try .alac(cookie: configuration), rules: .alac))
      case "A_WAVPACK4": return .wavPack
      case "A_MPEG/L1", "A_MPEG/L2", "A_MPEG/L3": return .mpeg
      case "A_PCM/INT/LIT": return try pcm(isBigEndian: false)
      case "A_PCM/INT/BIG": return try pcm(isBigEndian: true)
      case "A_PCM/FLOAT/IEEE": return try pcm(isFloat: true, isBigEndian: false)
      case _ where known?.codec == .ac3 || known?.codec == .eac3: return .ac3
      case _ where known?.codec == .dts: return .dts
      default: throw .unsupported(reason: "no decoder for \(codecName) in Matroska")
      }
    }
  }

  /// By which the headers of blocks of WavPack are restored; nil for other codecs.
  var wavPackVersion: UInt16? {
    codecIdentifier == "A_WAVPACK4" ? configuration.littleEndian(UInt16.self, at: 0) ?? 0x0410 : nil
  }

  private func pcm(isFloat: Bool = false, isBigEndian: Bool) throws(DecodingError) -> TrackForm {
    try .pcm(
      sampleRateInHz: sampleRateInHz, channelCount: channelCount, bitsPerSample: bitDepth ?? 0, isFloat: isFloat,
      isBigEndian: isBigEndian)
  }
}

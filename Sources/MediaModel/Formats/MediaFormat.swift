/// The format of a stream: container, codec, declared and decoded length.
package struct MediaFormat: Hashable, Sendable {
  package var container: Container
  /// nil if the bytes do not identify one.
  package var codec: Codec?
  /// Sample rate of the decoded stream in Hz; nil if nothing could be read or the header is invalid.
  package var sampleRateInHz: Int?
  package var channelCount: Int?
  /// Bits per sample of the source; nil for codecs that have none (MP3, Vorbis, Opus).
  package var bitsPerSample: Int?
  /// Average bit rate of the stream in bits per second.
  package var bitRateInBitsPerSecond: Int?
  /// Frames that the header declares, without encoder delay and padding; nil if it declares none.
  package var declaredFrameCount: Int64?
  /// Frames that were decoded, without encoder delay and padding; nil if no decoder ran.
  package var decodedFrameCount: Int64?
  /// Frames that the encoder added at the start and the decoder removed.
  package var delayFrameCount: Int?
  /// Frames that the encoder added at the end and the decoder removed.
  package var paddingFrameCount: Int?

  package init(
    container: Container,
    codec: Codec? = nil,
    sampleRateInHz: Int? = nil,
    channelCount: Int? = nil,
    bitsPerSample: Int? = nil,
    bitRateInBitsPerSecond: Int? = nil,
    declaredFrameCount: Int64? = nil,
    decodedFrameCount: Int64? = nil,
    delayFrameCount: Int? = nil,
    paddingFrameCount: Int? = nil
  ) {
    self.container = container
    self.codec = codec
    self.sampleRateInHz = sampleRateInHz
    self.channelCount = channelCount
    self.bitsPerSample = bitsPerSample
    self.bitRateInBitsPerSecond = bitRateInBitsPerSecond
    self.declaredFrameCount = declaredFrameCount
    self.decodedFrameCount = decodedFrameCount
    self.delayFrameCount = delayFrameCount
    self.paddingFrameCount = paddingFrameCount
  }

  /// The duration in seconds, counted while decoding; nil if no decoder ran.
  package var durationInSeconds: Double? {
    guard let decodedFrameCount, let sampleRateInHz, sampleRateInHz > 0 else { return nil }
    return Double(decodedFrameCount) / Double(sampleRateInHz)
  }
}

/// The codec, by the names that ffprobe uses.
package struct Codec: RawRepresentable, Hashable, Sendable {
  package var rawValue: String

  package init(rawValue: String) { self.rawValue = rawValue }

  package static let mp1 = Codec(rawValue: "mp1")
  package static let mp2 = Codec(rawValue: "mp2")
  package static let mp3 = Codec(rawValue: "mp3")
  package static let flac = Codec(rawValue: "flac")
  package static let vorbis = Codec(rawValue: "vorbis")
  package static let opus = Codec(rawValue: "opus")
  package static let speex = Codec(rawValue: "speex")
  package static let aac = Codec(rawValue: "aac")
  package static let alac = Codec(rawValue: "alac")
  package static let wma = Codec(rawValue: "wma")
  package static let ape = Codec(rawValue: "ape")
  package static let tak = Codec(rawValue: "tak")
  package static let wmaLossless = Codec(rawValue: "wmalossless")
  package static let wavpack = Codec(rawValue: "wavpack")
  /// The part of a hybrid file that is not lossless by itself.
  package static let hybridWavPack = Codec(rawValue: "wavpack_hybrid")
  package static let musepack = Codec(rawValue: "musepack")
  package static let trueAudio = Codec(rawValue: "tta")
  package static let ac3 = Codec(rawValue: "ac3")
  package static let eac3 = Codec(rawValue: "eac3")
  package static let dts = Codec(rawValue: "dts")
  package static let dsd = Codec(rawValue: "dsd")
  package static let protrackerModule = Codec(rawValue: "mod")
  package static let screamTrackerModule = Codec(rawValue: "s3m")
  package static let fastTrackerModule = Codec(rawValue: "xm")
  package static let impulseTrackerModule = Codec(rawValue: "it")
  package static let pcmU8 = Codec(rawValue: "pcm_u8")
  package static let pcmS8 = Codec(rawValue: "pcm_s8")
  package static let pcmS16 = Codec(rawValue: "pcm_s16")
  package static let pcmS24 = Codec(rawValue: "pcm_s24")
  package static let pcmS32 = Codec(rawValue: "pcm_s32")
  package static let pcmF32 = Codec(rawValue: "pcm_f32")
  package static let pcmF64 = Codec(rawValue: "pcm_f64")
  package static let aLaw = Codec(rawValue: "pcm_alaw")
  package static let muLaw = Codec(rawValue: "pcm_mulaw")
  package static let imaADPCM = Codec(rawValue: "adpcm_ima")
  package static let msADPCM = Codec(rawValue: "adpcm_ms")
  package static let gsm610 = Codec(rawValue: "gsm610")

  /// Codecs whose name starts with this store the samples themselves, except for ``companded``.
  package static let samplesPrefix = "pcm_"
  /// Codecs with fewer bits per sample than their source.
  package static let companded: [Codec] = [.aLaw, .muLaw]
  /// Lossless codecs other than plain samples.
  package static let losslessCompression: [Codec] = [
    .flac, .alac, .ape, .tak, .wmaLossless, .wavpack, .trueAudio, .dsd,
  ]

  /// Codecs whose number of frames is not known before they are decoded.
  static let countedByDecoding: [Codec] = [.flac, .alac, .ape, .tak, .imaADPCM, .msADPCM, .gsm610]

  /// Whether decoding gives back exactly what was encoded.
  package var isLossless: Bool {
    Self.losslessCompression.contains(self)
      || (rawValue.hasPrefix(Self.samplesPrefix) && !Self.companded.contains(self))
  }
}

/// The container, as detected by the bytes, never by the file name.
package struct Container: RawRepresentable, Hashable, Sendable {
  package var rawValue: String

  package init(rawValue: String) { self.rawValue = rawValue }

  package static let wav = Container(rawValue: "wav")
  package static let rf64 = Container(rawValue: "rf64")
  package static let w64 = Container(rawValue: "w64")
  package static let aiff = Container(rawValue: "aiff")
  package static let caf = Container(rawValue: "caf")
  package static let au = Container(rawValue: "au")
  package static let flac = Container(rawValue: "flac")
  package static let ogg = Container(rawValue: "ogg")
  /// A bare stream of MPEG audio frames: layers I to III.
  package static let mpeg = Container(rawValue: "mpeg")
  package static let mp4 = Container(rawValue: "mp4")
  package static let adts = Container(rawValue: "adts")
  package static let asf = Container(rawValue: "asf")
  package static let ape = Container(rawValue: "ape")
  package static let wavpack = Container(rawValue: "wavpack")
  package static let musepack = Container(rawValue: "musepack")
  package static let trueAudio = Container(rawValue: "tta")
  /// Bare streams of frames.
  package static let ac3 = Container(rawValue: "ac3")
  package static let eac3 = Container(rawValue: "eac3")
  package static let dts = Container(rawValue: "dts")
  package static let dsf = Container(rawValue: "dsf")
  package static let dsdiff = Container(rawValue: "dsdiff")
  package static let matroska = Container(rawValue: "matroska")
  package static let tak = Container(rawValue: "tak")
  package static let trackerModule = Container(rawValue: "module")
  package static let midi = Container(rawValue: "midi")
}

extension Container {
  /// As people write it.
  package var displayName: String {
    switch self {
    case .matroska: "Matroska"
    case .ogg: "Ogg"
    case .musepack: "Musepack"
    case .wavpack: "WavPack"
    case .trueAudio: "True Audio"
    case .ac3: "AC-3"
    case .eac3: "E-AC-3"
    default: rawValue.uppercased()
    }
  }
}

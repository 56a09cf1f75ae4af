/// How the audio is encoded, in the names that ffprobe uses.
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
  package static let wavpack = Codec(rawValue: "wavpack")
  package static let musepack = Codec(rawValue: "musepack")
  package static let trueAudio = Codec(rawValue: "tta")
  package static let dsd = Codec(rawValue: "dsd")
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

  /// Every codec whose name begins like this holds the samples themselves, but for ``companded``.
  package static let samplesPrefix = "pcm_"
  /// Fewer bits a sample than it was made from.
  package static let companded: [Codec] = [.aLaw, .muLaw]
  /// Codecs that give back what was encoded, besides plain samples.
  package static let losslessCompression: [Codec] = [.flac, .alac, .ape, .wavpack, .trueAudio, .dsd]

  /// Whether decoding gives back exactly what was encoded.
  package var isLossless: Bool {
    Self.losslessCompression.contains(self)
      || (rawValue.hasPrefix(Self.samplesPrefix) && !Self.companded.contains(self))
  }
}

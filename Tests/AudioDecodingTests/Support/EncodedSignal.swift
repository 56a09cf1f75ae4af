import Foundation
import Testing
import TestSupport

/// One made-up signal in many encodings, made by ffmpeg, flac or sox.
struct EncodedSignal: Sendable, CustomTestStringConvertible {
  static let areToolsThere = Tool.exist("ffmpeg", "flac", "sox", "mpcenc", "speexenc")

  let testDescription: String
  /// Whether the list has another encoding of the same format.
  let isVariant: Bool
  /// Of the samples that the tool gets.
  private let bits: Int
  let pathExtension: String
  private let tool: String
  /// `IN` and `OUT` stand for the files.
  private let arguments: [String]

  private init(
    _ name: String, _ pathExtension: String, _ tool: String, _ arguments: String, isVariant: Bool = false,
    bits: Int = 24
  ) {
    testDescription = name
    self.isVariant = isVariant
    self.bits = bits
    self.pathExtension = pathExtension
    self.tool = tool
    self.arguments = arguments.split(separator: " ").map(String.init)
  }

  private static func ffmpeg(
    _ name: String, _ pathExtension: String, _ arguments: String, isVariant: Bool = false
  ) -> EncodedSignal {
    EncodedSignal(
      name, pathExtension, "ffmpeg", "-v error -y -i IN -map_metadata -1 \(arguments) OUT", isVariant: isVariant)
  }

  static let all: [EncodedSignal] = [
    ffmpeg("MP3, constant bit rate", "mp3", "-c:a libmp3lame -b:a 128k"),
    ffmpeg("MP3, variable bit rate", "mp3", "-c:a libmp3lame -q:a 4", isVariant: true),
    ffmpeg("MP3, without Xing frame and delay", "mp3", "-c:a libmp3lame -b:a 320k -write_xing 0"),
    ffmpeg("MP3, joint stereo at 64 kbit/s", "mp3", "-c:a libmp3lame -b:a 64k", isVariant: true),
    ffmpeg("MP3, MPEG-2, mono", "mp3", "-c:a libmp3lame -ar 22050 -ac 1 -b:a 32k", isVariant: true),
    ffmpeg("MP3, MPEG-2.5", "mp3", "-c:a libmp3lame -ar 8000 -b:a 16k", isVariant: true),
    ffmpeg("layer II", "mp2", "-c:a mp2 -b:a 192k"),
    ffmpeg("layer II, MPEG-2, mono", "mp2", "-c:a mp2 -ar 24000 -ac 1 -b:a 32k", isVariant: true),
    ffmpeg("FLAC, 16 bit", "flac", "-c:a flac -sample_fmt s16"),
    ffmpeg("FLAC, 24 bit, 6 channels", "flac", "-c:a flac -sample_fmt s32 -ac 6", isVariant: true),
    EncodedSignal("FLAC, blocks of 65,535", "flac", "flac", "-s -f --lax -b 65535 -o OUT IN", isVariant: true),
    EncodedSignal(
      "FLAC, blocks of 16, no seek table", "flac", "flac", "-s -f --lax -b 16 --no-seektable -o OUT IN", isVariant: true
    ),
    EncodedSignal("FLAC in Ogg", "oga", "flac", "-s -f --ogg -o OUT IN"),
    ffmpeg("Vorbis, stereo", "ogg", "-c:a libvorbis -q:a 5 -page_duration 100000"),
    ffmpeg("Vorbis, mono, 8 kHz", "ogg", "-c:a libvorbis -q:a 0 -ac 1 -ar 8000 -page_duration 100000", isVariant: true),
    ffmpeg("Opus, stereo", "opus", "-c:a libopus -b:a 96k"),
    ffmpeg("Opus, speech, mono", "opus", "-c:a libopus -b:a 16k -ac 1 -application voip", isVariant: true),
    ffmpeg("Opus, packets of 2.5 ms", "opus", "-c:a libopus -b:a 128k -frame_duration 2.5", isVariant: true),
    ffmpeg("Opus, packets of 60 ms", "opus", "-c:a libopus -b:a 24k -frame_duration 60", isVariant: true),
    ffmpeg("Opus, 6 channels", "opus", "-c:a libopus -b:a 256k -ac 6 -mapping_family 1", isVariant: true),
    ffmpeg("Opus in WebM", "webm", "-c:a libopus -b:a 96k", isVariant: true),
    ffmpeg("Opus in MP4", "mp4", "-c:a libopus -b:a 96k", isVariant: true),
    ffmpeg("Vorbis in Matroska", "mka", "-c:a libvorbis -q:a 5", isVariant: true),
    ffmpeg("FLAC in Matroska", "mka", "-c:a flac", isVariant: true),
    ffmpeg("MP3 in Matroska", "mka", "-c:a libmp3lame -b:a 128k", isVariant: true),
    ffmpeg("MP3 in MP4", "mp4", "-c:a libmp3lame -b:a 128k", isVariant: true),
    ffmpeg("AAC in Matroska", "mka", "-c:a aac -b:a 128k", isVariant: true),
    ffmpeg("PCM in QuickTime", "mov", "-c:a pcm_s24be", isVariant: true),
    ffmpeg("AAC in MP4", "m4a", "-c:a aac -b:a 128k"), ffmpeg("AAC in ADTS", "aac", "-c:a aac -b:a 128k"),
    ffmpeg(
      "AAC in fragments of MP4", "m4a", "-c:a aac -b:a 96k -movflags empty_moov -frag_duration 500000",
      isVariant: true),
    ffmpeg("ALAC", "m4a", "-c:a alac"), ffmpeg("ALAC in CAF", "caf", "-c:a alac", isVariant: true),
    ffmpeg("WavPack", "wv", "-c:a wavpack"), ffmpeg("WavPack in Matroska", "mka", "-c:a wavpack", isVariant: true),
    ffmpeg("True Audio", "tta", "-c:a tta"), ffmpeg("AC-3", "ac3", "-c:a ac3 -b:a 192k"),
    ffmpeg("E-AC-3", "eac3", "-c:a eac3 -b:a 192k"), ffmpeg("DTS", "dts", "-c:a dca -strict -2 -b:a 768k"),
    ffmpeg("Windows Media", "wma", "-c:a wmav2 -b:a 128k"),
    ffmpeg("Windows Media 1", "wma", "-c:a wmav1", isVariant: true),
    ffmpeg("ALAC, 24 bit, mono", "m4a", "-c:a alac -ac 1 -sample_fmt s32p", isVariant: true),
    ffmpeg("WAV, 16 bit", "wav", "-c:a pcm_s16le"),
    ffmpeg("WAV, 24 bit, 5 channels", "wav", "-c:a pcm_s24le -ac 5", isVariant: true),
    ffmpeg("WAV, float", "wav", "-c:a pcm_f32le", isVariant: true),
    ffmpeg("WAV, 8 bit", "wav", "-c:a pcm_u8", isVariant: true),
    ffmpeg("WAV, IMA ADPCM", "wav", "-c:a adpcm_ima_wav", isVariant: true),
    ffmpeg("WAV, MS ADPCM", "wav", "-c:a adpcm_ms", isVariant: true),
    EncodedSignal("WAV, GSM 6.10", "wav", "sox", "IN -e gsm-full-rate -r 8000 -c 1 OUT trim 0 1", isVariant: true),
    EncodedSignal("Speex", "spx", "speexenc", "-u --quality 9 IN OUT", bits: 16),
    EncodedSignal("Musepack", "mpc", "mpcenc", "--silent --overwrite --quality 3 IN OUT", bits: 16),
    ffmpeg("RF64", "wav", "-c:a pcm_s16le -rf64 always"), ffmpeg("Wave64", "w64", "-c:a pcm_s16le"),
    ffmpeg("AIFF", "aiff", "-c:a pcm_s24be"), ffmpeg("CAF", "caf", "-c:a pcm_f32be"),
    ffmpeg("AU, A-law", "au", "-c:a pcm_alaw"),
  ]

  /// Encodes 7 s at 44.1 kHz, stereo: a tone that rises, noise that comes and goes, silence in the middle. A shorter one has
  /// no silence.
  func make(in folder: TemporaryFolder, seconds: Double = 7) throws -> URL {
    let source = folder.appending("source.wav").path
    let shape = seconds < 7 ? "" : " pad 0.5@2"
    let synthesis =
      "-D -R -n -r 44100 -b \(bits) \(source) synth \(seconds < 7 ? seconds : 6.5) sine 100-9000 pinknoise "
      + "tremolo 3 95 gain -3" + shape
    try Tool.run("sox", arguments: synthesis.split(separator: " ").map(String.init))
    let file = folder.appending("encoded.\(pathExtension)")
    try Tool.run(tool, arguments: arguments.map { $0 == "IN" ? source : $0 == "OUT" ? file.path : $0 })
    return file
  }
}

internal import AudioDecoding
internal import AudioEncoding
internal import Base
internal import DecodingService
internal import Glibc
internal import MediaModel

/// Decodes a small sound of each format in a worker, as scans do, and counts the frames.
enum DecoderCheck {
  struct Result {
    let name: String
    /// nil if the number of frames is right, or an optional library is missing.
    let problem: String?
    /// Why there is no decoder, which is no failure; nil if there is one.
    var absence: String?
  }

  /// A sound to decode.
  private struct Sound {
    let name: String
    /// The optional library that decodes it.
    var library: String?
    let frameCount: Int
    let bytes: @Sendable () throws -> [UInt8]
  }

  private static let frameCount = 4410

  /// - Parameter worker: Decodes one sound after the other; if it ends, each of the others gets a new one.
  static func run(in worker: PrewarmedWorker) -> [Result] {
    let libraries = DecoderLibraries.all
    return sounds.map { sound in
      if let problem = libraries.first(where: { $0.name == sound.library })?.problem {
        return Result(name: sound.name, problem: nil, absence: problem)
      }
      do {
        let found = try count(try sound.bytes(), in: worker.isThere ? worker : nil)
        return Result(
          name: sound.name,
          problem: found == sound.frameCount ? nil : "decodes \(found) of \(sound.frameCount) frames")
      } catch {
        return Result(name: sound.name, problem: "\(error)")
      }
    }
  }

  private static let sounds = [
    Sound(name: "FLAC", frameCount: frameCount) { try encoded(.flac) },
    Sound(name: "MP3", frameCount: SilentSounds.mp3.frameCount) { SilentSounds.mp3.bytes },
    Sound(name: "Opus", frameCount: frameCount * 48_000 / 44_100) { try encoded(.opus) },
    Sound(name: "PCM", frameCount: frameCount) { try encoded(.wav) },
    Sound(name: "ADPCM", frameCount: SilentSounds.adpcm.frameCount) { SilentSounds.adpcm.bytes },
    Sound(name: "Vorbis", frameCount: frameCount) { try encoded(.ogg) },
    Sound(name: "AAC", library: "libavcodec", frameCount: SilentSounds.aac.frameCount) { SilentSounds.aac.bytes },
    Sound(name: "ALAC", library: "libavcodec", frameCount: SilentSounds.alac.frameCount) { SilentSounds.alac.bytes },
  ]

  private static func encoded(_ kind: SoundFileKind) throws -> [UInt8] {
    let rate = kind == .opus ? 48_000 : 44_100
    let count = kind == .opus ? frameCount * 48_000 / 44_100 : frameCount
    let format = AudioFormat(sampleRateInHz: rate, channelCount: 1)
    let encoder = try kind.makeEncoder(format, form: .int16, frameCount: Int64(count))
    let samples = (0..<count).map { Float($0 % 100) / 200 - 0.25 }
    var bytes = try encoder.encode(samples.span)
    let (end, start) = try encoder.finish()
    bytes += end
    if kind.rewritesStart { bytes.replaceSubrange(0..<min(start.count, bytes.count), with: start) }
    return bytes
  }

  /// The number of frames that a worker decodes from a file without a name.
  private static func count(_ bytes: [UInt8], in worker: PrewarmedWorker?) throws -> Int {
    guard let file = tmpfile() else { throw SystemError(call: "tmpfile") }
    defer { fclose(file) }
    guard fwrite(bytes, 1, bytes.count, file) == bytes.count, fflush(file) == 0 else {
      throw SystemError(call: "write")
    }
    let source = try WorkerSegmentSource(
      BytePath("/proc/self/fd/\(fileno(file))"), recording: ContentHash(high: 0, low: 0), stream: nil, isDamaged: false,
      in: worker)
    return try source.decode(0..<100_000).count / max(1, source.audio.format.channelCount)
  }
}

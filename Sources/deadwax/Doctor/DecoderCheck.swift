internal import AudioEncoding
internal import Base
internal import DecodingService
internal import Glibc
internal import MediaModel

/// Decodes a small sound of each format in a worker, as scans do, and counts the frames.
enum DecoderCheck {
  struct Result {
    let name: String
    /// nil if the number of frames is right.
    let problem: String?
  }

  private static let frameCount = 4410

  static func run() -> [Result] {
    sounds.map { name, frameCount, bytes in
      do {
        let found = try count(try bytes())
        return Result(name: name, problem: found == frameCount ? nil : "decodes \(found) of \(frameCount) frames")
      } catch {
        return Result(name: name, problem: "\(error)")
      }
    }
  }

  private static let sounds: [(name: String, frameCount: Int, bytes: @Sendable () throws -> [UInt8])] = [
    ("FLAC", frameCount, { try encoded(.flac) }),
    ("MP3", 10 * 1152, { silentMP3 }),
    ("Opus", frameCount * 48_000 / 44_100, { try encoded(.opus) }),
    ("PCM", frameCount, { try encoded(.wav) }),
    ("ADPCM", 505, { silentADPCM }),
    ("Vorbis", frameCount, { try encoded(.ogg) }),
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

  /// Ten frames of 128 kbit/s at 44.1 kHz; all bytes after the headers are zero.
  private static var silentMP3: [UInt8] {
    let frame: [UInt8] = [0xFF, 0xFB, 0x90, 0x00] + Array(repeating: 0, count: 413)
    return (0..<10).flatMap { _ in frame }
  }

  /// One block of IMA ADPCM in a WAV file.
  private static var silentADPCM: [UInt8] {
    func number(_ value: Int, _ size: Int) -> [UInt8] {
      (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let format =
      number(0x11, 2) + number(1, 2) + number(8000, 4) + number(4055, 4) + number(256, 2) + number(4, 2)
      + number(2, 2) + number(505, 2)
    let fact = Array("fact".utf8) + number(4, 4) + number(505, 4)
    let body =
      Array("WAVEfmt ".utf8) + number(format.count, 4) + format + fact + Array("data".utf8) + number(256, 4)
      + Array(repeating: 0, count: 256)
    return Array("RIFF".utf8) + number(body.count, 4) + body
  }

  /// The number of frames that a worker decodes from a file without a name.
  private static func count(_ bytes: [UInt8]) throws -> Int {
    guard let file = tmpfile() else { throw SystemError(call: "tmpfile") }
    defer { fclose(file) }
    guard fwrite(bytes, 1, bytes.count, file) == bytes.count, fflush(file) == 0 else {
      throw SystemError(call: "write")
    }
    let source = try WorkerSegmentSource(
      BytePath("/proc/self/fd/\(fileno(file))"), recording: ContentHash(high: 0, low: 0), stream: nil, isDamaged: false)
    return try source.decode(0..<100_000).count / max(1, source.audio.format.channelCount)
  }
}

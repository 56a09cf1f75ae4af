internal import Foundation
internal import MediaModel

/// What happens to an excerpt before somebody asks what it is.
struct Degradation: Sendable {
  let name: String
  /// As the issue of sound search asks for: the length in seconds and the least recall; nil if nothing is asked.
  var goal: (seconds: Double, recall: Double)?
  private let change: @Sendable (inout Excerpt, inout BenchRandom, URL) throws -> Void

  private init(
    _ name: String, goal: (Double, Double)? = nil,
    _ change: @escaping @Sendable (inout Excerpt, inout BenchRandom, URL) throws -> Void
  ) {
    self.name = name
    self.goal = goal
    self.change = change
  }

  /// - Parameter folder: For temporary files.
  func apply(to excerpt: Excerpt, _ random: inout BenchRandom, in folder: URL) throws -> Excerpt {
    var changed = excerpt
    try change(&changed, &random, folder)
    return changed
  }
}

/// Mono sound and how fast it plays.
struct Excerpt {
  var samples: [Float]
  var sampleRateInHz: Int
  var speed = 1.0

  var rms: Float { (samples.reduce(0) { $0 + $1 * $1 } / Float(max(samples.count, 1))).squareRoot() }
}

extension Degradation {
  static let all: [Degradation] = [
    Degradation("as it is", goal: (5, 0.99)) { _, _, _ in },
    codec("MP3 64 kbit/s", "mp3", "-c:a libmp3lame -b:a 64k"),
    codec("Opus 32 kbit/s", "opus", "-c:a libopus -b:a 32k"),
    codec("AAC 64 kbit/s", "m4a", "-c:a aac -b:a 64k"),
    codec("Vorbis q1", "ogg", "-c:a libvorbis -q:a 1"),
    filter("low-pass 3.4 kHz", "lowpass=f=3400,lowpass=f=3400,lowpass=f=3400"),
    filter("treble -12, bass +12 dB", "bass=g=12:f=200,treble=g=-12:f=3000"),
    Degradation("clipped by 12 dB") { excerpt, _, _ in
      let gain = 4 * 0.9 / max(excerpt.samples.reduce(0) { max($0, abs($1)) }, 1e-6)
      for index in excerpt.samples.indices { excerpt.samples[index] = max(-1, min(excerpt.samples[index] * gain, 1)) }
    },
    noise(10), noise(5, goal: (10, 0.95)), noise(0),
    speed(1.01), speed(0.99), speed(1.02), speed(0.98), speed(1.03, goal: (10, 0.9)), speed(0.97, goal: (10, 0.9)),
    speed(1.05), speed(0.95),
    shell("reverberation", "sox in.wav -t wav out.wav reverb 60 50 80", decode: "out.wav"),
    shell(
      "GSM", "ffmpeg -v error -y -i in.wav -ar 8000 -ac 1 -c:a libgsm_ms out.wav",
      decode: "out.wav"),
    phone("phone", "-c:a aac -b:a 64k out.m4a", decode: "out.m4a", goal: (15, 0.8)),
    phone("old phone", "-ar 8000 -ac 1 -c:a libgsm_ms out.wav", decode: "out.wav"),
  ]

  private static func noise(_ ratioInDB: Double, goal: (Double, Double)? = nil) -> Degradation {
    Degradation("white noise, \(Int(ratioInDB)) dB", goal: goal) { excerpt, random, _ in
      // A uniform distribution of -a...a has the RMS a/√3.
      let range = excerpt.rms * Float(pow(10, -ratioInDB / 20)) * Float(3).squareRoot()
      for index in excerpt.samples.indices { excerpt.samples[index] += (2 * Float(random.unit()) - 1) * range }
    }
  }

  /// As a turntable: the samples stay, and their rate is another one.
  private static func speed(_ speed: Double, goal: (Double, Double)? = nil) -> Degradation {
    let percent = ((speed - 1) * 100).rounded()
    return Degradation("speed \(percent > 0 ? "+" : "")\(Int(percent)) %", goal: goal) { excerpt, _, _ in
      excerpt.sampleRateInHz = Int((Double(excerpt.sampleRateInHz) * speed).rounded())
      excerpt.speed = speed
    }
  }

  private static func codec(_ name: String, _ suffix: String, _ options: String) -> Degradation {
    var degradation = shell(name, "ffmpeg -v error -y -i in.wav \(options) out.\(suffix)", decode: "out.\(suffix)")
    degradation.goal = (5, 0.99)
    return degradation
  }

  private static func filter(_ name: String, _ filter: String) -> Degradation {
    shell(name, "ffmpeg -v error -y -i in.wav -af '\(filter)' out.wav", decode: "out.wav")
  }

  /// So much softer the music is made that its reverberation does not clip.
  private static let roomGainInDB = 6.0

  /// A room, voices 5 dB below the music, the band of a small microphone, a limiter and a codec.
  private static func phone(
    _ name: String, _ codec: String, decode: String, goal: (Double, Double)? = nil
  ) -> Degradation {
    shell(
      name,
      """
      sox in.wav -t wav room.wav gain -\(roomGainInDB) reverb 40 50 60 && \
      ffmpeg -v error -y -i room.wav -i voices.wav -filter_complex \
      '[0]volume=1[a];[1]volume=VOICESdB[b];[a][b]amix=inputs=2:duration=first:normalize=0,highpass=f=200,lowpass=f=6000,\
      alimiter=limit=0.5' \(codec)
      """, decode: decode, goal: goal, voicesInDB: -5 - roomGainInDB)
  }

  /// Writes `in.wav`, runs a command, and reads what ffmpeg decodes of a file.
  private static func shell(
    _ name: String, _ command: String, decode: String, goal: (Double, Double)? = nil, voicesInDB: Double? = nil
  ) -> Degradation {
    Degradation(name, goal: goal) { excerpt, random, folder in
      try SoundFiles.write(excerpt, to: folder.appending(path: "in.wav"))
      var command = command
      if let voicesInDB {
        let voices = try SoundFiles.voices(&random, in: folder, seconds: 16, like: excerpt)
        let level = 20 * log10(Double(excerpt.rms / max(voices, 1e-6))) + voicesInDB
        command = command.replacing("VOICES", with: String(format: "%.1f", level))
      }
      excerpt.samples = try SoundFiles.run(command, decoding: decode, in: folder, rate: excerpt.sampleRateInHz)
    }
  }
}

/// Sound files for other programs.
enum SoundFiles {
  /// 16 bits, mono.
  static func write(_ excerpt: Excerpt, to url: URL) throws {
    let peak = max(excerpt.samples.reduce(0) { max($0, abs($1)) }, 1)
    var data = Data()
    func append<Number: FixedWidthInteger>(_ number: Number) {
      withUnsafeBytes(of: number.littleEndian) { data.append(contentsOf: $0) }
    }
    let byteCount = 2 * excerpt.samples.count
    data.append(contentsOf: "RIFF".utf8)
    append(UInt32(36 + byteCount))
    data.append(contentsOf: "WAVEfmt ".utf8)
    append(UInt32(16))
    append(UInt16(1))
    append(UInt16(1))
    append(UInt32(excerpt.sampleRateInHz))
    append(UInt32(2 * excerpt.sampleRateInHz))
    append(UInt16(2))
    append(UInt16(16))
    data.append(contentsOf: "data".utf8)
    append(UInt32(byteCount))
    for sample in excerpt.samples { append(Int16(sample / peak * 32_767)) }
    try data.write(to: url)
  }

  /// Runs a command in a folder, and decodes a file that it wrote.
  static func run(_ command: String, decoding name: String, in folder: URL, rate: Int) throws -> [Float] {
    let raw = folder.appending(path: "out.raw")
    let script =
      "cd '\(folder.path)' && rm -f out.* && \(command) && ffmpeg -v error -y -i \(name) -ac 1 -ar \(rate) -f f32le out.raw"
    guard let shell = ChildProcess.path(of: "sh") else { throw BenchFailure("there is no sh") }
    let usage = try ChildProcess(executable: shell, arguments: ["-c", script], isQuiet: false).run()
    guard usage.hasSucceeded else { throw BenchFailure("this command failed: \(script)") }
    return try Data(contentsOf: raw).withUnsafeBytes { bytes in
      (0..<bytes.count / 4).map { Float(bitPattern: bytes.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self)) }
    }
  }

  private static let sentences = [
    "the quick brown fox jumps over the lazy dog", "where did you put the keys to the cellar",
    "two coffees and a glass of water please", "I have not heard from them since last summer",
    "turn left at the church and follow the river", "what a wonderful evening this has become",
  ]

  /// Writes `voices.wav`, some people who talk at the same time; their RMS.
  static func voices(
    _ random: inout BenchRandom, in folder: URL, seconds: Int, like excerpt: Excerpt
  ) throws -> Float {
    let speakers = (0..<3).map { speaker in
      let text = (0..<4).map { _ in random.pick(sentences) }.joined(separator: ". ")
      return "espeak-ng -v en+m\(speaker + 1) -s \(140 + 15 * speaker) -w v\(speaker).wav '\(text)'"
    }
    let command =
      speakers.joined(separator: " && ")
      + " && ffmpeg -v error -y -stream_loop -1 -i v0.wav -stream_loop -1 -i v1.wav -stream_loop -1 -i v2.wav"
      + " -filter_complex amix=inputs=3 -t \(seconds) -ar \(excerpt.sampleRateInHz) voices.wav"
    let samples = try run(command, decoding: "voices.wav", in: folder, rate: excerpt.sampleRateInHz)
    return Excerpt(samples: samples, sampleRateInHz: excerpt.sampleRateInHz).rms
  }
}

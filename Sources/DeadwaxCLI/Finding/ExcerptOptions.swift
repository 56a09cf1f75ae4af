internal import ArgumentParser
internal import Base
internal import Foundation
internal import Glibc
internal import MediaModel
internal import SoundSearch

/// The sound that is looked for: a file or a part of it, standard input, or a microphone.
struct ExcerptOptions: ParsableArguments {
  /// The most that is kept of standard input, in a temporary file.
  private static let mostSpooledBytes = 4 << 30

  @Argument(help: ArgumentHelp("A sound file, or - for standard input.", valueName: "file"), completion: .file())
  var file: String?

  @OptionGroup var part: PartOptions

  @Option(
    help: ArgumentHelp(
      "Standard input is raw samples: rate, channels, and u8, s16, s24, s32 or f32.",
      valueName: "rate:channels:format"))
  var raw: RawFormatArgument?

  @Option(
    help: ArgumentHelp("Record this many seconds with arecord instead.", valueName: "seconds"))
  var microphone: SecondsArgument?

  func validate() throws {
    if microphone == nil, file == nil {
      throw ValidationError("name a file, or - for standard input, or use --microphone")
    }
    if microphone != nil, file != nil { throw ValidationError("--microphone replaces the file") }
    if raw != nil, file != "-" { throw ValidationError("--raw needs - as the file: it describes standard input") }
    if let microphone, !(1...3600).contains(microphone.seconds) {
      throw ValidationError("--microphone takes from 1 to 3600 seconds")
    }
    if microphone != nil || raw != nil, part.start != nil {
      throw ValidationError("-s needs a file: recordings and piped audio are used from the start")
    }
  }

  /// How the excerpt is called.
  var name: String { microphone != nil ? "the microphone" : file == "-" ? "standard input" : file ?? "" }

  func excerpt() throws -> SoundExcerpt {
    if let microphone { return try Self.recorded(seconds: microphone.seconds) }
    if let raw {
      return try SoundExcerpt(raw: raw.format, limitInSeconds: part.end?.seconds ?? 1e6) {
        try DescriptorBytes.bytes(from: STDIN_FILENO, count: 1 << 16)
      }
    }
    let (start, end) = (part.start?.seconds ?? 0, part.end?.seconds)
    guard file == "-" else {
      let excerpt = try SoundExcerpt(
        of: InputFile.resolved(BytePath(argument: file ?? "")), fromSeconds: start, toSeconds: end)
      if start > 0, excerpt.durationInSeconds == 0 { throw ValidationError("\(name): ends before --start") }
      return excerpt
    }
    let spool = try spooled()
    return try withExtendedLifetime(spool) {
      do {
        return try SoundExcerpt(of: spool.path, fromSeconds: start, toSeconds: end)
      } catch {
        throw ExcerptError.unreadable(name, reason: "\(error)".replacing("\(spool.path.displayString): ", with: ""))
      }
    }
  }

  /// Decoders seek, which a pipe cannot.
  private func spooled() throws -> SpooledOutput {
    let spool = try SpooledOutput()
    var byteCount = 0
    while true {
      let bytes = try DescriptorBytes.bytes(from: STDIN_FILENO, count: 1 << 16)
      guard !bytes.isEmpty else { return spool }
      byteCount += bytes.count
      guard byteCount <= Self.mostSpooledBytes else {
        throw ExcerptError.unreadable(name, reason: "more than 4 GiB; name a file instead")
      }
      try spool.append(bytes)
    }
  }

  private static func recorded(seconds: Double) throws -> SoundExcerpt {
    let rate = 44_100
    let recorder = Process()
    recorder.executableURL = URL(filePath: "/usr/bin/env")
    recorder.arguments = [
      "arecord", "-q", "-t", "raw", "-f", "S16_LE", "-r", "\(rate)", "-c", "1", "-d", "\(Int(seconds.rounded(.up)))",
    ]
    let pipe = Pipe()
    recorder.standardOutput = pipe
    try recorder.run()
    let format = RawFormat(audio: AudioFormat(sampleRateInHz: rate, channelCount: 1), sample: .s16)
    let excerpt = try SoundExcerpt(raw: format, limitInSeconds: seconds) {
      try DescriptorBytes.bytes(from: pipe.fileHandleForReading.fileDescriptor, count: 1 << 12)
    }
    recorder.waitUntilExit()
    guard excerpt.durationInSeconds > 0 else {
      throw ExcerptError.unreadable(
        "the microphone",
        reason: "arecord (Debian package alsa-utils) recorded nothing, status \(recorder.terminationStatus)")
    }
    return excerpt
  }
}

/// Why there is no sound to look for.
enum ExcerptError: CommandError, Hashable, CustomStringConvertible {
  case unreadable(String, reason: String)

  var exitStatus: Int32 { 1 }

  var description: String {
    switch self {
    case .unreadable(let name, let reason): "\(name): \(reason)"
    }
  }
}

/// `44100:2:s16`.
struct RawFormatArgument: ExpressibleByArgument {
  let format: RawFormat

  init?(argument: String) {
    let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, let rate = Int(parts[0]), (1_000...768_000).contains(rate),
      let channelCount = Int(parts[1]),
      (1...64).contains(channelCount), let sample = RawFormat.Sample(rawValue: String(parts[2]).lowercased())
    else { return nil }
    format = RawFormat(audio: AudioFormat(sampleRateInHz: rate, channelCount: channelCount), sample: sample)
  }
}

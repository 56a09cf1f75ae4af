internal import Base

/// A program that decodes files and discards the samples.
struct Decoder {
  /// The most that a whole scan of files of a codec may cost, as a multiple of the time of its reference; nil if there is
  /// no goal. The more a codec's decoder takes for itself, the less the rest weighs.
  static func goal(for codec: String) -> Double? {
    switch codec {
    case "mp3": 1.75
    case "flac": 1.6
    case "alac", "wavpack": 1.5
    case "aac", "vorbis": 2.2
    default: nil
    }
  }

  let name: String
  private let executable: String
  private let arguments: @Sendable (_ files: [String]) -> [String]
  /// ffmpeg takes several files, but makes one output of them.
  private let takesManyFiles: Bool
  /// Whether the goal is measured against this one.
  let isReference: Bool

  /// The installed decoders of a codec, the reference first.
  static func all(for codec: String, own: String) -> [Decoder] {
    let decoders: [Decoder?] =
      switch codec {
      case "mp3": [Decoder("mpg123 -t", isReference: true) { ["-q", "-t"] + $0 }]
      case "flac": [Decoder("flac -t", isReference: true) { ["-t", "-s"] + $0 }]
      case "vorbis": [Decoder("oggdec") { ["-Q", "-R", "-o", "/dev/null"] + $0 }]
      case "opus":
        [Decoder("opusdec", manyFiles: false) { ["--quiet", "--rate", "48000", "--no-dither"] + $0 + ["/dev/null"] }]
      default: []
      }
    // The programs of Vorbis and Opus also convert to 16 bits, so they are no reference.
    let same = Decoder("the same library", executable: own, isReference: !["mp3", "flac"].contains(codec)) {
      ["decode"] + $0
    }
    let ffmpeg = Decoder("ffmpeg -f null", manyFiles: false) { files in
      ["-v", "error", "-nostdin", "-threads", "1"] + files.flatMap { ["-i", $0] } + [
        "-map", "0:a:0", "-f", "null", "-",
      ]
    }
    return (decoders + [same, ffmpeg]).compactMap(\.self).sorted { $0.isReference && !$1.isReference }
  }

  /// - Parameter executable: Its path; by default the first word of `name` is searched for.
  private init?(
    _ name: String, executable: String? = nil, manyFiles: Bool = true, isReference: Bool = false,
    arguments: @escaping @Sendable ([String]) -> [String]
  ) {
    let program = executable ?? name.split(separator: " ").first.map(String.init) ?? name
    guard let path = ChildProcess.path(of: program) else { return nil }
    self.name = name
    self.executable = path
    self.arguments = arguments
    takesManyFiles = manyFiles
    self.isReference = isReference
  }

  /// User seconds for all files, one after the other, including the start of the program.
  func userSeconds(_ files: [BytePath]) throws -> Double {
    let step = takesManyFiles ? 500 : 1
    var seconds = 0.0
    for start in stride(from: 0, to: files.count, by: step) {
      let paths = files[start..<min(start + step, files.count)].map(\.displayString)
      seconds += try ChildProcess(executable: executable, arguments: arguments(paths)).run().userSeconds
    }
    return seconds
  }
}

internal import ArgumentParser
internal import Foundation
internal import MediaModel

/// The music that is measured.
struct MusicArguments: ParsableArguments {
  @Argument(help: "Files and folders of music; they are only read.", completion: .directory)
  var music: [String]

  @Option(help: ArgumentHelp("At most so many files of each codec.", valueName: "count"))
  var limit: Int?

  @Option(help: ArgumentHelp("Only files of these codecs, such as mp3 or flac; may be repeated.", valueName: "codec"))
  var codec: [String] = []

  func validate() throws {
    if let limit, limit < 1 { throw ValidationError("--limit takes a number from 1 on") }
  }

  /// The files, sorted into their codecs.
  func groups() throws -> [MusicGroup] {
    let paths = music.map { BytePath(URL(filePath: $0).standardizedFileURL.path) }
    let groups = try MusicGroup.groups(of: paths)
    let chosen = groups.filter { codec.isEmpty || codec.contains($0.codec) }
    guard !chosen.isEmpty else {
      throw BenchFailure("there is no file with a decoder in \(music.joined(separator: ", "))")
    }
    return chosen.map { $0.first(limit ?? .max) }
  }
}

/// How often everything is measured.
struct RepeatOptions: ParsableArguments {
  @Option(
    name: .customLong("repeat"),
    help: ArgumentHelp("Measure so often; medians are reported.", valueName: "count"))
  var count = 3

  func validate() throws {
    if count < 1 { throw ValidationError("--repeat takes a number from 1 on") }
  }
}

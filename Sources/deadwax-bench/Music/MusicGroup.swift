internal import ArgumentParser
internal import AudioDecoding
internal import Base
internal import Foundation
internal import Glibc
internal import MediaImport
internal import MediaModel

/// The music that is measured.
struct MusicArguments: ParsableArguments {
  @Argument(help: "Files and folders of music; they are only read.", completion: .directory)
  var music: [String]

  @Option(help: ArgumentHelp("The most files of each codec.", valueName: "count"))
  var limit: Int?

  @Option(help: ArgumentHelp("Only files of these codecs, such as mp3 or flac; may be repeated.", valueName: "codec"))
  var codec: [String] = []

  func validate() throws {
    if let limit, limit < 1 { throw ValidationError("--limit takes a number from 1 up") }
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

/// The audio files of one codec.
struct MusicGroup {
  let codec: String
  /// Absolute paths, in order.
  private(set) var files: [BytePath]

  func first(_ count: Int) -> MusicGroup { MusicGroup(codec: codec, files: Array(files.prefix(count))) }

  /// Finds the files that have a decoder, below folders or named themselves; the largest groups first.
  static func groups(of paths: [BytePath]) throws -> [MusicGroup] {
    var groups: [String: MusicGroup] = [:]
    for path in try paths.flatMap(files) {
      guard let codec = codec(of: path) else { continue }
      groups[codec, default: MusicGroup(codec: codec, files: [])].files.append(path)
    }
    return groups.values.sorted { ($1.files.count, $0.codec) < ($0.files.count, $1.codec) }
  }

  private static func files(at path: BytePath) throws -> [BytePath] {
    var status = stat()
    guard stat(path.displayString, &status) == 0 else { throw BenchFailure("there is no \(path.displayString)") }
    guard status.st_mode & S_IFMT == S_IFDIR else { return [path] }
    let walker = DirectoryWalker(root: try FolderDescriptor(opening: path), rules: IgnoreRules())
    return walker.walk().files.map { path.appending($0.path) }.sorted()
  }

  /// nil for files that are not audio or have no decoder.
  private static func codec(of path: BytePath) -> String? {
    try? OpenedFile.read(path) { file in
      guard file.content.kind == .audio, let codec = file.content.codec else { return nil }
      return (try? file.makeDecoder()) == nil ? nil : codec.rawValue
    }
  }
}

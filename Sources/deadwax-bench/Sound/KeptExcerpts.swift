internal import Base
internal import Foundation

/// A folder that lets other programs look for the excerpts that ``SoundCommand`` looked for.
///
/// `tracks.csv` names what is in the index: the path, the package, and how many seconds of it. `excerpts.csv` has a line
/// for each excerpt: its file (WAV, 16 bits, mono), its track, where it begins there in seconds, how long it is, what
/// happened to it, and the track and place that were found, which are empty if nothing was.
final class KeptExcerpts {
  private let folder: URL
  private var lines = ["file,track,start_s,seconds,degradation,found_track,found_s"]

  /// - Throws: ``BenchFailure`` if the folder is there already.
  init(in folder: URL, of corpus: SoundCorpus) throws {
    guard !FileManager.default.fileExists(atPath: folder.path) else {
      throw BenchFailure("\(folder.path) is there already")
    }
    self.folder = folder
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let tracks = corpus.tracks.map {
      Self.line([$0.path.displayString, $0.package, "\($0.durationInSeconds)"])
    }
    try Self.write(["path,package,seconds"] + tracks, to: folder.appending(path: "tracks.csv"))
  }

  func add(
    _ excerpt: Excerpt, seconds: Double, of track: SoundCorpus.Track, at start: Double, _ degradation: Degradation,
    found: (track: SoundCorpus.Track, offsetInSeconds: Double)?
  ) throws {
    var part = excerpt
    part.samples = Array(excerpt.samples.prefix(Int(seconds * Double(excerpt.sampleRateInHz))))
    let name = "\(lines.count).wav"
    try SoundFiles.write(part, to: folder.appending(path: name))
    lines.append(
      Self.line([
        name, track.path.displayString, "\(start)", "\(seconds)", degradation.name,
        found?.track.path.displayString ?? "", found.map { "\($0.offsetInSeconds)" } ?? "",
      ]))
  }

  func writeTable() throws { try Self.write(lines, to: folder.appending(path: "excerpts.csv")) }

  private static func line(_ cells: [String]) -> String {
    cells.map { "\"\($0.replacing("\"", with: "\"\""))\"" }.joined(separator: ",")
  }

  private static func write(_ lines: [String], to url: URL) throws {
    try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: url)
  }
}

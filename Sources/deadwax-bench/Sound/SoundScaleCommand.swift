internal import ArgumentParser
internal import AudioAnalysis
internal import Base
internal import Foundation
internal import MediaModel
internal import SoundIndex

/// `deadwax-bench sound-scale`: how large the sound index of a large library is, and how long a search in it takes.
struct SoundScaleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sound-scale",
    abstract: "Measure the sound index of a large library: its size, how long making it takes, and searches in it.",
    discussion: """
      Create the library with `deadwax-bench library --landmarks`, and merge one with real recordings into it. The index \
      is made by the first search of the built command, if it is not there.
      """)

  @OptionGroup var built: CommandOptions
  @OptionGroup var repetition: RepeatOptions
  @OptionGroup var report: ReportOptions

  @Argument(help: ArgumentHelp("The library.", valueName: "library"))
  var library: String

  @Argument(help: ArgumentHelp("Sound files; their first seconds are looked for.", valueName: "file"))
  var excerpts: [String]

  @Option(help: ArgumentHelp("How much of each is looked for.", valueName: "seconds"))
  var seconds = 10.0

  func run() throws {
    let path = BytePath(URL(filePath: library).path)
    let folder = SoundIndex.folder(ofLibraryAt: path)
    var table = ResultTable(
      "sound_scale", title: "The sound index of \(path.lastComponent.displayString)",
      columns: [.init("what", "what"), .init("value", "value"), .init("goal", "goal")])
    func add(_ what: String, _ value: Double?, digits: Int, goal: Double? = nil) {
      table.add([.text(what), .number(value, digits: digits), .number(goal, digits: 0)])
    }
    let isMissing = !FileManager.default.fileExists(atPath: folder.displayString)
    if isMissing {
      let made = try search(excerpts[0])
      add("making it, s", made.wallSeconds, digits: 1)
      add("making it, s of processor time", made.userSeconds + made.systemSeconds, digits: 1)
      add("making it, MiB", Double(made.largestResidentBytes) / 1_048_576, digits: 0)
    }
    let index = try SoundIndex.open(at: folder)
    add("recordings", Double(index.recordingCount), digits: 0)
    add("KB for a recording", Double(index.byteCount) / 1000 / Double(index.recordingCount), digits: 1, goal: 20)

    let queries = try excerpts.map { try Self.landmarks(of: BytePath(URL(filePath: $0).path), seconds: seconds) }
    let goals: (warm: Double?, whole: Double) = index.recordingCount > 200_000 ? (nil, 300) : (50, 150)
    var (warm, whole, processor) = (Samples(), Samples(), Samples())
    var foundCount = 0
    for round in 0...repetition.count {
      for (file, query) in zip(excerpts, queries) {
        var matcher = SoundMatcher(index)
        var isFound = false
        let milliseconds =
          1_000
          * (try BenchClock.processor.measure { isFound = try !matcher.matches(of: query).isEmpty })
        let usage = try search(file)
        // The first round fills the system's cache.
        guard round > 0 else { continue }
        if isFound { foundCount += 1 }
        warm.add(milliseconds)
        whole.add(1_000 * usage.wallSeconds)
        processor.add(1_000 * (usage.userSeconds + usage.systemSeconds))
      }
    }
    add("a search, ms of processor time", warm.median, digits: 1, goal: goals.warm)
    add("the longest, ms", warm.largest, digits: 1)
    add("the whole process, ms", whole.median, digits: 1, goal: goals.whole)
    add("the whole process, ms of processor time", processor.median, digits: 1)
    add("excerpts with a match, percent", 100 * Double(foundCount) / Double(warm.values.count), digits: 1)
    try report.write([table])
  }

  /// A whole process; nothing found is a success, too.
  private func search(_ file: String) throws -> ChildUsage {
    let usage = try ChildProcess(
      executable: built.path(), arguments: ["identify", file, "-e", "\(seconds)", "--library", library]
    ).run()
    guard usage.hasSucceeded || usage.status == 1 << 8 else { throw BenchFailure("identify failed for \(file)") }
    return usage
  }

  private static func landmarks(of file: BytePath, seconds: Double) throws -> ExcerptLandmarks {
    let music = try SoundCorpus.music(file, keepingSeconds: seconds)
    var analyzer = ExcerptAnalyzer(format: music.format)
    analyzer.consume(music.samples.span)
    return analyzer.finish()
  }
}

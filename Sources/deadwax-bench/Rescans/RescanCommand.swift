internal import ArgumentParser
internal import Foundation
internal import MediaModel
internal import MediaStore

/// `deadwax-bench rescan`: a scan that finds nothing new, against `find` listing the same files.
struct RescanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rescan",
    abstract: "Scan many unchanged files again, and compare that with find.",
    discussion: "Makes a temporary folder of tiny files, scans it once, then lets rescans and find take turns.")

  /// The wall time of a rescan as a multiple of find's.
  private static let goal = 2.0

  @OptionGroup var built: CommandOptions
  @OptionGroup var report: ReportOptions

  @Option(help: ArgumentHelp("So many files.", valueName: "count"))
  var files = 100_000

  @Option(
    name: .customLong("repeat"), help: ArgumentHelp("Measure so often; medians are reported.", valueName: "count"))
  var count = 7

  func validate() throws {
    if !(1...2_000_000).contains(files) { throw ValidationError("--files takes a number from 1 to 2000000") }
    if count < 1 { throw ValidationError("--repeat takes a number from 1 on") }
  }

  func run() throws {
    guard let program = ChildProcess.path(of: "find") else { throw BenchFailure("find is not installed") }
    let temporary = try TemporaryFolder()
    let music = temporary.appending("Music")
    try TinyMusic.make(fileCount: files, in: music)
    var folder = ScannedFolder(command: try built.path(), folder: music, temporary: temporary)
    // Times within a clock tick of the scan are not trusted by the next: let the last file get older than that.
    usleep(100_000)
    let first = try folder.scan(workers: 2)
    let fileCount = try folder.status().files.values.reduce(0, +)
    guard fileCount == files else { throw BenchFailure("\(files) files were made, \(fileCount) were found") }

    let find = ChildProcess(executable: program, arguments: [music.path, "-printf", "%s %T@ %i\n"])
    _ = try folder.rescan(workers: 1)
    _ = try find.run()
    var rescans: [ChildUsage] = []
    var finds: [ChildUsage] = []
    for _ in 0..<count {
      rescans.append(try folder.rescan(workers: 1))
      finds.append(try find.run())
    }
    try report.write([table(first: first, rescans: rescans, finds: finds)])
  }

  private func table(first: ChildUsage, rescans: [ChildUsage], finds: [ChildUsage]) -> ResultTable {
    var table = ResultTable(
      "rescan", title: "A scan of \(files) unchanged files, against find",
      columns: [
        .init("what", "what"), .init("wall_s", "wall s"), .init("user_s", "user s"), .init("system_s", "system s"),
        .init("ratio", "ratio to find"), .init("ratio_least", "least"), .init("ratio_largest", "largest"),
        .init("goal", "goal"),
      ])
    func wall(_ usages: [ChildUsage]) -> Samples { Samples(usages.map(\.wallSeconds)) }
    func add(_ what: String, _ usages: [ChildUsage], ratios: Samples = Samples(), goal: Double? = nil) {
      table.add([
        .text(what), .number(wall(usages).median, digits: 3),
        .number(Samples(usages.map(\.userSeconds)).median, digits: 3),
        .number(Samples(usages.map(\.systemSeconds)).median, digits: 3), .number(ratios.median, digits: 2),
        .number(ratios.least, digits: 2), .number(ratios.largest, digits: 2), .number(goal, digits: 2),
      ])
    }
    add("first scan, two workers", [first])
    add("rescan", rescans, ratios: wall(rescans).ratios(to: wall(finds)), goal: Self.goal)
    add("find", finds)
    return table
  }
}

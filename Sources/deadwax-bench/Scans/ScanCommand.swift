internal import ArgumentParser
internal import Foundation
internal import MediaModel
internal import MediaStore

/// `deadwax-bench scan`: whole first scans by the built command, against programs that only decode.
struct ScanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scan",
    abstract: "Run whole first scans with the built command, and compare them with decoding alone.",
    discussion: """
      Scan and decoders take turns, and a ratio is that of one round, so that a machine with other work slows both. \
      User time includes that of the workers. Memory is measured in a run of its own.
      """)

  @OptionGroup var music: MusicArguments
  @OptionGroup var built: CommandOptions
  @OptionGroup var repetition: RepeatOptions
  @OptionGroup var report: ReportOptions

  @Flag(inversion: .prefixedNo, help: "Compare two workers with one.")
  var workers = true

  func run() throws {
    let groups = try music.groups()
    let temporary = try TemporaryFolder()
    let command = try built.path()
    var tables = ScanTables()
    for group in groups { try measure(group, command, temporary, &tables) }
    if workers { try measureWorkers(groups.flatMap(\.files), command, temporary, &tables) }
    try report.write(tables.all)
  }

  private func measure(
    _ group: MusicGroup, _ command: String, _ temporary: TemporaryFolder, _ tables: inout ScanTables
  ) throws {
    let links = try temporary.makeLinks(group.codec, to: group.files)
    var folder = ScannedFolder(command: command, folder: links, temporary: temporary)
    let decoders = Decoder.all(for: group.codec, own: CommandOptions.own.path)

    // First, so that the files are in the page cache for what is timed.
    var watch = MemoryWatch()
    _ = try folder.scan(workers: 1) { watch.look(at: $0) }
    let status = try folder.status()
    tables.add(watch, group: group)
    tables.add(status, libraryBytes: try folder.libraryBytes(), group: group)

    var scan = Samples()
    var times = decoders.map { _ in Samples() }
    for _ in 0..<repetition.count {
      scan.add(try folder.scan(workers: 1).userSeconds)
      for (index, decoder) in decoders.enumerated() { times[index].add(try decoder.userSeconds(group.files)) }
    }
    for (decoder, times) in zip(decoders, times) {
      tables.add(decoder, times, scan: scan, group: group, audioInSeconds: status.audioInSeconds)
    }
  }

  private func measureWorkers(
    _ files: [BytePath], _ command: String, _ temporary: TemporaryFolder, _ tables: inout ScanTables
  ) throws {
    let links = try temporary.makeLinks("all", to: files)
    var folder = ScannedFolder(command: command, folder: links, temporary: temporary)
    var one = Samples()
    var two = Samples()
    for _ in 0..<repetition.count {
      one.add(try folder.scan(workers: 1).wallSeconds)
      two.add(try folder.scan(workers: 2).wallSeconds)
    }
    tables.addWorkers(one: one, two: two, fileCount: files.count)
  }
}

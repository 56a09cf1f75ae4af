internal import ArgumentParser
internal import Base
internal import Foundation
internal import LibraryTracks
internal import MediaModel

/// `deadwax-bench scan`: whole first scans by the built command, compared with programs that only decode.
struct ScanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scan",
    abstract: "Run whole first scans with the built command, and compare them with decoding alone.",
    discussion: """
      Scan and decoders take turns, and each ratio is that of one round: other work of the machine slows both. \
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

    // First, so that the files are in the page cache when time is measured.
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

/// The tables of `deadwax-bench scan`, filled codec by codec.
struct ScanTables {
  /// Bytes that a minute of stereo may need in the library.
  private static let storageGoal = 80_000.0
  /// The wall time of two workers as a fraction of that of one.
  private static let twoWorkersGoal = 0.55

  private(set) var decoders = ResultTable(
    "decoders", title: "A first scan with one worker, against decoding alone (user CPU)",
    columns: [
      .init("codec", "codec"), .init("files", "files"), .init("minutes", "minutes"), .init("scan_user_s", "scan s"),
      .init("decoder", "decoder"), .init("decoder_user_s", "decoder s"), .init("ratio", "ratio"),
      .init("ratio_least", "least"), .init("ratio_largest", "largest"), .init("goal", "goal"),
    ])
  private(set) var memory = ResultTable(
    "memory", title: "Peak memory of a first scan with one worker, in MiB",
    columns: [.init("codec", "codec"), .init("command_mib", "command"), .init("worker_mib", "worker")])
  private(set) var workers = ResultTable(
    "workers", title: "Two workers against one, all files (wall time)",
    columns: [
      .init("files", "files"), .init("one_s", "one s"), .init("two_s", "two s"), .init("ratio", "ratio"),
      .init("ratio_least", "least"), .init("ratio_largest", "largest"), .init("goal", "goal"),
    ])

  /// What the library of each codec holds.
  private var storage: [(codec: String, status: LibraryStatus, libraryBytes: Int)] = []

  var all: [ResultTable] { [decoders, memory, storageTable, workers].filter { !$0.rows.isEmpty } }

  mutating func add(_ decoder: Decoder, _ times: Samples, scan: Samples, group: MusicGroup, audioInSeconds: Double) {
    let ratios = scan.ratios(to: times)
    decoders.add([
      .text(group.codec), .count(group.files.count), .number(audioInSeconds / 60, digits: 0),
      .number(scan.median, digits: 2), .text(decoder.name), .number(times.median, digits: 2),
      .number(ratios.median, digits: 2), .number(ratios.least, digits: 2), .number(ratios.largest, digits: 2),
      .number(decoder.isReference ? Decoder.goal(for: group.codec) : nil, digits: 2),
    ])
  }

  mutating func add(_ watch: MemoryWatch, group: MusicGroup) {
    memory.add([
      .text(group.codec), .number(Double(watch.ownBytes) / 1_048_576, digits: 1),
      .number(Double(watch.childBytes) / 1_048_576, digits: 1),
    ])
  }

  /// - Parameter libraryBytes: The size of the library file.
  mutating func add(_ status: LibraryStatus, libraryBytes: Int, group: MusicGroup) {
    if status.audioInSeconds > 0 { storage.append((group.codec, status, libraryBytes)) }
  }

  private var storageTable: ResultTable {
    var table = ResultTable(
      "storage", title: "Stored bytes per minute of audio",
      columns: [.init("what", "what")] + storage.map { .init($0.codec, $0.codec) } + [.init("goal", "goal")])
    func add(_ what: String, goal: Double? = nil, _ byteCount: (LibraryStatus, Int) -> Int) {
      let values = storage.map { Double(byteCount($0.status, $0.libraryBytes)) / $0.status.audioInSeconds * 60 }
      table.add([.text(what)] + values.map { .number($0, digits: 0) } + [.number(goal, digits: 0)])
    }
    for kind in ProductKind.allCases { add(kind.rawValue) { status, _ in Self.bytes(status, kind) } }
    add("everything else") { status, total in
      total - ProductKind.allCases.reduce(0) { $0 + Self.bytes(status, $1) }
    }
    add("the library file", goal: Self.storageGoal) { _, total in total }
    return table
  }

  private static func bytes(_ status: LibraryStatus, _ kind: ProductKind) -> Int {
    Int(status.products.first { $0.kind == kind }?.byteCount ?? 0)
  }

  mutating func addWorkers(one: Samples, two: Samples, fileCount: Int) {
    let ratios = two.ratios(to: one)
    workers.add([
      .count(fileCount), .number(one.median, digits: 2), .number(two.median, digits: 2),
      .number(ratios.median, digits: 2), .number(ratios.least, digits: 2), .number(ratios.largest, digits: 2),
      .number(Self.twoWorkersGoal, digits: 2),
    ])
  }
}

internal import ArgumentParser
internal import Foundation
internal import LibraryTracks

/// `deadwax-bench rescan`: a scan that finds nothing new, compared with `find` on the same files.
struct RescanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rescan",
    abstract: "Scan many unchanged files again, and compare that with find.",
    discussion: "Creates a temporary folder of tiny files, scans it once, then runs rescans and find in turns.")

  /// The wall time of a rescan as a multiple of find's.
  private static let goal = 2.0

  @OptionGroup var built: CommandOptions
  @OptionGroup var report: ReportOptions

  @Option(help: ArgumentHelp("The number of files.", valueName: "count"))
  var files = 100_000

  @Option(
    name: .customLong("repeat"), help: ArgumentHelp("How often to measure; medians are reported.", valueName: "count"))
  var count = 7

  func validate() throws {
    if !(1...2_000_000).contains(files) { throw ValidationError("--files takes a number from 1 to 2000000") }
    if count < 1 { throw ValidationError("--repeat takes a number from 1 up") }
  }

  func run() throws {
    guard let program = ChildProcess.path(of: "find") else { throw BenchFailure("find is not installed") }
    let temporary = try TemporaryFolder()
    let music = temporary.appending("Music")
    try TinyMusic.make(fileCount: files, in: music)
    var folder = ScannedFolder(command: try built.path(), folder: music, temporary: temporary)
    // The next scan does not trust times within a clock tick of this one, so the last file must be older than that.
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

/// A large folder of tiny files with plausible names: artists and albums of ten files, each a recording of its own.
enum TinyMusic {
  private static let filesPerAlbum = 10
  private static let albumsPerArtist = 5

  static func make(fileCount: Int, in folder: URL) throws {
    var names = NameGenerator()
    var artist = ""
    var album = folder
    for index in 0..<fileCount {
      if index.isMultiple(of: filesPerAlbum * albumsPerArtist) {
        artist = "\(names.phrase(1...3)) \(index / (filesPerAlbum * albumsPerArtist))"
      }
      if index.isMultiple(of: filesPerAlbum) {
        album = folder.appending(path: artist).appending(path: "\(names.year()) - \(names.phrase(1...4)) \(index)")
        try FileManager.default.createDirectory(at: album, withIntermediateDirectories: true)
      }
      let number = String(index % filesPerAlbum + 101).dropFirst()
      let file = album.appending(path: "\(number) - \(names.phrase(1...5)).wav", directoryHint: .notDirectory)
      guard FileManager.default.createFile(atPath: file.path, contents: Data(waveFile(index))) else {
        throw BenchFailure("cannot write \(file.path)")
      }
    }
  }

  /// A mono file of four 16-bit samples that differ for each number.
  private static func waveFile(_ number: Int) -> [UInt8] {
    var writer: [UInt8] = []
    func append(_ integer: some FixedWidthInteger) {
      withUnsafeBytes(of: integer.littleEndian) { writer.append(contentsOf: $0) }
    }
    writer += Array("RIFF".utf8)
    append(UInt32(36 + 8))
    writer += Array("WAVEfmt ".utf8)
    append(UInt32(16))
    append(UInt16(1))
    append(UInt16(1))
    append(UInt32(44_100))
    append(UInt32(88_200))
    append(UInt16(2))
    append(UInt16(16))
    writer += Array("data".utf8)
    append(UInt32(8))
    append(UInt64(number))
    return writer
  }
}

/// Makes up plausible names of music folders and files, the same in every run.
struct NameGenerator {
  private static let words = [
    "Amber", "Anchor", "Ash", "Bell", "Birch", "Blue", "Border", "Bright", "Café", "Canal", "Cedar", "City", "Clear",
    "Coast",
    "Copper", "Dark", "Dawn", "Delta", "Drift", "Dust", "Echo", "Ember", "Empty", "Evening", "Fable", "Far", "Field",
    "First",
    "Glass", "Gold", "Green", "Grün", "Harbour", "Heart", "Hollow", "Home", "House", "Island", "Jade", "Kind", "Lake",
    "Last",
    "Leaf", "Light", "Line", "Little", "Long", "Lost", "Mirror", "Moon", "Morning", "New", "Night", "North", "Ocean",
    "Old",
    "Paper", "Quiet", "Rain", "Red", "River", "Road", "Salt", "Second", "Señor", "Shadow", "Silver", "Slow", "Snow",
    "Song",
    "South", "Stone", "Storm", "Summer", "Tide", "Tower", "Under", "Velvet", "Wave", "White", "Wild", "Winter", "Wire",
    "Wood",
  ]

  private var state: UInt64

  init(seed: UInt64 = 1) { state = seed }

  /// Some words, capitalised.
  mutating func phrase(_ wordCounts: ClosedRange<Int>) -> String {
    let count = wordCounts.lowerBound + number(below: wordCounts.count)
    return (0..<count).map { _ in Self.words[number(below: Self.words.count)] }.joined(separator: " ")
  }

  mutating func year() -> Int { 1960 + number(below: 65) }

  /// By Knuth's 64-bit linear congruential generator, of which only the upper bits are good.
  private mutating func number(below limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % limit
  }
}

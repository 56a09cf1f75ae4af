internal import ArgumentParser

/// `deadwax-bench stages`: the cost of each stage of a first scan alone.
struct StagesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stages",
    abstract: "Run every stage of a scan alone, in one process.",
    discussion: """
      Tags, hash and decoding, which hashes lossless samples as a scan does, run over whole files; the analysis over decoded samples in memory, each part and each \
      product alone, then all products together; the store writes the results into a new library. A product alone \
      also does the work that it shares with others, so the single products add up to more than all products together.
      """)

  @OptionGroup var music: MusicArguments
  @OptionGroup var repetition: RepeatOptions
  @OptionGroup var report: ReportOptions

  @Option(help: ArgumentHelp("The most of each file that is analysed.", valueName: "seconds"))
  var seconds = 600.0

  func validate() throws {
    if !(1...36_000).contains(seconds) { throw ValidationError("--seconds takes a number from 1 to 36000") }
  }

  func run() throws {
    var measurements: [StageMeasurement] = []
    for group in try music.groups() {
      var measurement = StageMeasurement(group: group, repeatCount: repetition.count, keptSeconds: seconds)
      try measurement.run()
      measurements.append(measurement)
    }
    try report.write([StageTable.make(measurements)])
  }
}

/// The table of `deadwax-bench stages`: a row for each stage, a column for each codec.
enum StageTable {
  static func make(_ measurements: [StageMeasurement]) -> ResultTable {
    var table = ResultTable(
      "stages", title: "Stages by themselves: CPU seconds per hour of audio",
      columns: [.init("stage", "stage")] + measurements.map { .init($0.group.codec, $0.group.codec) })
    func add(_ name: String, _ value: (StageMeasurement) -> Double?) {
      table.add([.text(name)] + measurements.map { .number(value($0), digits: 3) })
    }
    for stage in measurements.first?.times.stages ?? [] {
      add(stage.name) { $0.times[stage.name]?.secondsPerHour }
    }
    add("sum of a scan") { sum($0.times) }
    add("sum, as a multiple of decoding") { measurement in
      measurement.times[StageName.decode]?.secondsPerHour.flatMap { $0 > 0 ? sum(measurement.times) / $0 : nil }
    }
    table.add([.text("files")] + measurements.map { .count($0.group.files.count) })
    table.add([.text("minutes")] + measurements.map { .number($0.audioInSeconds / 60, digits: 0) })
    return table
  }

  private static func sum(_ times: StageTimes) -> Double {
    StageName.ofScan.compactMap { times[$0]?.secondsPerHour }.reduce(0, +)
  }
}

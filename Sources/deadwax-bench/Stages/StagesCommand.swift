internal import ArgumentParser

/// `deadwax-bench stages`: what each stage of a first scan costs by itself.
struct StagesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stages",
    abstract: "Run every stage of a scan by itself, in one process.",
    discussion: """
      Tags, hash and decoding run over whole files; the analysis over decoded samples in memory, each part and each \
      product alone, then all products together; the store writes what came of it into a new library. A product alone \
      also does what it shares with others, so the products add up to more than all of them together.
      """)

  @OptionGroup var music: MusicArguments
  @OptionGroup var repetition: RepeatOptions
  @OptionGroup var report: ReportOptions

  @Option(help: ArgumentHelp("Analyse at most so much of each file.", valueName: "seconds"))
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

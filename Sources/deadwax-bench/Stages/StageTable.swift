/// The table of `deadwax-bench stages`: a row a stage, a column a codec.
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

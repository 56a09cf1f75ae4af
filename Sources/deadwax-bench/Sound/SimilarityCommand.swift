internal import ArgumentParser
internal import MediaModel
internal import SoundIndex

/// `deadwax-bench similarity`: how long a library of made-up vectors takes to say what is similar.
struct SimilarityCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "similarity", abstract: "Compare one vector with those of a large library, made up at random.")

  @Option(help: ArgumentHelp("The number of recordings.", valueName: "count"))
  var recordings = 1_000_000

  @OptionGroup var repeats: RepeatOptions
  @OptionGroup var report: ReportOptions

  func run() throws {
    var random = BenchRandom(seed: 1)
    var matrix = SimilarityMatrix(capacity: recordings)
    var coordinates = [Int8](repeating: 0, count: SoundVector.dimensionCount)
    for number in 0..<recordings {
      for index in coordinates.indices {
        // The sum of eight bytes is nearly normal, with the spread of real coordinates.
        let word = random.next()
        let sum = (0..<8).reduce(0) { $0 + Int(word >> (8 * UInt64($1)) & 0xFF) }
        coordinates[index] = Int8(max(-127, min((sum - 1_020) / 12, 127)))
      }
      matrix.append(ContentHash(high: 1, low: UInt64(number)), SoundVector(coordinates))
    }
    let query = matrix.vector(recordings / 2)
    var (scans, answers) = (Samples(), Samples())
    var found = 0
    for _ in 0..<repeats.count {
      scans.add(BenchClock.processor.measure { found += matrix.nearest(to: query, count: 500).count })
      let tracks = SimilarTracks(matrix)
      answers.add(BenchClock.processor.measure { found += tracks.matches(to: query, except: recordings / 2).count })
    }
    guard found > 0 else { throw BenchFailure("nothing was found") }
    var table = ResultTable(
      "similarity", title: "What is similar among \(recordings) recordings",
      columns: [.init("part", "part"), .init("ms", "ms")])
    table.add([.text("the 500 nearest"), .number(scans.median.map { 1_000 * $0 }, digits: 1)])
    table.add([.text("with Mutual Proximity"), .number(answers.median.map { 1_000 * $0 }, digits: 1)])
    try report.write([table])
  }
}

internal import ArgumentParser
internal import AudioAnalysis
internal import Base
internal import Foundation
internal import MediaModel
internal import SoundIndex

/// `deadwax-bench sound`: how many excerpts are recognized, whatever happened to them.
struct SoundCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sound",
    abstract: "Look for degraded excerpts in an index of music: how many are found, and where.",
    discussion: """
      Excerpts begin at random samples. An excerpt counts as found if the best match is its track, at a place within 0.1 s. \
      For the open set, every package (a folder at the top) is left out of the index, and its excerpts are looked for: \
      whatever is found then is false, unless packages share music. With --keep the excerpts become files, for \
      scripts/evaluate-excerpts.py, which gives them to other programs. Needs ffmpeg, sox and espeak-ng.
      """)

  @Argument(help: ArgumentHelp("A folder with one folder for each package of music.", valueName: "folder"))
  var music: String

  @Option(help: ArgumentHelp("Excerpts of each track and degradation.", valueName: "count"))
  var excerpts = 1

  @Option(help: ArgumentHelp("Only degradations whose name contains this; may be repeated.", valueName: "name"))
  var only: [String] = []

  @Option(help: ArgumentHelp("Each number gives other excerpts.", valueName: "number"))
  var seed: UInt64 = 1

  @Option(help: ArgumentHelp("Use every nth track, from the first on.", valueName: "n"))
  var every = 1

  @Option(help: ArgumentHelp("The length of tracks that is indexed.", valueName: "seconds"))
  var seconds = 900.0

  @Option(help: ArgumentHelp("The score below which a match does not count.", valueName: "score"))
  var leastScore = SoundMatcher.leastScore

  @Flag(inversion: .prefixedNo, help: "Also look for excerpts of packages that are not in the index.")
  var openSet = true

  @Option(help: ArgumentHelp("Keep every excerpt and what was found in a new folder.", valueName: "folder"))
  var keep: String?

  @OptionGroup var report: ReportOptions

  private static let lengths = [3.0, 5, 8, 10, 15]
  private static let tolerance = 0.1

  func run() throws {
    let corpus = try SoundCorpus(at: BytePath(URL(filePath: music).path), keepingSeconds: seconds)
    let temporary = try TemporaryFolder()
    let index = try corpus.index(in: temporary.path.appending(BytePath("all.sound"))) { _ in true }
    let degradations = Degradation.all.filter { one in only.isEmpty || only.contains { one.name.contains($0) } }
    let kept = try keep.map { try KeptExcerpts(in: URL(filePath: $0), of: corpus) }
    var tables = SoundTables(Self.lengths, degradations)
    tables.describe(corpus, index)
    var random = BenchRandom(seed: seed)
    var without: [String: SoundIndex] = [:]
    if openSet {
      for package in corpus.packages {
        without[package] = try corpus.index(in: temporary.path.appending(BytePath("without-\(package).sound"))) {
          $0.package != package
        }
      }
    }
    for (number, track) in corpus.tracks.enumerated() where number % every == 0 {
      let music = try SoundCorpus.music(track.path, keepingSeconds: seconds)
      for _ in 0..<excerpts {
        let length = min(15, track.durationInSeconds - 2)
        let start = 1 + random.unit() * (track.durationInSeconds - 2 - length)
        let original = Self.excerpt(of: music, from: start, seconds: length)
        guard original.rms > 0.003 else { continue }
        for degradation in degradations {
          let changed = try degradation.apply(to: original, &random, in: temporary.url)
          for wanted in Self.lengths where wanted <= length + 0.01 {
            let query = Self.landmarks(of: changed, seconds: wanted)
            var matcher = SoundMatcher(index, leastScore: leastScore)
            var found: [SoundMatch] = []
            tables.addTime(
              1_000 * (try BenchClock.processor.measure { found = try matcher.matches(of: query) }), seconds: wanted)
            tables.add(found, of: track, at: start, seconds: wanted, degradation, tolerance: Self.tolerance)
            try kept?.add(
              changed, seconds: wanted, of: track, at: start, degradation,
              found: found.first.map { (corpus.tracks[Int($0.recording.low)], $0.offsetInSeconds) })
            if let others = without[track.package] {
              var matcher = SoundMatcher(others, leastScore: leastScore)
              let found = try matcher.matches(of: query)
              tables.addOpen(found, seconds: wanted, degradation)
              if let match = found.first {
                let other = corpus.tracks[Int(match.recording.low)]
                FileHandle.standardError.write(
                  Data(
                    "false: \(track.path.displayString) at \(start) s, \(wanted) s, \(degradation.name): \(other.path.displayString), score \(match.score), \(match.matchedCount) of \(match.peakCount)\n"
                      .utf8))
              }
            }
          }
        }
      }
    }
    try kept?.writeTable()
    try report.write(tables.all)
  }

  private static func excerpt(of music: DecodedMusic, from start: Double, seconds: Double) -> Excerpt {
    let rate = Double(music.format.sampleRateInHz)
    let channelCount = music.format.channelCount
    let first = Int(start * rate)
    let count = min(Int(seconds * rate), music.samples.count / channelCount - first)
    var samples = [Float](repeating: 0, count: max(0, count))
    for frame in samples.indices {
      for channel in 0..<channelCount { samples[frame] += music.samples[(first + frame) * channelCount + channel] }
      samples[frame] /= Float(channelCount)
    }
    return Excerpt(samples: samples, sampleRateInHz: music.format.sampleRateInHz)
  }

  private static func landmarks(of excerpt: Excerpt, seconds: Double) -> ExcerptLandmarks {
    var analyzer = ExcerptAnalyzer(format: AudioFormat(sampleRateInHz: excerpt.sampleRateInHz, channelCount: 1))
    let count = min(excerpt.samples.count, Int(seconds * Double(excerpt.sampleRateInHz)))
    analyzer.consume(excerpt.samples.span.extracting(0..<count))
    return analyzer.finish()
  }
}

/// The results of `deadwax-bench sound`.
struct SoundTables {
  private struct Outcome {
    var found = Rate()
    var elsewhere = 0
    var wrong = 0
    var missed = 0
    var open = Rate()
  }

  private let lengths: [Double]
  private let degradations: [Degradation]
  private var outcomes: [String: Outcome] = [:]
  private var times: [Double: Samples] = [:]
  private var corpusTable = ResultTable(
    "corpus", title: "Corpus", columns: [.init("what", "what"), .init("value", "value")])

  init(_ lengths: [Double], _ degradations: [Degradation]) {
    self.lengths = lengths
    self.degradations = degradations
  }

  mutating func describe(_ corpus: SoundCorpus, _ index: SoundIndex) {
    let seconds = corpus.tracks.reduce(0) { $0 + $1.durationInSeconds }
    corpusTable.add([.text("tracks"), .count(corpus.tracks.count)])
    corpusTable.add([.text("packages"), .count(corpus.packages.count)])
    corpusTable.add([.text("hours"), .number(seconds / 3600, digits: 2)])
    corpusTable.add([.text("landmark bytes for 4 min"), .number(landmarkBytes(corpus) / seconds * 240, digits: 0)])
    corpusTable.add([.text("index bytes for 4 min"), .number(Double(index.byteCount) / seconds * 240, digits: 0)])
    corpusTable.add([.text("pairs a second"), .number(Double(index.postingCount) / seconds, digits: 1)])
  }

  private func landmarkBytes(_ corpus: SoundCorpus) -> Double {
    corpus.tracks.reduce(0) { $0 + Double($1.landmarks.count) }
  }

  mutating func addTime(_ milliseconds: Double, seconds: Double) {
    times[seconds, default: Samples()].add(milliseconds)
  }

  private func key(_ seconds: Double, _ degradation: Degradation) -> String { "\(degradation.name)/\(seconds)" }

  mutating func add(
    _ matches: [SoundMatch], of track: SoundCorpus.Track, at start: Double, seconds: Double, _ degradation: Degradation,
    tolerance: Double
  ) {
    let key = key(seconds, degradation)
    let best = matches.first
    let isTrack = best?.recording == track.hash
    let isThere = isTrack && abs((best?.offsetInSeconds ?? 0) - start) <= tolerance
    outcomes[key, default: Outcome()].found.add(isThere)
    if best == nil {
      outcomes[key]?.missed += 1
    } else if !isTrack {
      outcomes[key]?.wrong += 1
    } else if !isThere {
      outcomes[key]?.elsewhere += 1
    }
  }

  mutating func addOpen(_ matches: [SoundMatch], seconds: Double, _ degradation: Degradation) {
    outcomes[key(seconds, degradation), default: Outcome()].open.add(!matches.isEmpty)
  }

  var all: [ResultTable] { [corpusTable, recall, openSet, timeTable] }

  private var recall: ResultTable {
    var table = ResultTable(
      "recall", title: "Excerpts that are found within 0.1 s, in percent",
      columns: [
        .init("degradation", "degradation"), .init("seconds", "s"), .init("count", "n"), .init("found", "found"),
        .init("low", "from"), .init("high", "to"), .init("elsewhere", "elsewhere"), .init("wrong", "other track"),
        .init("missed", "not found"), .init("goal", "goal"),
      ])
    for degradation in degradations {
      for length in lengths {
        guard let outcome = outcomes[key(length, degradation)] else { continue }
        let interval = outcome.found.interval
        table.add([
          .text(degradation.name), .number(length, digits: 0), .count(outcome.found.total),
          .number(outcome.found.value.map { 100 * $0 }, digits: 1), .number(interval.map { 100 * $0.low }, digits: 1),
          .number(interval.map { 100 * $0.high }, digits: 1), .count(outcome.elsewhere), .count(outcome.wrong),
          .count(outcome.missed),
          .number(degradation.goal?.seconds == length ? degradation.goal.map { 100 * $0.recall } : nil, digits: 0),
        ])
      }
    }
    return table
  }

  private var openSet: ResultTable {
    var table = ResultTable(
      "open_set", title: "Excerpts of packages that are not in the index",
      columns: [
        .init("seconds", "s"), .init("count", "n"), .init("false", "false"), .init("percent", "percent"),
        .init("high", "at most"),
      ])
    for length in lengths {
      var rate = Rate()
      for degradation in degradations {
        rate.count += outcomes[key(length, degradation)]?.open.count ?? 0
        rate.total += outcomes[key(length, degradation)]?.open.total ?? 0
      }
      table.add([
        .number(length, digits: 0), .count(rate.total), .count(rate.count),
        .number(rate.value.map { 100 * $0 }, digits: 3), .number(rate.interval.map { 100 * $0.high }, digits: 3),
      ])
    }
    return table
  }

  private var timeTable: ResultTable {
    var table = ResultTable(
      "search_time", title: "Milliseconds of processor time of a search",
      columns: [.init("seconds", "s"), .init("median_ms", "median"), .init("largest_ms", "largest")])
    for length in lengths {
      table.add([
        .number(length, digits: 0), .number(times[length]?.median, digits: 2),
        .number(times[length]?.largest, digits: 1),
      ])
    }
    return table
  }
}

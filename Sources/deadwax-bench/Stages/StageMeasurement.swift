internal import AudioAnalysis
internal import AudioDecoding
internal import Base
internal import LibraryScanning
internal import LibraryTracks
internal import MediaModel
internal import MediaStore

/// Runs each stage of a scan alone, on the files of one codec.
struct StageMeasurement {
  let group: MusicGroup
  let repeatCount: Int
  /// Seconds of each file that are held in memory for the analysis.
  let keptSeconds: Double
  private(set) var times = StageTimes()
  /// What the store stage writes.
  private var extractions: [Extraction] = []
  private(set) var audioInSeconds = 0.0
  /// The part of `audioInSeconds` that is analysed.
  private var keptAudioInSeconds = 0.0

  init(group: MusicGroup, repeatCount: Int, keptSeconds: Double) {
    self.group = group
    self.repeatCount = repeatCount
    self.keptSeconds = keptSeconds
  }

  mutating func run() throws {
    for path in group.files { try OpenedFile.read(path) { try measure(&$0) } }
    try measureStore()
  }

  private mutating func measure(_ file: inout MediaFile) throws {
    // This also reads the file into the page cache.
    let identity = try file.identify()
    let music = try DecodedMusic(decoding: file, keeping: keptSeconds, hashesSamples: true)
    guard music.durationInSeconds > 0 else { return }
    audioInSeconds += music.durationInSeconds
    keptAudioInSeconds += music.keptSeconds

    var rounds = StageRounds()
    var reading = TagReading()
    var analysis: TrackAnalysis?
    for _ in 0..<repeatCount {
      try rounds.measure(StageName.tags) { reading = try file.readTags() }
      try rounds.measure(StageName.hash) { _ = try file.identify() }
      try rounds.measure(StageName.decode) {
        _ = try DecodedMusic(decoding: file, keeping: 0, hashesSamples: true)
      }
      for part in AnalysisPart.all {
        rounds.measure(StageName.part(part.name)) { part.run(over: music.samples.span, format: music.format) }
      }
      for kind in ProductKind.allCases {
        rounds.measure(StageName.product(kind.rawValue)) { _ = Self.analyse(music, [kind]) }
      }
      let all = Set(ProductKind.allCases)
      rounds.measure(StageName.allProducts) { analysis = Self.analyse(music, all) }
    }

    for name in rounds.names {
      let isOfWholeFile = [StageName.tags, StageName.hash, StageName.decode].contains(name)
      times.add(
        name, seconds: rounds.median(name),
        audioInSeconds: isOfWholeFile ? music.durationInSeconds : music.keptSeconds)
    }
    extractions.append(
      Extraction(
        state: .ok, format: music.mediaFormat, stream: identity, decoded: music.decodedStream, tags: reading.tags,
        artwork: reading.artwork, measures: analysis?.measures, products: analysis?.products ?? []))
  }

  private static func analyse(_ music: DecodedMusic, _ kinds: Set<ProductKind>) -> TrackAnalysis {
    var analyzer = TrackAnalyzer(
      format: music.format, kinds: kinds, expectedFrameCount: music.mediaFormat.declaredFrameCount ?? 0)
    analyzer.consume(music.samples.span)
    return analyzer.finish()
  }

  /// Writes all extractions into a new library.
  private mutating func measureStore() throws {
    var seconds = Samples()
    for _ in 0..<repeatCount {
      let folder = try TemporaryFolder()
      let library = folder.path.appending(BytePath("library.sqlite"))
      seconds.add(
        try BenchClock.processor.measure {
          let store = try MediaStore(at: library, access: .createIfMissing)
          let root = try store.roots.add(BytePath("/music"), volume: nil)
          let changes = extractions.indices.map { change($0, rootID: root.id) }
          // As many as a scan commits at once.
          for start in stride(from: 0, to: changes.count, by: 64) {
            try store.scans.apply(Array(changes[start..<min(start + 64, changes.count)]))
          }
          try store.close()
        })
    }
    times.add(StageName.store, seconds: seconds.median ?? 0, audioInSeconds: keptAudioInSeconds)
  }

  private func change(_ index: Int, rootID: Int64) -> FileChange {
    .extracted(
      FileRecord(
        rootID: rootID, path: BytePath("\(group.codec)/\(index)"),
        status: FileStatus(
          byteCount: 1, modificationTimeInNanoseconds: 1, changeTimeInNanoseconds: 1, inode: UInt64(index), device: 1),
        extraction: extractions[index], extractorVersion: 1))
  }
}

/// The names of stages.
enum StageName {
  static let tags = "tags"
  static let hash = "hash"
  static let decode = "decode"
  static let allProducts = "all products"
  static let store = "store"

  /// The stages of a first scan.
  static let ofScan = [tags, hash, decode, allProducts, store]

  static func part(_ name: String) -> String { "part: \(name)" }
  static func product(_ name: String) -> String { "product: \(name)" }
}

/// Processor seconds of named stages, in the order in which they were first measured.
struct StageTimes {
  struct Stage {
    let name: String
    /// The sum of the medians of all files.
    var seconds = 0.0
    /// The audio that `seconds` were spent on.
    var audioInSeconds = 0.0
  }

  private(set) var stages: [Stage] = []

  subscript(name: String) -> Stage? { stages.first { $0.name == name } }

  mutating func add(_ name: String, seconds: Double, audioInSeconds: Double) {
    let index = stages.firstIndex { $0.name == name } ?? stages.endIndex
    if index == stages.endIndex { stages.append(Stage(name: name)) }
    stages[index].seconds += seconds
    stages[index].audioInSeconds += audioInSeconds
  }
}

extension StageTimes.Stage {
  var secondsPerHour: Double? { audioInSeconds > 0 ? seconds / audioInSeconds * 3600 : nil }
}

/// Repeated times of the stages of one file.
struct StageRounds {
  /// In the order in which they were first measured.
  private(set) var names: [String] = []
  private var samples: [String: Samples] = [:]

  mutating func measure(_ name: String, _ body: () throws -> Void) rethrows {
    let seconds = try BenchClock.processor.measure(body)
    if samples[name] == nil { names.append(name) }
    samples[name, default: Samples()].add(seconds)
  }

  func median(_ name: String) -> Double { samples[name]?.median ?? 0 }
}

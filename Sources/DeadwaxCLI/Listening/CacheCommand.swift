internal import ArgumentParser
internal import Base
internal import DecodingService
internal import LibraryTracks

/// `deadwax cache`: tries out the cache of decoded segments.
struct CacheCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cache",
    abstract: "Replay a list of accesses through the cache of decoded segments and report hits and misses.",
    discussion: """
      Each line of the list is an access: start and end in seconds, then the track (an id, a path or a query). Empty \
      lines and lines that begin with # are skipped. With one job each access is reported: what came from the cache, \
      and what had to be decoded.

      Example: printf '278 280 17\\n278 280 17\\n' | deadwax cache --simulate -
      """,
    // For people who tune the cache.
    shouldDisplay: false)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var document: DocumentOptions
  @OptionGroup var cache: CacheOptions

  @Option(
    help: ArgumentHelp("The list of accesses; `-` is standard input.", valueName: "file"), completion: .file())
  var simulate: String

  @Option(name: .letter("j"), help: ArgumentHelp("Number of threads that read at once.", valueName: "n"))
  var jobs = 1

  func validate() throws {
    try ValidationError.require("jobs", jobs, in: 1...1024)
  }

  func run() throws {
    let lines = try Self.lines(of: simulate)
    let accesses = try library.reading { store in
      try lines.map { try SegmentAccess($0.bytes, line: $0.number, in: store) }
    }
    let cache = try cache.makeCache()
    let simulation = SegmentSimulation(accesses: accesses, cache: cache, jobCount: jobs)
    let tells = jobs == 1 && !document.isWanted && !output.quiet
    let frameCount = try simulation.run { access, statistics in
      guard tells else { return }
      try StandardOutput.line(
        "\(DecimalText.number(access.start.seconds, places: 3)) \(DecimalText.number(access.end.seconds, places: 3)) "
          + "\(access.track.recordingID): \(statistics)")
    }
    let statistics = cache.statistics
    if document.isWanted { return try document.write(Self.document(statistics, accesses.count, frameCount)) }
    try StandardOutput.line(
      "\(accesses.count) \(accesses.count == 1 ? "access" : "accesses"): \(statistics), "
        + "\(NumberText.size(Int64(statistics.byteCount))) of \(NumberText.size(Int64(statistics.capacityInBytes)))")
    if output.verbose { StandardError.line(cache.debugDescription) }
  }

  private static func document(
    _ statistics: SegmentCacheStatistics, _ accessCount: Int, _ frameCount: Int64
  ) -> JSONValue {
    .object([
      "schema": .integer(1),
      "accesses": .integer(accessCount),
      "frames": .integer(frameCount),
      "hits": .integer(statistics.hitCount),
      "misses": .integer(statistics.missCount),
      "waits": .integer(statistics.waitCount),
      "evictions": .integer(statistics.evictionCount),
      "segments": .integer(statistics.segmentCount),
      "bytes": .integer(statistics.byteCount),
      "peak_bytes": .integer(statistics.peakByteCount),
      "peak_bytes_with_readers": .integer(statistics.peakExistingByteCount),
      "capacity_bytes": .integer(statistics.capacityInBytes),
    ])
  }

  /// The lines that are neither empty nor comments, with their numbers, trimmed.
  private static func lines(of file: String) throws -> [(number: Int, bytes: [UInt8])] {
    let input = try InputFile.bytes(of: BytePath(argument: file), limit: 1 << 30)
    return input.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated().compactMap {
      let line = $0.element.drop(while: SegmentAccess.isBlank).reversed().drop(while: SegmentAccess.isBlank).reversed()
      return line.isEmpty || line.first == UInt8(ascii: "#") ? nil : ($0.offset + 1, Array(line))
    }
  }
}

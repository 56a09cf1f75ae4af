import Foundation
import Fuzzing
import Testing
import TestSupport

/// Files that were changed at random, read by real workers: each gets a state, and neither the scan nor the library fails.
///
/// Hours of it: `make fuzz-scan SECONDS=3600`.
@Suite(.serialized, .enabled(if: LibraryDump.isPossible, "\(LibraryDump.absence)"))
struct MutatedMusicTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let seconds = environment["DEADWAX_FUZZ_SECONDS"].flatMap { Double($0) } ?? 0
  private static let firstSeed = environment["DEADWAX_FUZZ_SEED"].flatMap { UInt64($0) } ?? 1
  private static let fileCount = seconds > 0 ? 200 : 60
  /// Longer files are cut, or decoding would take all the time.
  private static let maximumByteCount = 112 << 10
  private static let endings: Set = [
    "aac", "ac3", "aiff", "amr", "au", "awb", "bit", "caf", "dsf", "dts", "eac3", "flac", "m4a", "m4b", "mka", "mkv",
    "mod", "mp2", "mp3", "mpc", "oga", "ogg", "opus", "rf64", "spx", "tta", "w64", "wav", "webm", "wma", "wv", "xm",
  ]

  /// Every audio file that there is: fixtures, and the material beside the project.
  private static func sources() throws -> [(name: String, bytes: [UInt8])] {
    let fixtures = ["audio", "damaged", "encoded", "formats"].map { Corpora.fixtures.appending(path: $0) }
    let others = ["hostile", "flac", "mp3-vectors", "tags"].compactMap { Corpora.root?.appending(path: $0) }
    return try (fixtures + others).flatMap { folder in
      let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      return try names.sorted().filter { endings.contains(URL(filePath: $0).pathExtension.lowercased()) }.map { name in
        let file = try FileHandle(forReadingFrom: folder.appending(path: name))
        defer { try? file.close() }
        return (name, [UInt8](try file.read(upToCount: maximumByteCount) ?? Data()))
      }
    }
  }

  @Test func `a scan of files that were changed at random ends, with a state for each`() async throws {
    let sources = try Self.sources()
    let start = ContinuousClock.now
    var seed = Self.firstSeed
    var counts: [String: Int] = [:]
    repeat {
      for (state, count) in try await scan(sources, seed: seed) { counts[state, default: 0] += count }
      seed += 1
    } while ContinuousClock.now - start < .seconds(Self.seconds)
    if Self.seconds > 0 {
      print("scans \(seed - Self.firstSeed), files by state: \(counts.sorted { $0.key < $1.key })")
    }
    #expect(counts.values.reduce(0, +) > 0)
  }

  /// The number of files by state.
  private func scan(_ sources: [(name: String, bytes: [UInt8])], seed: UInt64) async throws -> [String: Int] {
    var random = RepeatableRandom(seed: seed)
    let music = try MusicFolder()
    // Without its mark a module is a file like others of this name: a list of Go's, a film of a camera.
    var moduleCount = 0
    for number in 0..<Self.fileCount {
      let source = try #require(sources.randomElement(using: &random))
      var mutation = Mutation(of: [source.bytes], seed: random.next())
      let ending = URL(filePath: source.name).pathExtension.lowercased()
      try music.write(mutation.next(), to: "\(number).\(ending == "bit" ? "mp3" : ending)")
      moduleCount += ending == "mod" ? 1 : 0
    }
    let deadwax = try DeadwaxCommand()
    let outcome = try await deadwax.run(["scan", "--json", "--deadline", "2", music.path])
    #expect(outcome.status == 0, "seed \(seed): \(outcome)")
    let tracks = try await deadwax.run(["ls", "--format", "jsonl", "--fields", TrackRow.fields])
      .lines(TrackRow.self)
    let named = tracks.filter { !$0.path.hasSuffix(".mod") }
    #expect(Set(named.map(\.path)).count == Self.fileCount - moduleCount, "seed \(seed)")
    #expect(Set(tracks.map(\.path)).count == tracks.count && tracks.count <= Self.fileCount, "seed \(seed)")
    #expect(!tracks.contains { $0.state == "pending" || $0.state == "missing" }, "seed \(seed)")
    let doctor = try await deadwax.run(["doctor", "--deep"])
    #expect(doctor.status == 0 && doctor.text.contains(": intact"), "seed \(seed): \(doctor)")
    let again = try await deadwax.run(["scan", "--json", "--deadline", "2", music.path])
    let report = try again.document(ScanDocument.self)
    #expect(
      report.decoded_files == 0 && report.new + report.changed + report.moved + report.missing == 0, "seed \(seed)")
    return Dictionary(tracks.map { ($0.state, 1) }, uniquingKeysWith: +)
  }
}

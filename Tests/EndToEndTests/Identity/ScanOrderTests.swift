import Foundation
import TestSupport
import Testing

/// What a scan stores does not depend on the order of the files, on the number of workers, or on which copy came first.
@Suite(.enabled(if: LibraryDump.isPossible, "\(LibraryDump.absence)"))
struct ScanOrderTests {
  private static let seed = TestSize.seed(50)

  private let copies: HostileCopies
  private let music: MusicFolder
  private let aside: MusicFolder

  init() throws {
    copies = try HostileCopies()
    music = try MusicFolder()
    aside = try MusicFolder()
    for (name, file) in copies.files { try music.write(file.bytes, to: name) }
  }

  /// Gives each file a name whose start is random, so that the folder is walked in another order.
  private func shuffle(_ prefixes: [String: String], _ random: inout RepeatableRandom) throws -> [String: String] {
    var new: [String: String] = [:]
    for name in copies.files.keys.sorted() {
      let prefix = "\(random.next() % 900_000 + 100_000)q\(random.next() % 900_000 + 100_000)_"
      try music.move((prefixes[name] ?? "") + name, to: prefix + name)
      new[name] = prefix
    }
    return new
  }

  /// The rows and states without the starts of names.
  private func result(
    of deadwax: DeadwaxCommand, _ prefixes: [String: String]
  ) async throws -> (dump: LibraryDump, states: [String: String]) {
    var dump = try await LibraryDump(deadwax)
    let texts = prefixes.values.map { ($0, $0.utf8.map { String($0, radix: 16, uppercase: true) }.joined()) }
    dump.lines = Set(
      dump.lines.map { line in
        guard line.hasPrefix("file"), let (text, hex) = texts.first(where: { line.contains($0.0) }) else { return line }
        return line.replacing(text, with: "").replacing(hex, with: "")
      })
    let states = try await Decisions(deadwax).files.values.map { file in
      (file.path.split(separator: "_", maxSplits: 1).last.map(String.init) ?? file.path, file.state)
    }
    return (dump, Dictionary(states, uniquingKeysWith: { first, _ in first }))
  }

  /// Scans in two or three steps, each with more of the files.
  private func scanInSteps(_ deadwax: DeadwaxCommand, _ jobs: Int, _ random: inout RepeatableRandom) async throws {
    var rest = try FileManager.default.contentsOfDirectory(atPath: music.path).sorted().shuffled(using: &random)
    for name in rest { try FileManager.default.moveItem(at: music.file(name), to: aside.file(name)) }
    while !rest.isEmpty {
      let count = min(rest.count, Int.random(in: 8...25, using: &random))
      for name in rest.prefix(count) { try FileManager.default.moveItem(at: aside.file(name), to: music.file(name)) }
      rest.removeFirst(count)
      try await deadwax.must(["scan", "--jobs", "\(jobs)", music.path])
    }
  }

  @Test func `fifty scans of contradictory copies, shuffled, by one, two and five workers, store the same rows`()
    async throws
  {
    var random = RepeatableRandom(seed: Self.seed)
    var prefixes: [String: String] = [:]
    var first: LibraryDump?
    for trial in 0..<TestSize.count(12, slow: 50) {
      prefixes = try shuffle(prefixes, &random)
      let jobs = [1, 2, 5][trial % 3]
      let deadwax = try DeadwaxCommand()
      if trial % 4 == 3 {
        try await scanInSteps(deadwax, jobs, &random)
      } else {
        try await deadwax.must(["scan", "--jobs", "\(jobs)", music.path])
      }
      let (dump, states) = try await result(of: deadwax, prefixes)
      for (name, file) in copies.files.sorted(by: { $0.key < $1.key }) {
        #expect(
          file.state.split(separator: "|").contains { $0 == states[name] ?? "" },
          "trial \(trial), \(jobs) workers, \(name): \(states[name] ?? "no row")")
      }
      let expected = first ?? dump
      #expect(
        dump == expected, "seed \(Self.seed), trial \(trial), \(jobs) workers: \(dump.difference(from: expected))")
      first = expected
    }
  }

  @Test func `copies of one sound are one recording, and other sounds are not`() async throws {
    let deadwax = try DeadwaxCommand()
    try await deadwax.must(["scan", music.path])
    let hashes = try await Decisions(deadwax).files.mapValues(\.hash)
    let whole = [
      "whole.flac", "checksum.flac", "wrong checksum.flac", "count unknown.flac", "count too high.flac",
      "count too low.flac", "whole.wav", "open.wav", "open with tags.wav", "zero with tags.wav", "whole.rf64",
      "whole.w64", "whole.oga",
    ]
    for name in whole { #expect(hashes[name] == hashes["whole.flac"], "\(name)") }
    for name in ["trimmed.ogg", "last too large.ogg", "reversed.ogg"] {
      #expect(hashes[name] == hashes["whole.ogg"], "\(name)")
    }
    for name in ["trimmed.opus", "last too large.opus", "reversed.opus", "more skipped.opus", "gain.opus"] {
      #expect(hashes[name] == hashes["whole.opus"], "\(name)")
    }
    for name in ["without LAME.mp3", "junk-before.mp3", "tags-behind.mp3"] {
      #expect(hashes[name] == hashes["clean.mp3"], "\(name)")
    }
    for ending in ["ogg", "opus"] {
      for name in ["page missing", "cut", "cut in a page"] {
        #expect(hashes["\(name).\(ending)"] != hashes["whole.\(ending)"], "\(name)")
      }
    }
    for (name, other) in [
      ("other rate.flac", "whole.flac"), ("other rate.ogg", "whole.ogg"), ("truncated.wav", "whole.wav"),
      ("last block missing.flac", "whole.flac"), ("cut.mp3", "clean.mp3"),
    ] { #expect(hashes[name] != hashes[other], "\(name)") }
  }
}

import Foundation
import Testing
import TestSupport

/// Files made to hang, crash or mislead among good ones: each gets its state, the good ones are read, and the next scan
/// does not open the bad ones again.
@Suite(
  .serialized,
  .enabled(if: Corpora.root != nil, "\(Corpora.absence)"),
  .enabled(if: LibraryDump.isPossible, "\(LibraryDump.absence)"))
struct HostileFoldersTests {
  /// The states that each file of shared/corpora/hostile may get; `trunc.ogg` is whole, in spite of its name.
  private static let states: [String: Set<String>] = [
    "ch0.wav": ["damaged"], "ch65535.wav": ["damaged"], "chain.ogg": ["ok", "damaged"], "deep.m4a": ["crashed"],
    "hang.wv": ["timeout"], "hole.ogg": ["damaged"], "hugeclaim.flac": ["damaged", "empty"],
    "hugeclaim.wav": ["ok", "damaged"], "id3huge.mp3": ["damaged", "empty", "unsupported"],
    "junk100k.mp3": ["ok", "damaged"], "midjunk.mp3": ["ok", "damaged"], "nan.wav": ["ok"], "noxing.mp3": ["ok"],
    "noxing_vbr.mp3": ["ok"], "rate0.flac": ["damaged"], "sr0.wav": ["damaged"], "srmax.wav": ["damaged"],
    "trunc.flac": ["damaged"], "trunc.mp3": ["damaged"], "trunc.ogg": ["ok"],
    "zero.xm": ["damaged", "timeout"], "zeros.mp3": ["damaged", "empty", "unsupported"],
  ]

  private struct Scanned: Sendable {
    var deadwax: DeadwaxCommand
    var music: MusicFolder
    /// What was decided before the scan.
    var users: UserDump
    var outcome: CommandOutcome
    /// By name below the folder.
    var states: [String: String]
    var problems: [String: ProblemRow]
  }

  private static let options = ["--deadline", "2"]

  private static let scanned = Task {
    let music = try MusicFolder("damaged", "audio", "formats")
    let hostile = try #require(Corpora.root).appending(path: "hostile")
    for name in try FileManager.default.contentsOfDirectory(atPath: hostile.path) {
      try music.add(hostile.appending(path: name), as: "hostile/\(name)")
    }
    try music.write([], to: "hostile/zeros.mp3")
    let zeros = try FileHandle(forWritingTo: music.file("hostile/zeros.mp3"))
    try zeros.truncate(atOffset: 4 << 30)
    try zeros.close()

    let deadwax = try DeadwaxCommand()
    let users = try await deadwax.decide()
    let outcome = try await deadwax.run(["scan", "--json", music.path] + options)
    let list = try await deadwax.run(["ls", "--format", "jsonl", "--fields", TrackRow.fields])
    let problems = try await deadwax.run(["problems", "--jsonl"])
    func name(_ path: String) -> String { path.replacing(music.path + "/", with: "", maxReplacements: 1) }
    return Scanned(
      deadwax: deadwax, music: music, users: users, outcome: outcome,
      states: try Dictionary(
        list.lines(TrackRow.self).map { (name($0.path), $0.state) }, uniquingKeysWith: { first, _ in first }),
      problems: try Dictionary(
        problems.lines(ProblemRow.self).map { (name($0.path), $0) }, uniquingKeysWith: { first, _ in first }))
  }

  @Test func `the scan succeeds`() async throws {
    let outcome = try await Self.scanned.value.outcome
    #expect(outcome.status == 0, "\(outcome)")
  }

  // Faults: 30
  @Test(arguments: states.keys.sorted())
  func `a hostile file has the state that fits it, with a reason`(name: String) async throws {
    let scanned = try await Self.scanned.value
    let state = try #require(scanned.states["hostile/\(name)"])
    #expect(Self.states[name]?.contains(state) == true, "\(state)")
    if state != "ok" { #expect(scanned.problems["hostile/\(name)"]?.reason?.isEmpty == false) }
  }

  @Test func `every file of the folder is among those that were judged`() async throws {
    let scanned = try await Self.scanned.value
    let names = scanned.states.keys.filter { $0.hasPrefix("hostile/") }.map { String($0.dropFirst(8)) }
    #expect(Set(names) == Set(Self.states.keys))
  }

  // Faults: 28, 29, 31, 78
  @Test(arguments: [("deep.m4a", "signal 11"), ("hang.wv", "no progress"), ("zeros.mp3", "no audio frame")])
  func `the reason says what happened`(name: String, reason: String) async throws {
    let problem = try #require(try await Self.scanned.value.problems["hostile/\(name)"])
    #expect(problem.reason?.contains(reason) == true, "\(problem.reason ?? "")")
    // One that shows no progress is tried a second time, alone.
    #expect(problem.attempts == (name == "hang.wv" ? 2 : 1))
  }

  // Faults: 28, 29
  @Test(arguments: ExpectedFile.all)
  func `a file beside them is read as if they were not there`(file: ExpectedFile) async throws {
    let state = try #require(try await Self.scanned.value.states[file.path])
    #expect(file.states.contains(state))
  }

  // Faults: 3
  @Test func `the next scan opens none of them again`() async throws {
    let scanned = try await Self.scanned.value
    let clock = ContinuousClock()
    let start = clock.now
    let again = try await scanned.deadwax.run(["scan", "--json", "--deadline", "600", scanned.music.path])
    // One that hangs would have cost ten minutes.
    #expect(clock.now - start < .seconds(300))
    let report = try again.document(ScanDocument.self)
    #expect(report.decoded_files == 0)
    #expect(report.unchanged == report.found)
    #expect(report.problems == scanned.problems.count)
    #expect(report.new + report.changed + report.moved + report.missing == 0)
  }

  @Test func `a strict scan counts them`() async throws {
    let scanned = try await Self.scanned.value
    let outcome = try await scanned.deadwax.run(["scan", "--strict", "--json", scanned.music.path])
    #expect(outcome.status == 3)
    #expect(try outcome.document(ScanDocument.self).problems == scanned.problems.count)
  }

  @Test func `the library is as sound as that of a harmless folder`() async throws {
    let scanned = try await Self.scanned.value
    try await Invariants(scanned.music.url, options: Self.options).check(scanned.deadwax, users: scanned.users)
  }
}

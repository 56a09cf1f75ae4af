import Foundation
import Glibc
import Testing
import TestSupport

// Faults: 51
/// Calls that fail, and kills at any call, while music is written or made what it was: each file is the old or the new one, whole,
/// and the next start of the command knows which.
@Suite(.serialized, .enabled(if: CallTracer.isPossible, "\(CallTracer.absence)"))
struct InterruptedWritesTests {
  private static let fixtures = [
    "damaged/clean.mp3", "audio/Émilie Søndergård/Les Échos/01 Marée lente.flac",
    "audio/星屑電機/夜の配線/01 真空管.ogg", "formats/Every Connector/01 Barrel.m4a",
  ]

  private let deadwax: DeadwaxCommand
  private let music: MusicFolder
  /// Each file as it was, and as it is with the cover.
  private let (old, new): ([String: Data], [String: Data])
  // One file at once: so all calls are in the first thread, in the same order each time.
  private let write = ["artwork", "embed", "--all", "--file", "cover.png", "--yes", "-q", "-j", "1"]
  private let undo = ["tags", "undo", "-q", "-j", "1"]

  init() async throws {
    deadwax = try DeadwaxCommand()
    music = try MusicFolder()
    for (number, fixture) in Self.fixtures.enumerated() {
      try music.add(fixture: fixture, as: "\(number)." + (fixture.split(separator: ".").last ?? ""))
    }
    try await deadwax.must(["scan", "-q", music.path])
    // What is embedded has to be a picture that can be decoded.
    try await deadwax.must(["waveform", "1", "-o", "cover.png", "-w", "400", "-h", "300"])
    old = try Self.contents(music)
    try await deadwax.must(write)
    new = try Self.contents(music)
    try await deadwax.must(undo)
    try #require(old.count == Self.fixtures.count && old.allSatisfy { new[$0.key] != $0.value })
    try #require(try Self.contents(music) == old)
  }

  private static func contents(_ music: MusicFolder) throws -> [String: Data] {
    try FileManager.default.contentsOfDirectory(atPath: music.path).reduce(into: [:]) {
      $0[$1] = try Data(contentsOf: music.file($1))
    }
  }

  private func files() throws -> [String: Data] { try Self.contents(music).filter { !$0.key.hasPrefix(".") } }

  /// Whether each file is the old or the new one.
  private func expectWhole(_ what: String) throws {
    let found = try files()
    #expect(Set(found.keys) == Set(old.keys), "\(what)")
    for (name, bytes) in found { #expect(bytes == old[name] || bytes == new[name], "\(what): \(name)") }
  }

  /// Lets the next start settle everything, and compares what it knows with the files.
  private func settle(_ what: String) async throws {
    struct Scan: Decodable { var changed, decoded_files, missing, new: Int }
    let outcome = try await deadwax.run(["scan", "--json", music.path])
    let scan: Scan = try outcome.document()
    #expect(outcome.status == 0 && scan.decoded_files == 0 && scan.missing == 0 && scan.new == 0, "\(what): \(outcome)")
    let found = try Self.contents(music)
    #expect(Set(found.keys) == Set(old.keys), "\(what): something is left beside the files: \(found.keys.sorted())")
    #expect(
      try await deadwax.sqlite("SELECT count(*) FROM file_change_part WHERE state IN ('planned', 'undoing', 'foreign')")
        == "0",
      "\(what)")
    let written = try await deadwax.sqlite(
      "SELECT count(DISTINCT path) FROM file_change_part WHERE state = 'done'")
    #expect(written == "\(found.filter { new[$0.key] == $0.value }.count)", "\(what)")
    let covers = try await deadwax.sqlite("SELECT count(DISTINCT file_id) FROM file_artwork WHERE picture_type = 3")
    #expect(
      try await deadwax.must(["scan", "--json", music.path]).document(Scan.self).changed == 0, "\(what): \(covers)")
  }

  /// Brings all files back.
  private func undoAll() async throws {
    while try files() != old {
      let outcome = try await deadwax.run(undo)
      guard outcome.status == 0 else { throw UnexpectedOutcome(outcome) }
    }
  }

  /// How often the command makes a call in its first thread.
  private func count(of call: String, _ arguments: [String]) async throws -> Int {
    let log = deadwax.home.appending("calls")
    _ = try await deadwax.run(
      executable: CallTracer.executable,
      ["-qq", "-o", log.path, "-e", "trace=\(call)", "-e", "signal=none", DeadwaxCommand.executable.path] + arguments)
    return try String(contentsOf: log, encoding: .utf8).split(separator: "\n").count { $0.hasPrefix(call + "(") }
  }

  private func inject(_ what: String, into call: String, at number: Int, _ arguments: [String]) async throws -> (
    outcome: CommandOutcome, wasHit: Bool
  ) {
    let log = deadwax.home.appending("calls")
    let outcome = try await deadwax.run(
      executable: CallTracer.executable,
      [
        "-qq", "-o", log.path, "-e", "trace=\(call)", "-e", "signal=none", "-e",
        "inject=\(call):\(what):when=\(number)",
        DeadwaxCommand.executable.path,
      ] + arguments)
    let lines = try String(contentsOf: log, encoding: .utf8)
    return (outcome, lines.contains("(INJECTED)") || outcome.status == 128 + SIGKILL)
  }

  private static let calls = [
    "openat", "pwrite64", "pread64", "fsync", "fdatasync", "renameat2", "unlinkat", "copy_file_range", "fchmod",
    "sendmsg",
    "close",
  ]

  @Test func `a kill at any call leaves whole files, and rows that the next start settles`() async throws {
    var random = RepeatableRandom(seed: TestSize.seed(491))
    var hitCount = 0
    for isUndo in [false, true] {
      if isUndo { try await deadwax.must(write) }
      let arguments = isUndo ? undo : write
      var counts: [String: Int] = [:]
      for call in Self.calls {
        counts[call] = try await count(of: call, arguments)
        if isUndo { try await deadwax.must(write) } else { try await undoAll() }
      }
      for round in 0..<TestSize.count(6, slow: 1000) {
        let call = Self.calls[round % Self.calls.count]
        guard let count = counts[call], count > 0 else { continue }
        let number = Int.random(in: 1...count, using: &random)
        let run = try await inject("signal=KILL", into: call, at: number, arguments)
        let what = "\(arguments[1]), killed at \(call) \(number)"
        hitCount += run.wasHit ? 1 : 0
        try expectWhole(what)
        try await settle(what)
        try await undoAll()
        if isUndo { try await deadwax.must(write) }
      }
    }
    #expect(hitCount > 6)
    #expect(try await deadwax.run(["doctor", "--deep"]).status == 0)
  }

  @Test(arguments: [
    ("pwrite64", "error=ENOSPC"), ("copy_file_range", "error=ENOSPC"), ("copy_file_range", "error=EXDEV"),
    ("fsync", "error=EIO"), ("pread64", "error=EIO"), ("renameat2", "error=EIO"), ("renameat2", "error=EINVAL"),
    ("unlinkat", "error=EIO"), ("fchmod", "error=EPERM"), ("openat", "error=EACCES"), ("fdatasync", "error=EIO"),
  ])
  func `a call that fails leaves whole files`(call: String, fault: String) async throws {
    var hitCount = 0
    let total = try await count(of: call, write)
    try await undoAll()
    let step = max(1, total / TestSize.count(2, slow: 60))
    for number in stride(from: 1, through: total, by: step) {
      let run = try await inject(fault, into: call, at: number, write)
      hitCount += run.wasHit ? 1 : 0
      let what = "\(call) \(number) \(fault): \(run.outcome)"
      try expectWhole(what)
      #expect(!run.outcome.errorText.contains("internal error"), "\(what)")
      try await settle(what)
      try await undoAll()
    }
    #expect(hitCount > 0)
  }

  @Test func `a file that somebody changes while it is written stays theirs`() async throws {
    // Held up right before the exchange, time enough to change a file.
    let log = deadwax.home.appending("calls")
    let run = try deadwax.start(
      executable: CallTracer.executable,
      [
        "-qq", "-o", log.path, "-e", "trace=renameat2", "-e", "signal=none", "-e",
        "inject=renameat2:delay_enter=1500000:when=1", DeadwaxCommand.executable.path,
      ] + write)
    var isHeld = false
    for _ in 0..<600 where !isHeld {
      try await Task.sleep(for: .milliseconds(20))
      isHeld = try FileManager.default.contentsOfDirectory(atPath: music.path).count == 2 * Self.fixtures.count
    }
    try #require(isHeld)
    try await Task.sleep(for: .milliseconds(100))
    let theirs = Data("mine now".utf8)
    for name in old.keys {
      let file = try FileHandle(forWritingTo: music.file(name))
      try file.write(contentsOf: theirs)
      try file.close()
    }
    let outcome = try await run.outcome()
    #expect(outcome.errorText.contains("[changed]"), "\(outcome)")
    let found = try Self.contents(music)
    #expect(Set(found.keys) == Set(old.keys))
    for (name, bytes) in found { #expect(bytes.starts(with: theirs), "\(name)") }
  }

  @Test func `what is neither the old nor the new file is told, and not touched`() async throws {
    // Killed after the exchange, before anything is stored.
    let run = try await inject("signal=KILL", into: "unlinkat", at: 1, write)
    try #require(run.wasHit)
    let names = try Self.contents(music)
    let changed = try #require(names.first { new[$0.key] == $0.value }).key
    try Data("somebody else's".utf8).write(to: music.file(changed))
    let outcome = try await deadwax.run(["scan", "-q", music.path])
    #expect(outcome.errorText.contains("was being written when the command was killed"), "\(outcome)")
    #expect(try Data(contentsOf: music.file(changed)) == Data("somebody else's".utf8))
    #expect(try await deadwax.sqlite("SELECT count(*) FROM file_change_part WHERE state = 'foreign'") == "1")
    // It is told once, and what was the old file is still beside it.
    #expect(try await deadwax.run(["scan", "-q", music.path]).errorText.isEmpty)
    #expect(try Self.contents(music).contains { $0.key.hasPrefix(".deadwax-") && $0.value == old[changed] })
  }
}

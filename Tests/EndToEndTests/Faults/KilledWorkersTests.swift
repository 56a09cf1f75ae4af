import Foundation
import Glibc
import Testing
import TestSupport

/// A worker that dies or stops costs at most its file, never the scan or another file.
@Suite(.serialized)
struct KilledWorkersTests {
  private let deadwax: DeadwaxCommand
  private let music: MusicFolder

  /// Processor time after which a worker must be in the long file: the short ones take a few milliseconds.
  private static let isInLongFile = 0.25

  /// An hour of silence between short files; one worker reads them in the order of their names.
  init() throws {
    deadwax = try DeadwaxCommand()
    music = try MusicFolder()
    try music.add(fixture: "damaged/clean.mp3", as: "a.mp3")
    try music.addSilence(seconds: 3600, as: "m.wav")
    try music.add(fixture: "damaged/length-unknown.flac", as: "z.flac")
  }

  private func states() async throws -> [String: String] {
    let list = try await deadwax.run(["ls", "--format", "jsonl", "--fields", TrackRow.fields])
    return try Dictionary(
      list.lines(TrackRow.self).map { (URL(filePath: $0.path).lastPathComponent, $0.state) },
      uniquingKeysWith: { first, _ in first })
  }

  private func problem() async throws -> ProblemRow? {
    try await deadwax.run(["problems", "--jsonl"]).lines(ProblemRow.self).first { $0.path.hasSuffix("m.wav") }
  }

  // Faults: 75
  @Test func `a file whose worker is killed once is read by another worker`() async throws {
    let scan = try deadwax.start(["scan", "--jobs", "1", "--json", music.path])
    let worker = try #require(try await scan.worker(after: Self.isInLongFile))
    kill(worker.processID, SIGKILL)
    let outcome = try await scan.outcome()
    #expect(outcome.status == 0, "\(outcome)")
    #expect(try outcome.document(ScanDocument.self).decoded_files == 3)
    #expect(try await states() == ["a.mp3": "ok", "m.wav": "ok", "z.flac": "ok"])
  }

  // Faults: 75
  @Test func `a file whose worker is killed every time is given up after three attempts`() async throws {
    let scan = try deadwax.start(["scan", "--jobs", "1", "--json", music.path])
    var killedCount = 0
    while let worker = try await scan.worker(after: Self.isInLongFile) {
      kill(worker.processID, SIGKILL)
      killedCount += 1
      while ProcessTable.isRunning(worker.processID) { try await Task.sleep(for: .milliseconds(5)) }
    }
    let outcome = try await scan.outcome()
    #expect(outcome.status == 0, "\(outcome)")
    #expect(killedCount == 3)
    #expect(try await states() == ["a.mp3": "ok", "m.wav": "crashed", "z.flac": "ok"])
    let problem = try #require(try await problem())
    #expect(problem.reason?.contains("signal 9") == true)
    #expect(problem.attempts == 3)

    let again = try await deadwax.run(["scan", "--json", music.path]).document(ScanDocument.self)
    #expect(again.decoded_files == 0)
    #expect(again.unchanged == 3)
    #expect(again.problems == 1)
  }

  // Faults: 76
  @Test func `a file whose worker crashes is not tried again in the same scan`() async throws {
    let scan = try deadwax.start(["scan", "--jobs", "1", "--json", music.path])
    let worker = try #require(try await scan.worker(after: Self.isInLongFile))
    kill(worker.processID, SIGSEGV)
    let outcome = try await scan.outcome()
    #expect(outcome.status == 0, "\(outcome)")
    #expect(try await states() == ["a.mp3": "ok", "m.wav": "crashed", "z.flac": "ok"])
    #expect(try await problem()?.attempts == 1)
    #expect(try await problem()?.reason?.contains("signal 11") == true)
  }

  // Faults: 78, 153
  @Test(.timeLimit(.minutes(1)))
  func `a worker that is stopped for longer than the deadline reads its file`() async throws {
    let scan = try deadwax.start(["scan", "--jobs", "1", "--deadline", "1", music.path])
    let worker = try #require(try await scan.worker(after: Self.isInLongFile))
    kill(worker.processID, SIGSTOP)
    try await Task.sleep(for: .seconds(4))
    kill(worker.processID, SIGCONT)
    let outcome = try await scan.outcome()
    #expect(outcome.status == 0, "\(outcome)")
    #expect(try await states() == ["a.mp3": "ok", "m.wav": "ok", "z.flac": "ok"])
  }

  @Test func `a worker has no descriptor that the scan was started with, and stands back`() async throws {
    let scan = try deadwax.start(
      executable: URL(filePath: "/bin/sh"),
      [
        "-c", "exec 9< /etc/passwd; exec \"$0\" \"$@\"", DeadwaxCommand.executable.path, "scan", "--jobs", "1",
        music.path,
      ])
    let worker = try #require(try await scan.worker(after: Self.isInLongFile))
    let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(worker.processID)/fd")
    // Standard streams, the socket, the file.
    #expect(names.compactMap { Int($0) }.sorted() == [0, 1, 2, 3, 4])
    // It runs at a lower priority than what users wait for.
    let processes = __priority_which_t(PRIO_PROCESS.rawValue)
    #expect(
      getpriority(processes, id_t(worker.processID)) == min(19, getpriority(processes, id_t(scan.processID)) + 10))
    #expect(try await scan.outcome().status == 0)
  }

  @Test func `workers that are killed while they have nothing to do end no scan`() async throws {
    for number in 0..<6 { try music.addSilence(seconds: 1 + number, as: "short\(number).wav") }
    let scan = try deadwax.start(["scan", "--jobs", "8", "--json", music.path])
    let busy = try #require(try await scan.worker(after: Self.isInLongFile))
    let idle = scan.workers.filter { $0.processID != busy.processID }
    #expect(idle.count >= 5)
    for worker in idle { kill(worker.processID, SIGKILL) }
    let outcome = try await scan.outcome()
    #expect(outcome.status == 0, "\(outcome)")
    #expect(try outcome.document(ScanDocument.self).decoded_files == 9)
    #expect(try await states().values.allSatisfy { $0 == "ok" })
  }
}

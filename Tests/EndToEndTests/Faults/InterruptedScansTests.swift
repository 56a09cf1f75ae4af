import Foundation
import Glibc
import Testing
import TestSupport

/// A scan that is asked to stop does so soon, says so, and keeps what it has done.
@Suite(.serialized)
struct InterruptedScansTests {
  private let deadwax: DeadwaxCommand
  private let music: MusicFolder
  private let users: UserDump

  init() async throws {
    deadwax = try DeadwaxCommand()
    music = try MusicFolder("damaged/clean.mp3")
    try music.addSilence(seconds: 1800, as: "long.wav")
    users = try await deadwax.decide()
  }

  /// Starts a scan and waits until it is in the middle of the long file.
  private func startScan() async throws -> RunningCommand {
    let scan = try deadwax.start(["scan", "--jobs", "1", "--json", music.path])
    try #require(try await scan.worker(after: 0.25) != nil)
    return scan
  }

  // Faults: 79
  @Test(.enabled(if: LibraryDump.isPossible, "\(LibraryDump.absence)"), arguments: [SIGINT, SIGTERM, SIGHUP])
  func `a signal ends the scan, with its number in the status`(signal: Int32) async throws {
    let invariants = try Invariants(music.url)
    let scan = try await startScan()
    let start = ContinuousClock().now
    scan.send(signal)
    let outcome = try await scan.outcome()
    #expect(await scan.endInstant - start < .seconds(20))
    #expect(outcome.status == 128 + signal, "\(outcome)")
    #expect(scan.workers.isEmpty)
    let report = try outcome.document(ScanDocument.self)
    #expect(report.interrupted && report.unread_files == 1)

    // The short file was done before, and is not read again.
    let next = try await deadwax.run(["scan", "--json", music.path]).document(ScanDocument.self)
    #expect(next.decoded_files == 1)
    #expect(next.unchanged == 1)
    try await invariants.check(deadwax, users: users)
  }

  // Faults: 79
  @Test(.enabled(if: LibraryDump.isPossible, "\(LibraryDump.absence)"), arguments: [SIGINT, SIGTERM])
  func `a second signal loses nothing either`(signal: Int32) async throws {
    let invariants = try Invariants(music.url)
    let scan = try await startScan()
    let start = ContinuousClock().now
    scan.send(signal)
    scan.send(signal)
    try await Task.sleep(for: .milliseconds(20))
    scan.send(signal)
    let outcome = try await scan.outcome()
    #expect(await scan.endInstant - start < .seconds(20))
    // Either the signal ended it at once, or it stopped in order.
    #expect(outcome.status == 128 + signal, "\(outcome)")
    try await invariants.check(deadwax, users: users)
  }

  @Test func `a scan under nohup outlives its terminal`() async throws {
    let line = "trap '' HUP; exec \"$0\" scan --jobs 1 --json \"$1\""
    let scan = try deadwax.start(
      executable: URL(filePath: "/bin/sh"), ["-c", line, DeadwaxCommand.executable.path, music.path])
    try #require(try await scan.worker(after: 0.25) != nil)
    scan.send(SIGHUP)
    let outcome = try await scan.outcome()
    #expect(outcome.status == 0, "\(outcome)")
    #expect(try outcome.document(ScanDocument.self).decoded_files == 2)
  }

  // Faults: 90, 91
  @Test func `a second scan of the same library steps back and names the first`() async throws {
    let first = try await startScan()
    let other = try MusicFolder("damaged/clean.mp3")
    for folder in [music, other] {
      let second = try await deadwax.run(["scan", folder.path])
      #expect(second.status == 75, "\(second)")
      #expect(second.errorText.contains("\(first.processID)"))
    }
    // Reading works meanwhile.
    #expect(try await deadwax.run(["ls"]).status == 0)
    let outcome = try await first.outcome()
    #expect(outcome.status == 0, "\(outcome)")
    #expect(try await deadwax.run(["scan", music.path]).status == 0)
  }

  @Test func `a scan that was killed does not stand in the way of the next`() async throws {
    let first = try await startScan()
    first.send(SIGKILL)
    _ = try await first.outcome()
    let second = try await deadwax.run(["scan", "--json", music.path])
    #expect(second.status == 0, "\(second)")
  }
}

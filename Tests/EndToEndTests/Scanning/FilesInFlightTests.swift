import Foundation
import Testing
import TestSupport

/// Files that are cut or replaced while a scan is on its way to them, or in the middle of them.
@Suite(.enabled(if: LibraryDump.isPossible, "\(LibraryDump.absence)"), .timeLimit(.minutes(5)))
struct FilesInFlightTests {
  private let deadwax: DeadwaxCommand
  private let music: MusicFolder
  /// Where files are created that replace others; on the same disk.
  private let other: MusicFolder
  private let users: UserDump

  init() async throws {
    deadwax = try DeadwaxCommand()
    music = try MusicFolder()
    other = try MusicFolder()
    users = try await deadwax.decide()
  }

  /// A scan with one worker that is in the middle of the first file, `a.wav`, which takes a while.
  private func scanInFirstFile() async throws -> RunningCommand {
    try music.addSilence(seconds: 1800, as: "a.wav")
    let scan = try deadwax.start(["scan", "--jobs", "1", music.path])
    try #require(try await scan.worker(after: 0.1) != nil)
    return scan
  }

  /// Moves a file of `other` over one of the music, as programs replace files.
  private func replace(_ name: String, by source: String) throws {
    try #require(rename(other.file(source).path, music.file(name).path) == 0)
  }

  private func duration(_ name: String) async throws -> Double? {
    let outcome = try await deadwax.run(["show", "--json", music.file(name).path])
    try #require(outcome.status == 0, "\(outcome)")
    return try outcome.document(TrackDocument.self).format.duration_seconds
  }

  // Faults: 35
  @Test func `a file that is cut while it is read waits for the next scan, which takes what is left`() async throws {
    let scan = try await scanInFirstFile()
    let handle = try FileHandle(forWritingTo: music.file("a.wav"))
    try handle.truncate(atOffset: UInt64(44 + 600 * 44_100 * 4))
    try handle.close()
    let outcome = try await scan.outcome()
    #expect(outcome.status == 0, "\(outcome)")
    #expect(try await LibraryRows(deadwax)["a.wav"]?.state == "pending")

    let next = try await deadwax.run(["scan", "--json", music.path])
    #expect(try next.document(ScanDocument.self).decoded_files == 1)
    #expect(try await LibraryRows(deadwax)["a.wav"]?.state == "damaged")
    #expect(try await duration("a.wav") == 600)
    try await Invariants(music.url).check(deadwax, users: users)
  }

  // Faults: 35
  @Test func `a file that is cut to nothing while it is read waits for the next scan`() async throws {
    let scan = try await scanInFirstFile()
    try #require(truncate(music.file("a.wav").path, 0) == 0)
    let outcome = try await scan.outcome()
    #expect(outcome.status == 0, "\(outcome)")
    #expect(try await LibraryRows(deadwax)["a.wav"]?.state == "pending")
    try await Invariants(music.url).check(deadwax, users: users)
    #expect(try await LibraryRows(deadwax)["a.wav"]?.state == "empty")
  }

  // Faults: 36, 95
  /// Found with the size and times of one file, opened as another one, or as nothing.
  @Test func `files that are replaced between being found and being opened are described as what was opened`()
    async throws
  {
    for name in ["b.wav", "c.wav", "d.wav", "e.wav"] { try music.addSilence(seconds: 2, as: name) }
    try other.addSilence(seconds: 7, as: "longer.wav")
    try other.add(fixture: "damaged/clean.mp3", as: "format.mp3")
    let scan = try await scanInFirstFile()
    try replace("b.wav", by: "longer.wav")
    try replace("c.wav", by: "format.mp3")
    try music.remove("d.wav")
    try music.remove("e.wav")
    try FileManager.default.createDirectory(at: music.file("e.wav"), withIntermediateDirectories: false)
    let outcome = try await scan.outcome()
    #expect(outcome.status == 0, "\(outcome)")
    let rows = try await LibraryRows(deadwax)
    #expect(rows["a.wav"]?.state == "ok")
    #expect(rows["b.wav"]?.state == "ok")
    #expect(rows["c.wav"]?.state == "ok")
    #expect(rows["d.wav"] == nil)
    #expect(rows["e.wav"]?.state != "ok")
    #expect(try await duration("b.wav") == 7)
    let shown = try await deadwax.run(["show", "--json", music.file("c.wav").path])
    #expect(try shown.document(TrackDocument.self).format.container == "mpeg")
    try await Invariants(music.url).check(deadwax, users: users)
  }

  // Faults: 36, 95
  @Test func `a file that is replaced while it is read is not taken for the new one`() async throws {
    try other.addSilence(seconds: 7, as: "new.wav")
    let scan = try await scanInFirstFile()
    try replace("a.wav", by: "new.wav")
    let outcome = try await scan.outcome()
    #expect(outcome.status == 0, "\(outcome)")
    // The old file was read to its end: either that is stored, or nothing is yet.
    let state = try await LibraryRows(deadwax)["a.wav"]?.state
    if state != "pending" { #expect(try await duration("a.wav") == 1800) }

    let next = try await deadwax.run(["scan", "--json", music.path])
    #expect(try next.document(ScanDocument.self).decoded_files == 1)
    #expect(try await duration("a.wav") == 7)
    try await Invariants(music.url).check(deadwax, users: users)
  }

  /// Appends sound much faster than it is decoded, until it is cancelled.
  private func grow(_ name: String) throws -> Task<Void, any Error> {
    let descriptor = open(music.file(name).path, O_WRONLY | O_APPEND | O_CLOEXEC)
    try #require(descriptor >= 0)
    return Task.detached {
      defer { close(descriptor) }
      let frames = MPEGBytes.silentFrames(100)
      while !Task.isCancelled {
        #expect(write(descriptor, frames, frames.count) == frames.count)
        usleep(1000)
      }
    }
  }

  // Faults: 175
  @Test func `a file that grows without end is read to where it ended, and again by the next scan`() async throws {
    // Half an hour.
    try music.write(MPEGBytes.silentFrames(70_000), to: "a.mp3")
    let scan = try deadwax.start(["scan", "--jobs", "1", music.path])
    try #require(try await scan.worker(after: 0.1) != nil)
    let growth = try grow("a.mp3")
    let outcome = try await scan.outcome()
    growth.cancel()
    try await growth.value
    #expect(outcome.status == 0, "\(outcome)")
    #expect(try await LibraryRows(deadwax)["a.mp3"]?.state == "pending")

    try #require(truncate(music.file("a.mp3").path, 500 * MPEGBytes.silentFrame.count) == 0)
    try await Invariants(music.url).check(deadwax, users: users)
    #expect(try await LibraryRows(deadwax)["a.mp3"]?.state == "ok")
  }
}

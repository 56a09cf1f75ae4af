import Foundation
import TestSupport
import Testing

/// Bytes that changed without a trace, and checksums in files: found by `--verify`.
@Suite(.enabled(if: LibraryDump.isPossible, "\(LibraryDump.absence)"))
struct VerificationTests {
  private let deadwax: DeadwaxCommand
  private let music: MusicFolder

  init() throws {
    deadwax = try DeadwaxCommand()
    music = try MusicFolder()
    try music.add(fixture: "audio/The Locked Grooves/Thirty-Three and a Third/01 Kick.wav", as: "kick.wav")
    try music.add(fixture: "audio/Émilie Søndergård/Les Échos/01 Marée lente.flac", as: "slow.flac")
    try music.add(fixture: "audio/Émilie Søndergård/Les Échos/02 Balayage.flac", as: "sweep.flac")
    try music.add(fixture: "damaged/clean.mp3", as: "clean.mp3")
    try music.add(fixture: "audio/星屑電機/夜の配線/02 配線図.ogg", as: "wiring.ogg")
    // What was just written is read again by any scan.
    for name in ["kick.wav", "slow.flac", "sweep.flac", "clean.mp3", "wiring.ogg"] { try setOldTime(name) }
  }

  private func setOldTime(_ name: String) throws {
    let time = Date(timeIntervalSince1970: 1_600_000_000)
    try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: music.file(name).path)
  }

  /// Changes one byte in the middle as a bad disk does: no time changes, as far as the library can tell.
  private func rot(_ name: String) throws {
    let file = music.file(name)
    let handle = try FileHandle(forUpdating: file)
    let middle = try handle.seekToEnd() / 2
    try handle.seek(toOffset: middle)
    let byte = try #require(try handle.read(upToCount: 1)?.first)
    try handle.seek(toOffset: middle)
    try handle.write(contentsOf: Data([byte ^ 0x40]))
    try handle.close()
    try setOldTime(name)
    // The time of change cannot be set back; so the library is told that it was always this one.
    let times = String(decoding: try Tool.run("stat", "-c", "%.9Z", file.path), as: UTF8.self)
    let change = times.trimmingCharacters(in: .whitespacesAndNewlines).replacing(".", with: "")
    try Tool.run(
      "sqlite3", deadwax.library.path, "UPDATE file SET ctime_ns = \(change) WHERE path_text = '\(name)'")
  }

  private func names(_ query: String) async throws -> Set<String> {
    let text = try await deadwax.must(["ls", query, "--format", "paths"]).text
    return Set(text.split(separator: "\n").map { URL(filePath: String($0)).lastPathComponent })
  }

  private struct Row: Decodable {
    var state: String
    var code: String?
    var position: Double?
  }

  private func row(_ name: String) async throws -> Row {
    let rows: [Row] = try await Decisions.rows(
      deadwax,
      """
      SELECT state, problem_code AS code, problem_position_s AS position FROM file WHERE path_text = '\(name)'
      """)
    return try #require(rows.first)
  }

  @Test func `bytes that changed while size and times did not are found, and what was decided stays`() async throws {
    try await deadwax.must(["scan", music.path])
    #expect(try await names("is:verified").isEmpty)
    for name in ["kick.wav", "slow.flac"] {
      try await deadwax.must(["preset", "assign", "Voice", music.file(name).path])
    }
    try await deadwax.must(["scan", "--verify"])
    #expect(try await names("is:verified") == ["kick.wav", "slow.flac", "sweep.flac", "clean.mp3", "wiring.ogg"])
    for name in ["kick.wav", "slow.flac"] { try rot(name) }
    // Nothing shows that anything changed.
    let unread = try await deadwax.must(["scan", "--json"]).document(ScanDocument.self)
    #expect(unread.unchanged == 5 && unread.problems == 0, "\(unread)")

    let before = try await Decisions(deadwax)
    try await deadwax.must(["scan", "--verify"])
    let after = try await Decisions(deadwax)
    for name in ["kick.wav", "slow.flac"] {
      let row = try await row(name)
      #expect(row.state == "damaged" && row.code == "bit-rot", "\(name): \(row)")
      #expect(after[name]?.preset == "Voice" && after[name]?.hash == before[name]?.hash, "\(name)")
    }
    #expect(try await row("slow.flac").position != nil, "FLAC's frames have checksums")
    for query in ["is:verified", "verified:-1d.. state:ok"] {
      #expect(try await names(query) == ["sweep.flac", "clean.mp3", "wiring.ogg"], "\(query)")
    }
    // It stays known, without a verification, and is still found by the next one.
    try await deadwax.must(["scan"])
    #expect(try await row("kick.wav").code == "bit-rot")
    try await deadwax.must(["scan", "--verify"])
    #expect(try await row("kick.wav").code == "bit-rot")
    #expect(try await Decisions(deadwax)["kick.wav"]?.preset == "Voice")
    #expect(try await deadwax.run(["doctor", "--deep"]).status == 0)

    // The right bytes come back, from a backup.
    try music.remove("kick.wav")
    try music.add(fixture: "audio/The Locked Grooves/Thirty-Three and a Third/01 Kick.wav", as: "kick.wav")
    try await deadwax.must(["scan"])
    #expect(try await row("kick.wav").state == "ok")
    #expect(try await Decisions(deadwax)["kick.wav"]?.preset == "Voice")
  }

  @Test func `the checksum of FLAC's samples is compared by a verification only`() async throws {
    var bytes = [UInt8](try Data(contentsOf: music.file("slow.flac")))
    bytes[26] ^= 1
    try music.write(bytes, to: "wrong.flac")
    try setOldTime("wrong.flac")
    try music.remove("slow.flac")
    try await deadwax.must(["scan", music.path])
    #expect(try await row("wrong.flac").state == "ok")
    try await deadwax.must(["scan", "--verify"])
    let wrong = try await row("wrong.flac")
    #expect(wrong.state == "damaged", "\(wrong)")
    #expect(try await row("sweep.flac").state == "ok")
    #expect(try await names("is:verified") == ["kick.wav", "sweep.flac", "clean.mp3", "wiring.ogg"])
  }

  @Test func `a file that was rewritten and renamed, with its size, time and inode, is not what it was`() async throws {
    let count = 44_100
    func tone(_ hertz: Double) -> [UInt8] {
      let samples = (0..<count).map { Int16(8000 * sin(2 * .pi * hertz * Double($0) / Double(count))) }
      return WaveFile.bytes(samples, sampleRateInHz: count, channelCount: 1)
    }
    try music.write(tone(440), to: "tone.wav")
    try setOldTime("tone.wav")
    try await deadwax.must(["scan", music.path])
    try await deadwax.must(["preset", "assign", "Voice", music.file("tone.wav").path])
    let handle = try FileHandle(forUpdating: music.file("tone.wav"))
    try handle.write(contentsOf: tone(880))
    try handle.close()
    try setOldTime("tone.wav")
    try music.move("tone.wav", to: "renamed.wav")
    try await deadwax.must(["scan"])
    let after = try await Decisions(deadwax)
    #expect(after["renamed.wav"]?.preset == nil && after["renamed.wav"]?.state == "ok")
    // The preset waits for its sound.
    try music.write(tone(440), to: "again.wav")
    try await deadwax.must(["scan"])
    #expect(try await Decisions(deadwax)["again.wav"]?.preset == "Voice")
  }
}

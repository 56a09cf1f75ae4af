import Foundation
import Glibc
import MediaModel
import Testing
import TestSupport

/// A machine on which libavcodec cannot be loaded, and the same one after it was installed.
struct MissingDecodersTests {
  private static let vorbis = "audio/星屑電機/夜の配線/02 配線図.ogg"
  private let deadwax: DeadwaxCommand
  private let music: MusicFolder
  /// Of the library that is missing.
  private let file: String

  init() async throws {
    deadwax = try DeadwaxCommand()
    music = try MusicFolder(
      Self.vorbis, "audio/Public Address/Announcements/03 Sillon de sortie.m4a", "encoded",
      "formats/Every Connector/02 Crimp.caf", "formats/Every Connector/08 Mini.wma", "formats/turn.ac3",
      "formats/turn.dts", "formats/turn.eac3", "formats/turn.tta", "formats/turn.wv")
    let doctor = try await deadwax.run(["doctor", "--json"]).document(DoctorDocument.self)
    let version = try #require(doctor.libraries["libavcodec"] ?? nil)
    file = "libavcodec.so.\(version.prefix { $0 != "." })"
    // A file that is no library stands in the way of the one of the system.
    try Data("no library".utf8).write(to: deadwax.home.appending(file))
  }

  /// Chromaprint needs libavcodec, too, so there are no fingerprints. Workers do not get variables of the linker: another file is
  /// mounted over the library.
  private func scan(hidesLibrary: Bool) async throws -> ScanDocument {
    let command = "deadwax scan --json --product waveform --product measures \"$1\""
    let path = #"$(/sbin/ldconfig -p | sed -n "s|.*\#(file) .*=> ||p" | head -n 1)"#
    let hiding = #"unshare -m bash -c 'mount --bind \#(file) "\#(path)" && exec \#(command)' bash "#
    let outcome = try await deadwax.shell(
      hidesLibrary
        ? hiding + "'\(music.path)'" : "deadwax scan --json --product waveform --product measures '\(music.path)'")
    try #require(outcome.status == 0, "\(outcome)")
    return try outcome.document(ScanDocument.self)
  }

  private func tracks() async throws -> [String: TrackRow] {
    let rows = try await deadwax.must(["ls", "--format", "jsonl", "--fields", TrackRow.fields]).lines(TrackRow.self)
    return Dictionary(uniqueKeysWithValues: rows.map { (URL(filePath: $0.path).lastPathComponent, $0) })
  }

  /// The stored points of a file's waveform.
  private func waveform(_ name: String) async throws -> [Int16] {
    let output = deadwax.home.appending("waveform.dat")
    try await deadwax.must(["waveform", name, "--zoom", "256", "-o", output.path])
    return try WaveformPeaks(datBytes: Array(Data(contentsOf: output))).values.map { Int16($0) }
  }

  @Test(.enabled(if: geteuid() == 0, "only root can mount"))
  func `what it decodes is unsupported with the name of its package, until the next scan with it`() async throws {
    _ = try await scan(hidesLibrary: true)
    let problems = try await deadwax.must(["problems", "--jsonl"]).lines(ProblemRow.self)
    let before = try await tracks()
    #expect(before.count == 13 && problems.count == 12)
    for problem in problems {
      #expect(problem.state == "unsupported", "\(problem)")
      #expect(problem.reason?.contains("\(file) (Debian package libavcodec") == true, "\(problem)")
    }
    // Vorbis has another decoder.
    let vorbis = try #require(before["02 配線図.ogg"])
    #expect(vorbis.state == "ok")
    let points = try await waveform("配線図")

    let report = try await scan(hidesLibrary: false)
    #expect(report.decoded_files == problems.count)
    let after = try await tracks()
    #expect(after.values.allSatisfy { $0.state == "ok" })
    #expect(after["onset-he.aac"]?.codec == "aac" && after["turn.wv"]?.codec == "wavpack")

    // Both decoders give the same length, and points that differ by one unit at most.
    try await deadwax.must(["reanalyze", "--force", "--product", "waveform", "配線図"])
    #expect(try await tracks()["02 配線図.ogg"]?.duration == vorbis.duration)
    let again = try await waveform("配線図")
    #expect(points.count == again.count && points.count > 1000)
    #expect(zip(points, again).allSatisfy { abs($0 - $1) <= 1 })
  }

  @Test func `doctor names it, and decodes a sound with it if it is there`() async throws {
    let outcome = try await deadwax.shell("LD_LIBRARY_PATH=. deadwax doctor")
    #expect(outcome.text.contains("MISSING   \(file) (Debian package libavcodec"), "\(outcome)")
    let whole = try await deadwax.run(["doctor"])
    #expect(whole.text.contains("decoder   AAC: ok") && whole.text.contains("decoder   ALAC: ok"), "\(whole)")
  }
}

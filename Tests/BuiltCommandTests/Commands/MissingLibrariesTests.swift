import Foundation
import Testing
import TestSupport

/// What is said about libraries that cannot be loaded, and about workers that cannot be started.
struct MissingLibrariesTests {
  private let deadwax: DeadwaxCommand
  private let music: MusicFolder

  init() throws {
    deadwax = try DeadwaxCommand()
    music = try MusicFolder("damaged/clean.mp3")
  }

  @Test func `libraries are listed with versions, and one that cannot be loaded with what does not work`() async throws
  {
    let known = try await deadwax.run(["doctor", "--json"]).document(DoctorDocument.self)
    let names = [
      "ALSA", "Cairo", "Chromaprint", "Pango", "expat", "libavcodec", "libmp3lame", "libpng", "libsoxr", "libyaml",
    ]
    #expect(Set(names).isSubset(of: known.libraries.keys) && known.libraries["libmp3lame"] != .some(nil), "\(known)")
    // No other library brings it.
    let file = "libasound.so.2"
    try Data("no library".utf8).write(to: deadwax.home.appending(file))
    let outcome = try await deadwax.shell("LD_LIBRARY_PATH=. deadwax doctor")
    let missing = outcome.text.split(separator: "\n").filter { $0.hasPrefix("MISSING   ") }
    let line = try #require(missing.first)
    #expect(missing.count == 1 && line.hasSuffix(": nothing can be played on a device"))
    #expect(line.hasPrefix("MISSING   \(file) (Debian package libasound2) cannot be loaded: "))
  }

  @Test(.enabled(if: CallTracer.isPossible, "\(CallTracer.absence)"))
  func `where workers cannot be started, the library is checked, and the status is 1`() async throws {
    try await deadwax.must(["scan", music.path])
    func doctor(_ options: String...) async throws -> CommandOutcome {
      try await deadwax.run(
        executable: CallTracer.executable,
        ["-o", "/dev/null", "-e", "inject=socketpair:error=EMFILE", DeadwaxCommand.executable.path, "doctor"] + options)
    }
    let outcome = try await doctor()
    #expect(outcome.status == 1 && outcome.errorText.contains("cannot start worker processes"), "\(outcome)")
    #expect(outcome.text.contains(": intact\n") && outcome.text.contains("workers   FAIL: cannot start"), "\(outcome)")
    let report = try await doctor("--json").document(DoctorDocument.self)
    #expect(report.sound && report.workers_problem?.contains("Too many open files") == true)
    #expect(report.sandbox == nil && report.decoders.isEmpty)
  }

  @Test(.enabled(if: CallTracer.isPossible, "\(CallTracer.absence)"))
  func `a scan names the Chromaprint that is installed and cannot be loaded`() async throws {
    let outcome = try await deadwax.shell(
      """
      files=$(/sbin/ldconfig -p | awk '/libchromaprint.so.1 / { print "-P", $NF, "-P", "/usr" $NF }')
      strace -f -qq -o trace $files -e trace=openat -e inject=openat:error=EMFILE deadwax scan '\(music.path)'
      """)
    let reason = "libchromaprint.so.1 (Debian package libchromaprint1) cannot be loaded: "
    #expect(outcome.status == 1 && outcome.errorText.contains(reason), "\(outcome)")
  }
}

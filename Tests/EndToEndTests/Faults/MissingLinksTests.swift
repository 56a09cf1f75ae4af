import Foundation
import Testing
import TestSupport

/// File systems without hard links, and kernels that know no files without a name, as the tracer lets them appear.
@Suite(.serialized, .enabled(if: CallTracer.isPossible, "\(CallTracer.absence)"))
struct MissingLinksTests {
  private let deadwax: DeadwaxCommand
  private let folder: TemporaryFolder

  init() async throws {
    deadwax = try DeadwaxCommand()
    folder = try TemporaryFolder()
  }

  /// Runs the command with a fault in each call of a kind.
  ///
  /// - Parameter path: only calls that name it.
  private func must(_ arguments: [String], under fault: String, at path: String? = nil) async throws {
    let log = deadwax.home.appending("calls")
    let outcome = try await deadwax.run(
      executable: CallTracer.executable,
      ["-o", log.path] + (path.map { ["-P", $0] } ?? []) + ["-e", "inject=\(fault)", DeadwaxCommand.executable.path]
        + arguments)
    #expect(outcome.status == 0, "\(outcome)")
    #expect(try String(contentsOf: log, encoding: .utf8).contains("(INJECTED)"), "\(arguments)")
  }

  // Faults: 184
  @Test(arguments: ["EPERM", "EOPNOTSUPP", "ENOENT"])
  func `an output is written where no file can be linked`(error: String) async throws {
    try await deadwax.must(["preset", "copy", "bass", "Mine"])
    try await deadwax.must(["preset", "export", "mine", "-o", folder.appending("whole.json").path])
    try folder.write("old".utf8, to: "linked.json")
    try await must(
      ["preset", "export", "mine", "-o", folder.appending("linked.json").path], under: "linkat:error=\(error)")
    #expect(try folder.bytes(of: "linked.json") == folder.bytes(of: "whole.json"))
    #expect(try folder.names() == ["linked.json", "whole.json"])
  }

  // Faults: 185
  @Test func `an output is written where each file has a name`() async throws {
    try await deadwax.must(["preset", "copy", "bass", "Mine"])
    try await deadwax.must(["preset", "export", "mine", "-o", folder.appending("whole.json").path])
    try await must(
      ["preset", "export", "mine", "-o", folder.appending("named.json").path], under: "openat:error=EOPNOTSUPP",
      at: folder.url.path)
    #expect(try folder.bytes(of: "named.json") == folder.bytes(of: "whole.json"))
    #expect(try folder.names() == ["named.json", "whole.json"])
  }

  // Faults: 184
  @Test func `libraries are created, kept, restored and repaired without links`() async throws {
    let fault = "link,linkat:error=EPERM"
    let (backup, repaired) = (folder.appending("backup").path, folder.appending("repaired").path)
    try await must(["preset", "copy", "bass", "Mine"], under: fault)
    try await deadwax.must(["backup", backup])
    try await must(["backup", "--keep", "2", backup], under: fault)
    try await must(["restore", backup], under: fault)
    try await must(["doctor", "--repair", "-o", repaired], under: fault)
    #expect(try folder.names() == ["backup", "backup.1", "repaired"])
    for library in [deadwax.library, folder.appending("backup.1"), folder.appending("repaired")] {
      #expect(try await deadwax.with(library).must(["preset", "ls"]).text.contains("Mine"))
    }
    #expect(try deadwax.home.names().count { $0.hasPrefix("library.sqlite.before-") } == 1)
  }

  // Faults: 186
  /// A repair that is killed at each of its writes: the next one clears away what it left, also for another name.
  @Test func `a repair that is killed leaves nothing for good`() async throws {
    try await deadwax.must(["preset", "copy", "bass", "Mine"])
    var killedCount = 0
    for number in [1, 2, 5, 9, 14, 20] {
      let outcome = try await deadwax.run(
        executable: CallTracer.executable,
        [
          "-o", deadwax.home.appending("calls").path, "-e", "inject=pwrite64:signal=KILL:when=\(number)",
          DeadwaxCommand.executable.path, "doctor", "--repair", "-o", folder.appending("killed").path,
        ])
      killedCount += outcome.status == 128 + SIGKILL ? 1 : 0
    }
    #expect(killedCount > 0)
    try await deadwax.must(["doctor", "--repair", "-o", folder.appending("new").path])
    #expect(try folder.names().allSatisfy { ["killed", "new"].contains($0) })
  }
}

import Foundation
import Testing
import TestSupport

/// A system call that fails while a decision of the user is written: the decision is there or it is not, and the command
/// says which. `make faults` does the same to every operation.
@Suite(.serialized, .enabled(if: CallTracer.isPossible, "\(CallTracer.absence)"))
struct FailingCallsTests {
  private let deadwax: DeadwaxCommand

  init() async throws {
    deadwax = try await ScannedMusic.of("damaged/clean.mp3").library()
    try #require(try await deadwax.run(["preset", "create", "mine", "--gain", "0"]).status == 0)
  }

  private func gain() async throws -> Double? {
    try await deadwax.run(["preset", "show", "mine", "--json"]).document(PresetDocument.self).gain_db
  }

  // Faults: 82, 83
  @Test(arguments: [
    "pwrite64:error=ENOSPC", "ftruncate:error=ENOSPC", "pwrite64:error=EIO", "pread64:error=EIO",
    "fdatasync:error=EIO", "fcntl:error=EIO",
  ])
  func `an acknowledged decision is there, and one that failed has its status and its line`(fault: String) async throws
  {
    let log = deadwax.home.appending("calls")
    var before = try await gain()
    var injectedCount = 0
    for number in stride(from: 1, through: 40, by: 3) {
      let wanted = -Double(number) / 10
      let outcome = try await deadwax.run(
        executable: CallTracer.executable,
        [
          "-o", log.path, "-e", "inject=\(fault):when=\(number)", DeadwaxCommand.executable.path, "preset", "edit",
          "mine", "--gain", "\(wanted)",
        ])
      injectedCount += try String(contentsOf: log, encoding: .utf8).contains("(INJECTED)") ? 1 : 0
      let found = try await gain()
      // A call of the dynamic linker: the command did not start.
      if outcome.status == 127, found == before { continue }
      #expect(found == wanted || (outcome.status != 0 && found == before), "\(number): \(outcome)")
      #expect([0, 1, 5].contains(outcome.status), "\(number): \(outcome)")
      #expect(outcome.status == 0 || outcome.errorText.split(separator: "\n").count == 1, "\(number): \(outcome)")
      #expect(!outcome.errorText.contains("internal error"), "\(number): \(outcome)")
      before = found
    }
    #expect(injectedCount > 0)
    #expect(try await deadwax.run(["doctor", "--deep"]).status == 0)
  }
}

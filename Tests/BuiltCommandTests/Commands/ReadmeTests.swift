import Foundation
import Testing
import TestSupport

/// The examples in the README do what it says, in the order in which a reader meets them.
struct ReadmeTests {
  @Test func `there are examples`() throws {
    #expect(try Readme.examples().count >= 10)
    #expect(try Readme.exitStatuses().contains("75"))
  }

  @Test(.timeLimit(.minutes(3))) func `every example runs`() async throws {
    let deadwax = try DeadwaxCommand()
    // The reader's current folder: a clone that has been built.
    let bin = try deadwax.home.makeFolder("bin")
    try FileManager.default.createSymbolicLink(
      at: bin.appending(path: "deadwax"), withDestinationURL: DeadwaxCommand.executable)
    _ = try deadwax.home.makeFolder("fixtures")
    for folder in ["audio", "damaged", "presets"] {
      try FileManager.default.copyItem(
        at: Corpora.fixtures.appending(path: folder), to: deadwax.home.appending("fixtures/\(folder)"))
    }
    for example in try Readme.examples() {
      let outcome = try await deadwax.run(executable: URL(filePath: "/bin/bash"), ["-c", example])
      #expect(outcome.status == 0, "\(example): \(outcome)")
      // The number of a track depends on which worker was faster.
      if example == "bin/deadwax show 'title:Lacquer'" {
        let shown = try Readme.shownOutput(of: example).filter { !$0.hasPrefix("Track ") }
        let lines = Set(outcome.text.split(separator: "\n").map(String.init))
        #expect(shown.count > 10 && lines.isSuperset(of: shown), "\(shown.filter { !lines.contains($0) })")
      }
    }
  }
}

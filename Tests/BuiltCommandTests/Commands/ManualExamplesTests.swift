import Foundation
import Testing
import TestSupport

/// The examples of the README and the manual do what these say, in the order in which a reader meets them.
struct ManualExamplesTests {
  @Test func `there are examples`() throws {
    #expect(ManualPage.all.count > 15)
    #expect(ManualPage.all.flatMap(\.blocks).flatMap(\.commands).count > 100)
    #expect(try ManualPage.exitStatuses().contains("75"))
  }

  @Test(.timeLimit(.minutes(3)), arguments: ManualPage.all)
  func `every example runs and prints what is shown`(page: ManualPage) async throws {
    var reader = try await Reader(of: page)
    for block in page.blocks {
      var printed: Set<[Substring]> = []
      for command in block.commands {
        let outcome = try await reader.run(command)
        #expect(outcome.status == 0, "\(command): \(outcome)")
        printed.formUnion((outcome.text + outcome.errorText).split(separator: "\n").map { $0.split(separator: " ") })
      }
      // Columns are as wide as the paths of the machine.
      for line in block.shownLines where !line.contains("…") {
        #expect(printed.contains(line.split(separator: " ")), "\(line)")
      }
    }
  }
}

/// Somebody in a clone that has been built, who types examples into one shell.
private struct Reader {
  private let deadwax: DeadwaxCommand
  private var exports: [String] = []

  /// With the library that the page presumes: none for the README, else that of `make index` without `MUSIC=`.
  init(of page: ManualPage) async throws {
    deadwax = try DeadwaxCommand()
    let bin = try deadwax.home.makeFolder("bin")
    try FileManager.default.createSymbolicLink(
      at: bin.appending(path: "deadwax"), withDestinationURL: DeadwaxCommand.executable)
    _ = try deadwax.home.makeFolder("fixtures")
    for folder in ["audio", "damaged", "formats", "presets"] {
      try FileManager.default.copyItem(
        at: Corpora.fixtures.appending(path: folder), to: deadwax.home.appending("fixtures/\(folder)"))
    }
    // One worker, so that tracks have the same numbers each time.
    if page.path != "README.md" {
      try await deadwax.must(["scan", "--jobs", "1", "fixtures/audio", "fixtures/formats"])
    }
  }

  /// What `export` sets holds for the commands behind it.
  mutating func run(_ command: String) async throws -> CommandOutcome {
    if command.hasPrefix("export ") { exports.append(command) }
    return try await deadwax.shell((exports + [command]).joined(separator: "\n"))
  }
}

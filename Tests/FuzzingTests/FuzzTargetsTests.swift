import Foundation
import Fuzzing
import Testing
import TestSupport

/// A second or two of what `make fuzz` does for hours: the seeds, random changes of them, and every earlier finding.
struct FuzzTargetsTests {
  static let names = FuzzTargets.all.map(\.name)

  @Test func `targets differ in their names`() { #expect(Set(Self.names).count == Self.names.count) }

  @Test(arguments: names)
  func `seeds keep every promise`(name: String) throws {
    let target = try #require(FuzzTargets[name])
    for seed in try target.seeds { #expect(throws: Never.self) { try target.check(seed) } }
  }

  @Test(arguments: names)
  func `seeds that were changed at random keep every promise`(name: String) throws {
    let target = try #require(FuzzTargets[name])
    var mutation = try Mutation(of: target, seed: 2026)
    for _ in 0..<target.repetitionCount {
      let input = mutation.next()
      #expect(throws: Never.self, "\(Data(input).base64EncodedString())") { try target.check(input) }
    }
  }

  /// Each finding is `fixtures/fuzz/TARGET/NAME`; one in the folder of no target fails.
  @Test(arguments: Corpora.fixtureFiles(in: "fuzz"))
  func `what fuzzing once found keeps every promise`(finding: URL) throws {
    let target = try #require(FuzzTargets[finding.deletingLastPathComponent().lastPathComponent])
    #expect(throws: Never.self) { try target.check([UInt8](Data(contentsOf: finding))) }
  }
}

import Foundation
import Fuzzing
import Testing
import TestSupport

/// What `make fuzz` looks for at length, for a second or two: the seeds, all that was ever found, and random changes.
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

  @Test(arguments: findings())
  func `what fuzzing once found keeps every promise`(finding: String) throws {
    let url = Self.folder.appending(path: finding)
    let target = try #require(FuzzTargets[url.deletingLastPathComponent().lastPathComponent])
    #expect(throws: Never.self) { try target.check([UInt8](Data(contentsOf: url))) }
  }

  private static let folder = Corpora.fixtures.appending(path: "fuzz")

  /// `TARGET/NAME`, below fixtures/fuzz.
  private static func findings() -> [String] {
    names.flatMap { name in
      let found = try? FileManager.default.contentsOfDirectory(atPath: folder.appending(path: name).path)
      return (found ?? []).map { "\(name)/\($0)" }
    }.sorted()
  }
}

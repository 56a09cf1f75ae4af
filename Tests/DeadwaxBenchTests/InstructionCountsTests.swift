import Testing

@testable import deadwax_bench

struct InstructionCountsTests {
  private let counts = InstructionCounts(
    architecture: "x86_64", swift: "6.3",
    entries: [.init(name: "bands of 2048 at 1/4", count: 1_127), .init(name: "powers \"split\"", count: 9_008)])

  @Test func `what was written is read again`() throws {
    #expect(try InstructionCounts(text: counts.text) == counts)
  }

  @Test func `each count has a line of its own`() {
    #expect(counts.text.split(separator: "\n").contains("    \"bands of 2048 at 1/4\": 1127,"))
  }

  @Test(arguments: ["", "{}", #"{"architecture": "x86_64", "swift": "6.3", "instructions": {"a": "many"}}"#])
  func `anything else is refused`(text: String) {
    #expect(throws: BenchFailure.self) { try InstructionCounts(text: text) }
  }
}

struct CountComparisonTests {
  private func verdict(counted: Int, expected: Int) -> CountComparison.Verdict? {
    CountComparison(
      counted: [.init(name: "a", count: counted)], expected: [.init(name: "a", count: expected)]
    ).lines.first?.verdict
  }

  @Test(arguments: [950, 1_000, 1_050])
  func `a count within five per cent is the same`(counted: Int) {
    #expect(verdict(counted: counted, expected: 1_000) == .same)
  }

  @Test func `a count beyond that is slower or faster`() {
    #expect(verdict(counted: 1_051, expected: 1_000) == .slower)
    #expect(verdict(counted: 949, expected: 1_000) == .faster)
  }

  @Test func `a kernel on one side only is new or gone`() {
    let comparison = CountComparison(
      counted: [.init(name: "b", count: 1), .init(name: "a", count: 1)],
      expected: [.init(name: "c", count: 1), .init(name: "a", count: 1)])
    #expect(comparison.lines.map(\.name) == ["b", "a", "c"])
    #expect(comparison.lines.map(\.verdict) == [.new, .same, .gone])
    #expect(comparison.isBreached)
  }

  @Test func `equal counts breach nothing`() {
    let entries = [InstructionCounts.Entry(name: "a", count: 10)]
    #expect(!CountComparison(counted: entries, expected: entries).isBreached)
  }
}

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

@testable import DecodingService
import Testing
import TestSupport

struct LeastRecentlyUsedTests {
  @Test func `the entry that was not used for the longest time is dropped first`() {
    var cache = LeastRecentlyUsed<String, Int>(capacity: 3)
    for (value, key) in ["a", "b", "c"].enumerated() { #expect(cache.insert(value, for: key, cost: 1) == 0) }
    #expect(cache.value(for: "a") == 0)
    #expect(cache.inOrderOfUse == ["a", "c", "b"])
    #expect(cache.insert(3, for: "d", cost: 1) == 1)
    #expect(cache.inOrderOfUse == ["d", "a", "c"])
    #expect(cache.value(for: "b") == nil)
  }

  @Test func `room is made before a value is stored, and a value larger than the capacity is not stored`() {
    var cache = LeastRecentlyUsed<Int, Int>(capacity: 10)
    for key in 0..<5 { _ = cache.insert(key, for: key, cost: 2) }
    #expect(cache.insert(5, for: 5, cost: 5) == 3)
    #expect(cache.inOrderOfUse == [5, 4, 3])
    #expect(cache.totalCost == 9)
    #expect(cache.insert(6, for: 6, cost: 11) == 0)
    #expect(cache.inOrderOfUse == [5, 4, 3])
  }

  @Test func `a value for the same key replaces the old one`() {
    var cache = LeastRecentlyUsed<Int, String>(capacity: 10)
    _ = cache.insert("old", for: 1, cost: 8)
    _ = cache.insert("other", for: 2, cost: 2)
    #expect(cache.insert("new", for: 1, cost: 3) == 0)
    #expect(cache.value(for: 1) == "new")
    #expect(cache.totalCost == 5 && cache.count == 2)
  }

  /// The same in a few lines, with an array in order of use.
  private struct Model {
    var capacity: Int
    var entries: [(key: Int, value: Int, cost: Int)] = []

    mutating func value(for key: Int) -> Int? {
      guard let index = entries.firstIndex(where: { $0.key == key }) else { return nil }
      entries.insert(entries.remove(at: index), at: 0)
      return entries[0].value
    }

    mutating func insert(_ value: Int, for key: Int, cost: Int) -> Int {
      entries.removeAll { $0.key == key }
      guard cost <= capacity else { return 0 }
      let count = entries.count
      while entries.reduce(cost, { $0 + $1.cost }) > capacity { entries.removeLast() }
      defer { entries.insert((key, value, cost), at: 0) }
      return count - entries.count
    }
  }

  @Test(arguments: [0, 1, 17, 100])
  func `after any requests it holds what a plain list would hold`(capacity: Int) {
    var random = RepeatableRandom(seed: UInt64(capacity))
    var cache = LeastRecentlyUsed<Int, Int>(capacity: capacity)
    var model = Model(capacity: capacity)
    for step in 0..<5000 {
      let key = Int.random(in: 0..<30, using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<5: #expect(cache.value(for: key) == model.value(for: key))
      case 5:
        cache.remove(key)
        model.entries.removeAll { $0.key == key }
      default:
        let cost = Int.random(in: 1...20, using: &random)
        #expect(cache.insert(step, for: key, cost: cost) == model.insert(step, for: key, cost: cost))
      }
      #expect(cache.inOrderOfUse == model.entries.map(\.key))
      #expect(cache.totalCost == model.entries.reduce(0) { $0 + $1.cost })
    }
  }
}

/// Results that are not stored yet: committed together, because a transaction costs as much as a file.
struct ResultBatch<Result> {
  private static var maximumCount: Int { 64 }
  private static var maximumByteCount: Int { 16 << 20 }
  private static var maximumAgeInSeconds: Double { 2 }

  private(set) var results: [Result] = []
  private var byteCount = 0
  private var startedAt = monotonicSeconds()

  var isEmpty: Bool { results.isEmpty }

  var isDue: Bool {
    !results.isEmpty
      && (results.count >= Self.maximumCount || byteCount >= Self.maximumByteCount
        || monotonicSeconds() - startedAt >= Self.maximumAgeInSeconds)
  }

  mutating func append(_ result: Result, byteCount: Int) {
    if results.isEmpty { startedAt = monotonicSeconds() }
    self.byteCount += byteCount
    results.append(result)
  }
}

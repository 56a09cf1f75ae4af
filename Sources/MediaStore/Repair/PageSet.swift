/// Numbers of pages, a bit each.
struct PageSet {
  private var words: [UInt64]

  init(pageCount: Int) { words = Array(repeating: 0, count: pageCount / 64 + 1) }

  /// false for numbers out of range.
  func contains(_ page: Int) -> Bool {
    page >= 0 && page / 64 < words.count && words[page / 64] >> UInt64(page % 64) & 1 == 1
  }

  mutating func insert(_ page: Int) {
    guard page >= 0, page / 64 < words.count else { return }
    words[page / 64] |= 1 << UInt64(page % 64)
  }
}

internal import Base

/// Many short names, one after the other in memory, so that all of them are searched in milliseconds.
package struct FoldedNames: Sendable {
  /// The names, each followed by a line break.
  private var bytes: [UInt8] = []
  private var starts: [Int] = []

  init() {}

  /// - Parameter names: Folded as by ``TextFolding``.
  init(_ names: [String]) {
    bytes.reserveCapacity(names.reduce(0) { $0 + $1.utf8.count + 1 })
    starts.reserveCapacity(names.count)
    for name in names {
      starts.append(bytes.count)
      bytes.append(contentsOf: name.utf8)
      bytes.append(UInt8(ascii: "\n"))
    }
  }

  /// The places of the names in which every word occurs; those that begin with the first word come first.
  ///
  /// - Parameter words: Folded, and not empty.
  package func places(containing words: [String]) -> [Int] {
    guard let first = words.first.map({ Array($0.utf8) }) else { return [] }
    let others = words.dropFirst().map { Array($0.utf8) }
    var beginning: [Int] = []
    var within: [Int] = []
    for place in starts.indices {
      let (start, end) = (starts[place], place + 1 < starts.count ? starts[place + 1] : bytes.count)
      guard let found = position(of: first, from: start, to: end),
        others.allSatisfy({ position(of: $0, from: start, to: end) != nil })
      else { continue }
      if found == start { beginning.append(place) } else { within.append(place) }
    }
    return beginning + within
  }

  private func position(of word: [UInt8], from start: Int, to end: Int) -> Int? {
    guard end - start >= word.count else { return nil }
    let (text, first) = (bytes.span, word[0])
    var position = start
    while position <= end - word.count {
      if text[position] == first {
        var length = 1
        while length < word.count, text[position + length] == word[length] { length += 1 }
        if length == word.count { return position }
      }
      position += 1
    }
    return nil
  }
}

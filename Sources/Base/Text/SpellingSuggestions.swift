/// Suggests names that a mistyped one may mean.
package enum SpellingSuggestions {
  /// Up to three of the candidates, the closest first, regardless of case.
  package static func of(_ name: String, among candidates: some Sequence<String>) -> [String] {
    let name = name.lowercased()
    guard name.utf8.count <= 64 else { return [] }
    let limit = max(1, min(2, name.count / 2))
    return
      candidates
      .map { (name: $0, lower: $0.lowercased()) }
      .map { (name: $0.name, lower: $0.lower, distance: EditDistance.between(name, $0.lower)) }
      .filter { $0.distance <= limit || (name.count >= 3 && $0.lower.hasPrefix(name)) }
      .sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }
      .prefix(3).map(\.name)
  }

  /// The end of a message about an unknown name: a question, or nothing if no name is close.
  package static func question(_ near: [String]) -> String {
    near.isEmpty ? "" : "; did you mean \(near.joined(separator: ", "))?"
  }
}

/// How many letters must be inserted, deleted, replaced or swapped with a neighbour to turn one word into the other.
package enum EditDistance {
  /// - Complexity: O(m·n)
  package static func between(_ left: String, _ right: String) -> Int {
    let left = Array(left.unicodeScalars)
    let right = Array(right.unicodeScalars)
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for row in left.indices {
      var current = [row + 1]
      for column in right.indices {
        var cost = min(last[column + 1], current[column]) + 1
        cost = min(cost, last[column] + (left[row] == right[column] ? 0 : 1))
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          cost = min(cost, beforeLast[column - 1] + 1)
        }
        current.append(cost)
      }
      beforeLast = last
      last = current
    }
    return last[right.count]
  }
}

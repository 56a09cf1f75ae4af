/// Names that a mistyped one may stand for.
package enum SpellingSuggestions {
  /// Up to three of the candidates, the nearest first; case makes no difference.
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

  /// What a message about an unknown name ends with: a question, or nothing where no name is near.
  package static func question(_ near: [String]) -> String {
    near.isEmpty ? "" : "; did you mean \(near.joined(separator: ", "))?"
  }
}

/// Gives safe names that differ from each other, also where case and Unicode's forms make no difference.
///
/// The names depend on the texts and their order alone.
package struct UniqueFileNames {
  private let ending: String
  private var taken: Set<String> = []
  /// How often a name was asked for, so that the thousandth needs no thousand attempts.
  private var counts: [String: Int] = [:]

  package init(ending: String) { self.ending = ending }

  /// A name for `text`; the second of one name ends in ` (2)`.
  package mutating func next(for text: String) -> String {
    var name = SafeFileName.name(for: text, ending: ending)
    let key = Self.key(name)
    var number = counts[key, default: 0] + 1
    if number > 1 { name = SafeFileName.name(for: text, addition: " (\(number))", ending: ending) }
    while !taken.insert(Self.key(name)).inserted {
      number += 1
      name = SafeFileName.name(for: text, addition: " (\(number))", ending: ending)
    }
    counts[key] = number
    return name
  }

  /// Strings are equal in all of Unicode's forms.
  private static func key(_ name: String) -> String { name.lowercased() }
}

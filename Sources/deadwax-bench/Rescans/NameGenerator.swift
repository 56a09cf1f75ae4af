/// Makes names as people give them to folders and files of music, the same in every run.
struct NameGenerator {
  private static let words = [
    "Amber", "Anchor", "Ash", "Bell", "Birch", "Blue", "Border", "Bright", "Café", "Canal", "Cedar", "City", "Clear",
    "Coast",
    "Copper", "Dark", "Dawn", "Delta", "Drift", "Dust", "Echo", "Ember", "Empty", "Evening", "Fable", "Far", "Field",
    "First",
    "Glass", "Gold", "Green", "Grün", "Harbour", "Heart", "Hollow", "Home", "House", "Island", "Jade", "Kind", "Lake",
    "Last",
    "Leaf", "Light", "Line", "Little", "Long", "Lost", "Mirror", "Moon", "Morning", "New", "Night", "North", "Ocean",
    "Old",
    "Paper", "Quiet", "Rain", "Red", "River", "Road", "Salt", "Second", "Señor", "Shadow", "Silver", "Slow", "Snow",
    "Song",
    "South", "Stone", "Storm", "Summer", "Tide", "Tower", "Under", "Velvet", "Wave", "White", "Wild", "Winter", "Wire",
    "Wood",
  ]

  private var state: UInt64

  init(seed: UInt64 = 1) { state = seed }

  /// So many words, the first letters large.
  mutating func phrase(_ wordCounts: ClosedRange<Int>) -> String {
    let count = wordCounts.lowerBound + number(below: wordCounts.count)
    return (0..<count).map { _ in Self.words[number(below: Self.words.count)] }.joined(separator: " ")
  }

  mutating func year() -> Int { 1960 + number(below: 65) }

  /// By Knuth's generator for 64 bits; its upper bits are the good ones.
  private mutating func number(below limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % limit
  }
}

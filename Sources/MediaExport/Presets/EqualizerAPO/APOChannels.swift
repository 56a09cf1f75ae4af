/// The channels that a `Channel:` line of Equalizer APO selects.
struct APOChannels: Hashable {
  static let all = APOChannels(hasLeft: true, hasRight: true, others: [])

  /// In the order of their numbers, from 1.
  private static let names = ["L", "R", "C", "LFE", "RL", "RR", "SL", "SR"]
  private static let synonyms = ["SUB": "LFE", "RC": "RC"]

  var hasLeft = false
  var hasRight = false
  /// Names of the selected ones that a preset does not know.
  var others: [String] = []
  /// What names no channel.
  var unknown: [String] = []

  private init(hasLeft: Bool, hasRight: Bool, others: [String]) {
    (self.hasLeft, self.hasRight, self.others) = (hasLeft, hasRight, others)
  }

  init(_ text: Substring) {
    for word in text.split(whereSeparator: \.isWhitespace) {
      let upper = word.uppercased()
      let number = Int(word).flatMap { (1...64).contains($0) ? $0 : nil }
      if upper == "ALL" {
        (hasLeft, hasRight) = (true, true)
      } else if upper == "L" || number == 1 {
        hasLeft = true
      } else if upper == "R" || number == 2 {
        hasRight = true
      } else if let number {
        others.append(number <= Self.names.count ? Self.names[number - 1] : String(number))
      } else if Self.names.contains(upper) || Self.synonyms[upper] != nil {
        others.append(upper)
      } else {
        unknown.append(String(word))
      }
    }
  }
}

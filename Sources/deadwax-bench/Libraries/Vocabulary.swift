internal import Glibc

/// Made-up words of several scripts: a few are frequent and most are rare, as in titles and names.
struct Vocabulary {
  enum Script: CaseIterable {
    case latin, cyrillic, greek, arabic, japanese

    /// As many as a language has, so that no sequence of three letters is in half of all titles.
    private static let latinSyllables: [String] = {
      let starts = [
        "b", "br", "c", "ch", "cl", "d", "dr", "f", "fl", "g", "gr", "h", "j", "k", "l", "m", "n", "p", "ph", "pl",
        "qu", "r",
        "s", "sh", "sl", "st", "str", "t", "th", "tr", "v", "w", "wh", "y", "z", "",
      ]
      let middles = ["a", "e", "i", "o", "u", "ai", "ea", "oo", "ou", "é", "ü", "ø", "ä", "ñe", "ça"]
      let ends = ["", "", "", "n", "r", "l", "s", "t", "nd", "ng", "m", "ck", "st", "x", "gh", "p"]
      return starts.flatMap { start in middles.flatMap { middle in ends.map { start + middle + $0 } } }
    }()

    fileprivate var syllables: [String] {
      switch self {
      case .latin: Self.latinSyllables
      case .cyrillic: ["ба", "ве", "го", "да", "жи", "зе", "ка", "ло", "ми", "но", "по", "ра", "со", "ту", "фа", "ши"]
      case .greek: ["αλ", "βε", "γι", "δο", "ερ", "ζη", "θα", "ίο", "κα", "λυ", "μο", "νέ", "ξε", "πο", "ρα", "σις"]
      case .arabic: ["با", "تي", "جم", "حس", "دا", "را", "سل", "شم", "عب", "فا", "قم", "كت", "لي", "نو"]
      case .japanese:
        [
          "日", "本", "夜", "月", "星", "海", "山", "川", "風", "花", "雨", "音", "街", "空", "夢", "の", "は", "を", "い", "か",
          "ラ", "ン", "ス", "ト", "リ",
        ]
      }
    }
  }

  private static let wordCount = 30_000

  private let words: [Script: [String]]

  init() {
    var words: [Script: [String]] = [:]
    for (index, script) in Script.allCases.enumerated() {
      var random = BenchRandom(seed: 77 + UInt64(index))
      let syllables = script.syllables
      words[script] = (0..<Self.wordCount).map { rank in
        // Frequent words are short.
        let count = rank < 60 ? 1...2 : rank < 3_000 ? 2...3 : 2...4
        return (0..<random.number(count)).map { _ in random.pick(syllables) }.joined().capitalized(in: script)
      }
    }
    self.words = words
  }

  /// The script of an artist.
  func script(_ random: inout BenchRandom) -> Script {
    let unit = random.unit()
    return unit < 0.84 ? .latin : unit < 0.91 ? .japanese : unit < 0.96 ? .cyrillic : unit < 0.98 ? .greek : .arabic
  }

  func word(_ script: Script, _ random: inout BenchRandom) -> String {
    let words = words[script] ?? []
    return words[random.rank(below: words.count)]
  }

  func phrase(_ count: ClosedRange<Int>, _ script: Script, _ random: inout BenchRandom) -> String {
    let words = (0..<random.number(count)).map { _ in word(script, &random) }
    return words.joined(separator: script == .japanese ? "" : " ")
  }
}

extension String {
  fileprivate func capitalized(in script: Vocabulary.Script) -> String {
    switch script {
    case .latin, .cyrillic, .greek: prefix(1).uppercased() + dropFirst()
    case .arabic, .japanese: self
    }
  }
}

/// Vigna's SplitMix64: random numbers that are the same in every run and on every machine.
struct BenchRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// From 0 up to, not including, 1.
  mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  mutating func number(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(unit() * Double(range.upperBound - range.lowerBound + 1))
  }

  mutating func isTrue(_ probability: Double) -> Bool { unit() < probability }

  mutating func pick<Value>(_ choices: [Value]) -> Value { choices[number(0...choices.count - 1)] }

  /// By the method of Box and Muller, rounded to hundredths.
  mutating func normal(_ mean: Double, _ deviation: Double) -> Double {
    let radius = (-2 * log(max(unit(), 1e-300))).squareRoot()
    return ((mean + deviation * radius * cos(2 * .pi * unit())) * 100).rounded() / 100
  }

  /// A rank from 0 up to `count - 1`, with a probability proportional to 1 / (rank + 1), as words of a language have.
  mutating func rank(below count: Int) -> Int { min(count - 1, Int(exp(unit() * log(Double(count) + 1))) - 1) }
}

/// A key: a tonic and a mode.
package struct MusicalKey: Hashable, Sendable {
  package enum Mode: Int, Sendable {
    case major
    case minor
  }

  /// Semitones above C: `0...11`.
  package let tonic: Int
  package let mode: Mode

  package init(tonic: Int, mode: Mode) {
    self.tonic = ((tonic % 12) + 12) % 12
    self.mode = mode
  }

  /// `0...23`, as libraries store it: first the major keys from C on, then the minor ones.
  package var number: Int { tonic + 12 * mode.rawValue }

  package init?(number: Int) {
    guard (0..<24).contains(number) else { return nil }
    self.init(tonic: number % 12, mode: number < 12 ? .major : .minor)
  }

  package static let all = (0..<24).compactMap(MusicalKey.init(number:))

  // MARK: - Names

  /// `A`, `F#m`: as in ID3's key tags.
  package var name: String { Self.tonicNames[mode.rawValue][tonic] + (mode == .minor ? "m" : "") }

  /// `8A`: the number of the key on the wheel of fifths, with A for minor; neighbours and the other letter of the same
  /// number go well together.
  package var camelot: String { "\(wheelNumber(startingAt: 8))\(mode == .minor ? "A" : "B")" }

  /// `1m`: the same wheel, begun at C, with m for minor and d for major (dur).
  package var openKey: String { "\(wheelNumber(startingAt: 1))\(mode == .minor ? "m" : "d")" }

  /// The usual names: those with the fewest accidentals.
  private static let tonicNames = [
    ["C", "Db", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B"],
    ["C", "C#", "D", "Eb", "E", "F", "F#", "G", "G#", "A", "Bb", "B"],
  ]

  /// C and A minor are at `start`, a fifth up is one further.
  private func wheelNumber(startingAt start: Int) -> Int { (position + start - 1) % 12 + 1 }

  /// A way to write keys by their place on the wheel of fifths.
  package enum Notation: Hashable, Sendable {
    case camelot
    case openKey
  }

  package func text(in notation: Notation) -> String {
    switch notation {
    case .camelot: camelot
    case .openKey: openKey
    }
  }

  /// Fifths above C, or above A of a minor key: `0...11`.
  private var position: Int { (mode == .major ? tonic : tonic + 3) * 7 % 12 }

  /// Steps on the wheel of fifths to another key: 0 for the same and for the relative key's number, at most 6, and one
  /// more if the mode changes.
  package func distance(to other: MusicalKey) -> Int {
    let steps = abs(position - other.position)
    return min(steps, 12 - steps) + (mode == other.mode ? 0 : 1)
  }

  /// The key a number of semitones higher.
  package func transposed(by semitones: Int) -> MusicalKey { MusicalKey(tonic: tonic + semitones, mode: mode) }

  // MARK: - Reading

  /// Reads a key as people and programs write it: `Am`, `A minor`, `F#`, `Gbmaj`, `8A`, `1m`, `12d`; nil for other texts,
  /// such as ID3's `o` for no key.
  package init?(_ text: String) {
    let characters = Array(text.unicodeScalars.filter { !$0.properties.isWhitespace && $0 != "-" && $0 != "_" })
    guard let first = characters.first else { return nil }
    if ("0"..."9").contains(first) {
      self.init(onWheel: characters)
    } else {
      self.init(spelled: characters)
    }
  }

  private init?(onWheel characters: [Unicode.Scalar]) {
    let digits = characters.prefix { ("0"..."9").contains($0) }
    guard digits.count <= 2, characters.count == digits.count + 1, let letter = characters.last,
      let number = Int(String(String.UnicodeScalarView(digits))), (1...12).contains(number)
    else { return nil }
    let found: MusicalKey? =
      switch letter {
      case "A", "a", "B", "b": Self.all.first { $0.camelot == "\(number)\(letter.properties.uppercaseMapping)" }
      case "m", "M", "d", "D": Self.all.first { $0.openKey == "\(number)\(letter.properties.lowercaseMapping)" }
      default: nil
      }
    guard let found else { return nil }
    self = found
  }

  private init?(spelled characters: [Unicode.Scalar]) {
    let naturals: [Unicode.Scalar: Int] = ["C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11, "H": 11]
    guard var tonic = characters.first.flatMap({ naturals[$0] ?? naturals[$0.asUppercase] }) else { return nil }
    var rest = characters.dropFirst()
    while let sign = rest.first {
      if sign == "#" || sign == "♯" {
        tonic += 1
      } else if sign == "b" || sign == "♭" {
        tonic -= 1
      } else {
        break
      }
      rest = rest.dropFirst()
    }
    let word = String(String.UnicodeScalarView(rest))
    switch word == "M" ? "major" : word.lowercased() {
    case "", "maj", "major", "dur": self.init(tonic: tonic, mode: .major)
    case "m", "min", "minor", "mol", "moll": self.init(tonic: tonic, mode: .minor)
    default: return nil
    }
  }
}

extension Unicode.Scalar {
  fileprivate var asUppercase: Unicode.Scalar { properties.uppercaseMapping.unicodeScalars.first ?? self }
}

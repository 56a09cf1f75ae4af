internal import Base

/// Names of artists as albums have them.
enum ArtistName {
  private static let various: Set<String> = [
    "various artists", "various", "va", "v a", "various performers", "varios artistas", "varios",
    "verschiedene interpreten",
    "diverse interpreten", "verschiedene", "diverse", "artistes divers", "artistes varies", "artisti vari",
    "vari artisti",
    "div interpreten", "blandade artister", "diverse artiesten", "wykonawcy rozni", "разные исполнители",
    "ヴァリアス アーティスツ",
  ]
  private static let unknown: Set<String> = [
    "unknown artist", "unknown", "unbekannter interpret", "artiste inconnu", "no artist",
  ]

  /// Empty for an artist that is not known.
  static func key(_ name: String) -> String {
    let key = NameKey.key(name)
    return unknown.contains(key) ? "" : key
  }

  static func isVarious(_ name: String) -> Bool { various.contains(NameKey.key(name)) }

  /// What stands between an artist and their guests.
  private static let joints: [String] = [
    "feat", "ft", "featuring", "with", "and", "vs", "versus", "presents", "pres", "x",
  ]

  /// The artist that some names share: each is that name, alone, among several values, or before guests.
  static func shared(by files: [AlbumFile]) -> String? {
    let named = files.filter { !key($0.artist).isEmpty }
    guard !named.isEmpty else { return nil }
    let texts = named.map(\.artist)
    let keys = Set(texts.map(key))
    if keys.count == 1 { return Spelling.mostCommon(texts) }
    // Each file has a shared artist, so those of the file with fewest are enough; the shortest come first.
    let fewest = named.filter { !$0.artists.isEmpty }.map { $0.artists.map(key) }.min {
      ($0.count, $0.joined()) < ($1.count, $1.joined())
    }
    let candidates = Set(keys.map { beforeGuests($0) } + keys + (fewest ?? []))
      .sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }.prefix(mostCandidates)
    for candidate in candidates where !candidate.isEmpty {
      guard named.allSatisfy({ isBy(candidate, $0) }) else { continue }
      let spellings = named.flatMap { [$0.artist] + $0.artists }.filter { key($0) == candidate }
      return Spelling.mostCommon(spellings.isEmpty ? named.map { beforeGuests(text: $0.artist) } : spellings)
    }
    return sharedBesidesSlips(by: named)
  }

  /// The artist of most files, if those of the others are slips of it, with guests or without.
  private static func sharedBesidesSlips(by named: [AlbumFile]) -> String? {
    let keys = named.map { beforeGuests(key($0.artist)) }
    var counts: [String: Int] = [:]
    for key in keys { counts[key, default: 0] += 1 }
    guard let (most, count) = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }), count * 2 > named.count,
      counts.keys.allSatisfy({ $0 == most || isSlip($0, of: most) })
    else { return nil }
    return Spelling.mostCommon(zip(named, keys).filter { $1 == most }.map { beforeGuests(text: $0.0.artist) })
  }

  /// Shorter names differ by a letter because they are others.
  private static let shortestWithSlips = 5
  /// From this length on two letters can be wrong.
  private static let shortestWithTwoSlips = 10

  /// Whether a name is another one with a letter that is missing, added, wrong or in the wrong place, or with two in a long name.
  /// Digits tell names apart.
  static func isSlip(_ key: String, of name: String) -> Bool {
    let (letters, nameLetters) = (key.unicodeScalars, name.unicodeScalars)
    let most = nameLetters.count < shortestWithTwoSlips ? 1 : 2
    guard nameLetters.count >= shortestWithSlips, abs(letters.count - nameLetters.count) <= most,
      letters.lazy.filter(\.properties.isDigit).elementsEqual(nameLetters.lazy.filter(\.properties.isDigit))
    else { return false }
    return EditDistance.between(key, name) <= most
  }

  private static let mostCandidates = 16

  private static func isBy(_ artist: String, _ file: AlbumFile) -> Bool {
    let name = key(file.artist)
    if name == artist || file.artists.contains(where: { key($0) == artist }) { return true }
    guard name.hasPrefix(artist + " ") else { return false }
    let rest = name.dropFirst(artist.count + 1)
    return joints.contains { rest.hasPrefix($0 + " ") }
  }

  private static let guestMarks = [" feat ", " ft ", " featuring "]

  private static func beforeGuests(_ key: String) -> String {
    let starts = guestMarks.compactMap { mark in key.ranges(ofText: mark).first }
    return starts.min().map { String(key[..<$0]) } ?? key
  }

  private static func beforeGuests(text: String) -> String {
    let lower = text.lowercased()
    let starts = [" feat", " ft.", " ft ", " (feat", " [feat"].compactMap { lower.ranges(ofText: $0).first }
    guard let start = starts.min(), lower.utf8.count == text.utf8.count else { return text }
    return String(text.utf8.prefix(lower.utf8.distance(from: lower.startIndex, to: start))) ?? text
  }
}

extension Unicode.Scalar.Properties {
  fileprivate var isDigit: Bool { numericType != nil }
}

extension String {
  /// Where a text begins in this one.
  fileprivate func ranges(ofText text: String) -> [Index] {
    indices.filter { self[$0...].hasPrefix(text) }
  }
}

/// Which of several spellings of a name is shown.
package enum Spelling {
  /// The most common one; of equally common ones the one with most accents, then one in capitals and small letters, then the shortest,
  /// then the first by its bytes.
  static func mostCommon(_ texts: [String]) -> String? {
    var counts: [String: Int] = [:]
    for text in texts { counts[text, default: 0] += 1 }
    return mostCommon(counts)
  }

  /// The same of spellings with how many there are of each; nil if there are none.
  package static func mostCommon(_ counts: [String: Int]) -> String? {
    counts.min { isBefore(($0.key, $0.value), ($1.key, $1.value)) }?.key
  }

  static func isBefore(_ one: (text: String, count: Int), _ other: (text: String, count: Int)) -> Bool {
    guard one.count == other.count else { return one.count > other.count }
    return (-accentCount(one.text), isOfOneCase(one.text) ? 1 : 0, one.text.utf8.count, one.text)
      < (-accentCount(other.text), isOfOneCase(other.text) ? 1 : 0, other.text.utf8.count, other.text)
  }

  /// Whether it is all in capitals or all in small letters, as `POP` and `pop` are, and `Pop` is not.
  private static func isOfOneCase(_ text: String) -> Bool {
    text == text.uppercased() || text == text.lowercased()
  }

  /// Letters that are not of ASCII, and signs on letters.
  private static func accentCount(_ text: String) -> Int {
    text.unicodeScalars.count {
      !$0.isASCII && ($0.properties.isAlphabetic || $0.properties.generalCategory == .nonspacingMark)
    }
  }
}

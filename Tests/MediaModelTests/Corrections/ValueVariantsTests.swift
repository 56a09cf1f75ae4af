import Base
import MediaModel
import Testing
import TestSupport

struct ValueVariantsTests {
  private static func groups(_ values: [(String, Int)]) -> [[String]] {
    ValueVariants.groups(of: values.map { ValueVariants.Value($0.0, fileCount: $0.1) })
      .map { [$0.common.text] + $0.others.map(\.text) }
  }

  @Test func `spellings of one value are one group, the most common one first`() {
    #expect(
      Self.groups([("post rock", 3), ("Post-Rock", 41), ("Jazz", 5), ("Postrock", 3)]) == [
        ["Post-Rock", "Postrock", "post rock"]
      ])
    #expect(Self.groups([("Björk", 2), ("BJORK", 1), ("Bjork", 9)]) == [["Bjork", "Björk", "BJORK"]])
    #expect(Self.groups([("The Weather Vanes", 5), ("Weather Vanes, The", 1), ("weather vanes", 2)]).count == 1)
    #expect(Self.groups([("Simon & Garfunkel", 5), ("Simon and Garfunkel", 4)]).count == 1)
  }

  @Test func `of equally common spellings the one in capitals and small letters is first`() {
    #expect(Self.groups([("POP", 1), ("pop", 1), ("Pop", 1)]).map { $0[0] } == ["Pop"])
    #expect(Self.groups([("EURODANCE", 2), ("Euro Dance", 2), ("eurodance", 2)]).map { $0[0] } == ["Euro Dance"])
    #expect(Self.groups([("pop", 2), ("Pop", 1)]).map { $0[0] } == ["pop"])
  }

  @Test func `VA is Various Artists among artists only`() {
    let values = ["VA": 2, "Various Artists": 9, "V.A.": 1].map { ValueVariants.Value($0.key, fileCount: $0.value) }
    let groups = ValueVariants.groups(of: values, areArtists: true)
    #expect(groups.map { [$0.common.text] + $0.others.map(\.text) } == [["Various Artists", "VA", "V.A."]])
    #expect(ValueVariants.groups(of: values).allSatisfy { $0.common.text != "Various Artists" })
  }

  @Test func `a rare value one letter away from a common one is probably a slip`() {
    for slip in ["Nirvanna", "Nirana", "Nirvama", "Nrivana", "Nirvana2"] {
      #expect(Self.groups([("Nirvana", 8), (slip, 2)]) == (slip == "Nirvana2" ? [] : [["Nirvana", slip]]), "\(slip)")
    }
    #expect(Self.groups([("Кино группа", 8), ("Кино групппа", 1)]).count == 1)
  }

  @Test func `two common values, short ones, and other numbers are two`() {
    #expect(Self.groups([("Slint", 8), ("Flint", 7)]) == [])
    #expect(Self.groups([("Blur", 80), ("Blue", 1)]) == [])
    #expect(Self.groups([("Best Of Vol 1", 80), ("Best Of Vol 2", 1)]) == [])
    #expect(Self.groups([("", 3), ("Jazz", 1)]) == [])
  }

  @Test func `a slip of a slip's spelling is in the group of the common one`() {
    let groups = Self.groups([("Nirvana", 40), ("nirvana", 2), ("Nirvanna", 4), ("NIRVANNA", 1)])
    #expect(groups == [["Nirvana", "Nirvanna", "nirvana", "NIRVANNA"]])
  }

  @Test func `albums of others are other albums`() {
    let values = [("Tides", "Nora"), ("tides", "nora"), ("TIDES", "Bo")].map {
      ValueVariants.Value($0.0, fileCount: 1, context: $0.1)
    }
    let groups = ValueVariants.groups(of: values)
    #expect(groups.count == 1 && groups[0].others.count == 1)
  }

  /// Against the definition: all pairs of keys.
  @Test(arguments: 1...60 as ClosedRange<UInt64>)
  func `what is found by hashes is what comparing all pairs finds`(seed: UInt64) {
    var random = RepeatableRandom(seed: seed)
    var values: [String: Int] = [:]
    for _ in 0..<60 {
      var word = ["amber", "ambers", "harbour", "harbor", "молоко"].randomElement(using: &random)!
      if Bool.random(using: &random) {
        var letters = Array(word)
        let place = Int.random(in: 0..<letters.count, using: &random)
        switch Int.random(in: 0...3, using: &random) {
        case 0: letters.remove(at: place)
        case 1: letters.insert("r", at: place)
        case 2: letters[place] = "o"
        default: letters.swapAt(place, (place + 1) % letters.count)
        }
        word = String(letters)
      }
      values[word] = Int.random(in: 1...20, using: &random)
    }
    let found = ValueVariants.groups(of: values.map { ValueVariants.Value($0.key, fileCount: $0.value) })
    let grouped = Set(found.flatMap { group in group.others.map(\.text) })
    let expected = values.keys.filter { rare in
      values.keys.contains { common in
        guard let rareCount = values[rare], let commonCount = values[common] else { return false }
        return rareCount * ValueVariants.leastRatio <= commonCount
          && common.unicodeScalars.count >= ValueVariants.shortestKey
          && rare.unicodeScalars.count >= ValueVariants.shortestKey - 1 && EditDistance.between(rare, common) == 1
      }
    }
    #expect(grouped == Set(expected))
  }

  /// The fast way for plain English must give the same keys.
  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func `a plain text has the key of its name, without blanks`(seed: UInt64) {
    var random = RepeatableRandom(seed: seed)
    for _ in 0..<100 {
      let text = (0..<Int.random(in: 0...12, using: &random)).map { _ in
        ["The ", "the", "a", "Z", "9", " ", "-", "and", "e", "T"].randomElement(using: &random)!
      }.joined()
      // Of a name that is nothing else, the other way keeps the signs.
      guard !SpellingKey.key(text).replacing("and", with: "").isEmpty else { continue }
      #expect(SpellingKey.key(text) == NameKey.key(text).replacing(" ", with: ""), "'\(text)'")
    }
  }
}

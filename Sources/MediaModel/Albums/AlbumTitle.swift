internal import Base

/// The title of an album without what names a disc or an edition of it.
///
/// `The Wall (Disc 2)` is a disc of `The Wall`, and `Abbey Road (Remastered)` an edition of `Abbey Road`. `(Live)`, `(Demos)` and
/// `Vol. 2` name other albums.
package enum AlbumTitle {
  /// What an album's files are brought together by; empty for no title, and for those of programs that know none.
  package static func key(_ title: String) -> String {
    let key = NameKey.key(withoutEdition(withoutDisc(title)))
    return placeholders.contains(key) ? "" : key
  }

  private static let placeholders: Set<String> = ["unknown album", "no album", "unbekanntes album", "album inconnu"]

  /// Without the disc at its end.
  package static func withoutDisc(_ title: String) -> String {
    guard let match = title.lastMatch(of: disc), match.start != title.startIndex else { return title }
    let rest = String(title[..<match.start]).withoutBlankEnds
    return rest.isEmpty ? title : rest
  }

  /// The number of the disc at its end; nil without one.
  package static func disc(_ title: String) -> Int? {
    title.lastMatch(of: disc).flatMap { $0.start == title.startIndex ? nil : $0.number }
  }

  /// Without remarks at its end such as `(Remastered 2009)`, `[Deluxe Edition]` and `- 24 bit`.
  package static func withoutEdition(_ title: String) -> String {
    var title = title.withoutBlankEnds
    while let remark = remark(atEndOf: title), isEdition(title[remark.inner]) {
      let rest = String(title[..<remark.start]).withoutBlankEnds
      guard !rest.isEmpty else { break }
      title = rest
    }
    return title
  }

  // MARK: - Discs

  private static let disc = DiscPattern()

  /// A word for a disc and its number at the end of a title, with the punctuation around it: `(Disc 1)`, `- CD2`, `[Disk 3 of 4]`,
  /// `Disc One`.
  struct DiscPattern {
    fileprivate static let words = ["disc", "disk", "disque", "cd"]
    fileprivate static let numbers = [
      "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5,
      "vi": 6,
    ]
  }

  // MARK: - Remarks

  /// A remark in brackets, or behind a dash, at the end of a title.
  private static func remark(atEndOf title: String) -> (start: String.Index, inner: Range<String.Index>)? {
    if let last = title.last, let open = [")": Character("("), "]": "["][String(last)] {
      guard let start = title.lastIndex(of: open), start != title.startIndex else { return nil }
      return (start, title.index(after: start)..<title.index(before: title.endIndex))
    }
    guard let dash = title.lastRange(of: " - ") else { return nil }
    return (dash.lowerBound, dash.upperBound..<title.endIndex)
  }

  /// Words that say how an edition was made or sold.
  private static let editionWords: Set<String> = [
    "remaster", "remastered", "remasterd", "reissue", "reissued", "deluxe", "expanded", "anniversary", "collectors",
    "collector",
    "special", "limited", "explicit", "clean", "mono", "stereo", "flac", "mp3", "aac", "alac", "ogg", "opus", "wav",
    "dsd", "sacd",
    "vinyl", "hires", "lossless", "bit", "24bit", "16bit", "khz", "kbps", "320", "v0", "web", "edition",
    "remasterizado",
    "remasterizada",
  ]
  /// Words that may stand beside those.
  private static let neutralWords: Set<String> = [
    "the", "and", "a", "super", "hi", "res", "digital", "digitally", "edition", "version", "bonus", "track", "tracks",
    "disc", "rip",
    "japanese", "japan", "us", "uk", "european", "international", "th", "st", "nd", "rd", "mix", "24", "16", "44", "48",
    "88", "96",
    "176", "192", "from", "in", "hd", "tour", "target", "itunes", "ultimate", "legacy", "standard", "year", "years",
    "cd", "of",
    "original", "box", "set",
  ]

  private static func isEdition(_ remark: Substring) -> Bool {
    let words = NameKey.key(String(remark)).split(separator: " ")
    guard !words.isEmpty, words.count <= 8 else { return false }
    var says = false
    for word in words {
      if editionWords.contains(String(word)) {
        says = true
      } else if !neutralWords.contains(String(word)) && !isYearOrOrdinal(word) {
        return false
      }
    }
    return says || words.elementsEqual(["bonus", "tracks"]) || words.elementsEqual(["bonus", "track", "version"])
  }

  /// `2009`, `50th`, `441`, `24bit`.
  private static func isYearOrOrdinal(_ word: Substring) -> Bool {
    guard let first = word.utf8.first, (0x30...0x39).contains(first) else { return false }
    let rest = word.drop { $0.isASCII && $0.isNumber }
    return ["", "th", "st", "nd", "rd", "khz", "bit", "k"].contains(rest)
  }
}

extension String {
  /// Where the disc at the end of a title begins, with the punctuation before it.
  fileprivate func lastMatch(of pattern: AlbumTitle.DiscPattern) -> (start: String.Index, number: Int)? {
    let title = self[...]
    var words: [(text: String, start: String.Index)] = []
    var index = startIndex
    while index < endIndex {
      if title[index].isLetter || title[index].isNumber {
        let start = index
        while index < endIndex, title[index].isLetter || title[index].isNumber { index = self.index(after: index) }
        words.append((TextFolding.fold(String(title[start..<index])), start))
      } else {
        index = self.index(after: index)
      }
    }
    // The last word for a disc; what stands behind its number is the disc's own title.
    for (place, word) in words.enumerated().reversed() {
      guard let prefix = AlbumTitle.DiscPattern.words.first(where: word.text.hasPrefix) else { continue }
      var digits = String(word.text.dropFirst(prefix.count))
      if digits.isEmpty {
        guard place + 1 < words.count else { continue }
        digits = words[place + 1].text
      }
      let isNumber = (1...2).contains(digits.count) && digits.allSatisfy { $0.isASCII && $0.isNumber }
      guard let number = isNumber ? Int(digits) : AlbumTitle.DiscPattern.numbers[digits] else { continue }
      // Behind it stands nothing, or the disc's own title: "of 3", or what punctuation sets apart.
      let nextPlace = place + (word.text == prefix ? 2 : 1)
      if nextPlace < words.count {
        let numberEnd = self[words[nextPlace - 1].start...].firstIndex { !$0.isLetter && !$0.isNumber } ?? endIndex
        let between = self[numberEnd..<words[nextPlace].start]
        guard words[nextPlace].text == "of" || between.contains(where: { ":-–—()[],".contains($0) }) else { continue }
      }
      var start = word.start
      while start > startIndex {
        let before = self.index(before: start)
        guard " -–—_.,:;([{/".contains(self[before]) else { break }
        start = before
      }
      guard start < word.start else { continue }
      return (start, number)
    }
    return nil
  }

  fileprivate func lastRange(of text: String) -> Range<String.Index>? {
    var end = endIndex
    while end > startIndex {
      if self[..<end].hasSuffix(text) { return index(end, offsetBy: -text.count)..<end }
      end = index(before: end)
    }
    return nil
  }
}

/// The title of a track without what names an edition of it.
package enum TrackTitle {
  /// By which copies of a track in several editions of an album are found: `Ebb` and `Ebb (Remastered 2009)` have the same. Empty for no
  /// title.
  package static func key(_ title: String) -> String { NameKey.key(AlbumTitle.withoutEdition(title)) }
}

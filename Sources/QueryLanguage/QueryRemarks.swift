/// What a query may have meant otherwise.
extension Query {
  /// The text that a term compares a field with, and the word after it, as in `artist:Doug Kaufman` without quotation
  /// marks; folded unless the comparison is exact.
  package struct LooseWord: Hashable, Sendable {
    package let field: QueryField
    package let isExact: Bool
    package let text: String
    package let word: String
  }

  /// The first plain word that directly follows a comparison with a text.
  package var looseWord: LooseWord? {
    guard case .all(let terms) = condition else { return nil }
    for (term, next) in zip(terms, terms.dropFirst()) {
      guard case .test(let field, let match) = term, case .word(let word) = next else { continue }
      switch match {
      case .equals(let text): return LooseWord(field: field, isExact: true, text: text, word: word)
      case .contains(let text), .equalsFolded(let text):
        return LooseWord(field: field, isExact: false, text: text, word: word)
      default: continue
      }
    }
    return nil
  }

  /// The words of a query of nothing but numbers, as in `17`: perhaps they were meant as ids of tracks. Empty for any
  /// other query.
  package var loneNumbers: [String] {
    let terms =
      switch condition {
      case .all(let terms): terms
      case let condition?: [condition]
      case nil: [QueryCondition]()
      }
    let numbers = terms.compactMap { term in
      if case .word(let word) = term, word.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { word } else { nil }
    }
    return numbers.count == terms.count ? numbers : []
  }

  /// Texts that a field is compared with, anywhere in the query.
  package func texts(comparedWith name: String) -> [String] { condition?.texts(comparedWith: name) ?? [] }
}

extension QueryCondition {
  fileprivate func texts(comparedWith name: String) -> [String] {
    switch self {
    case .all(let parts), .any(let parts): parts.flatMap { $0.texts(comparedWith: name) }
    case .not(let inner): inner.texts(comparedWith: name)
    case .test(let field, .contains(let text)), .test(let field, .equals(let text)),
      .test(let field, .equalsFolded(let text)):
      field.name == name ? [text] : []
    case .test, .word: []
    }
  }
}

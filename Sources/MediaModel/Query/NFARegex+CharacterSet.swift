extension NFARegex {
  /// The scalars that one place of an expression takes.
  struct CharacterSet: Hashable, Sendable {
    enum Class: Hashable, Sendable {
      case digit
      case word
      case space
    }

    enum Part: Hashable, Sendable {
      case range(ClosedRange<Unicode.Scalar>)
      case member(Class, isNegated: Bool)
    }

    var parts: [Part]
    var isNegated = false

    static let anyButNewline = CharacterSet(parts: [.range("\n"..."\n")], isNegated: true)

    static func one(_ scalar: Unicode.Scalar) -> CharacterSet { CharacterSet(parts: [.range(scalar...scalar)]) }

    func contains(_ scalar: Unicode.Scalar, ignoringCase: Bool) -> Bool {
      var isIn = holds(scalar)
      if !isIn, ignoringCase { isIn = Self.otherCases(of: scalar).contains(where: holds) }
      return isIn != isNegated
    }

    private func holds(_ scalar: Unicode.Scalar) -> Bool {
      parts.contains { part in
        switch part {
        case .range(let range): range.contains(scalar)
        case .member(let kind, let isNegated): Self.isMember(scalar, of: kind) != isNegated
        }
      }
    }

    private static func otherCases(of scalar: Unicode.Scalar) -> [Unicode.Scalar] {
      let mappings = [scalar.properties.lowercaseMapping, scalar.properties.uppercaseMapping]
      return mappings.compactMap { $0.unicodeScalars.count == 1 ? $0.unicodeScalars.first : nil }
    }

    private static func isMember(_ scalar: Unicode.Scalar, of kind: Class) -> Bool {
      switch kind {
      case .digit: scalar.properties.generalCategory == .decimalNumber
      case .word: isWord(scalar)
      case .space: scalar.properties.isWhitespace
      }
    }

    static func isWord(_ scalar: Unicode.Scalar) -> Bool {
      if scalar == "_" || scalar.properties.isAlphabetic { return true }
      return switch scalar.properties.generalCategory {
      case .decimalNumber, .nonspacingMark, .spacingMark, .connectorPunctuation: true
      default: false
      }
    }
  }
}

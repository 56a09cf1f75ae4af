/// The syntax tree of a regular expression.
indirect enum LinearRegexNode {
  case empty
  case scalar(NFARegex.CharacterSet)
  case assertion(NFARegex.Assertion)
  case sequence([LinearRegexNode])
  case alternatives([LinearRegexNode])
  /// No upper limit if `maximum` is nil.
  case repeated(LinearRegexNode, minimum: Int, maximum: Int?)
}

/// Parses the pattern of an ``NFARegex``.
struct NFARegexParser {
  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var depth = 0
  private(set) var ignoresCase = false

  private static let deepestGroup = 50
  private static let largestCount = 1_000

  init(_ pattern: String) { scalars = Array(pattern.unicodeScalars) }

  mutating func parse() throws(QueryError) -> LinearRegexNode {
    if scalars.starts(with: "(?i)".unicodeScalars) {
      ignoresCase = true
      position = 4
    }
    let node = try parseAlternatives()
    guard position == scalars.count else { throw error("unmatched )") }
    return node
  }

  private mutating func parseAlternatives() throws(QueryError) -> LinearRegexNode {
    var alternatives = [try parseSequence()]
    while take("|") { alternatives.append(try parseSequence()) }
    return alternatives.count == 1 ? alternatives[0] : .alternatives(alternatives)
  }

  private mutating func parseSequence() throws(QueryError) -> LinearRegexNode {
    var nodes: [LinearRegexNode] = []
    while let next = peek, next != "|", next != ")" { nodes.append(try parseRepeated()) }
    return nodes.isEmpty ? .empty : .sequence(nodes)
  }

  private mutating func parseRepeated() throws(QueryError) -> LinearRegexNode {
    var node = try parseOne()
    var depth = 0
    while let next = peek {
      let counts: (Int, Int?)
      switch next {
      case "*": counts = (0, nil)
      case "+": counts = (1, nil)
      case "?": counts = (0, 1)
      case "{":
        guard let braces = try parseBraces() else { return node }
        counts = braces
        position -= 1
      default: return node
      }
      position += 1
      // Greedy or not does not affect whether there is a match.
      _ = take("?")
      depth += 1
      guard depth <= Self.deepestGroup else { throw error("repetitions are nested too deeply") }
      node = .repeated(node, minimum: counts.0, maximum: counts.1)
    }
    return node
  }

  /// Parses `{2}`, `{2,}` or `{2,5}`; nil if the brace is a plain character. The position is then after the brace.
  private mutating func parseBraces() throws(QueryError) -> (Int, Int?)? {
    let start = position
    guard let end = scalars[start...].firstIndex(of: "}"), end > start + 1 else { return nil }
    var text = ""
    text.unicodeScalars.append(contentsOf: scalars[start + 1..<end])
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count <= 2, text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2C }), !parts[0].isEmpty
    else { return nil }
    guard let minimum = Int(parts[0]), minimum <= Self.largestCount else { throw error("too many repetitions") }
    position = end + 1
    if parts.count == 1 { return (minimum, minimum) }
    if parts[1].isEmpty { return (minimum, nil) }
    guard let maximum = Int(parts[1]), (minimum...Self.largestCount).contains(maximum) else {
      position = start
      throw error("not a range of repetitions")
    }
    return (minimum, maximum)
  }

  private mutating func parseOne() throws(QueryError) -> LinearRegexNode {
    guard let next = peek else { throw error("ends too soon") }
    position += 1
    switch next {
    case ".": return .scalar(.anyButNewline)
    case "^": return .assertion(.start)
    case "$": return .assertion(.end)
    case "*", "+", "?":
      position -= 1
      throw error("nothing to repeat")
    case "(": return try parseGroup()
    case "[": return .scalar(try parseSet())
    case "\\": return try parseEscape()
    default: return .scalar(.one(next))
    }
  }

  private mutating func parseGroup() throws(QueryError) -> LinearRegexNode {
    if take("?"), !take(":") { throw error("only plain groups, (?:…) and (?i) in front are supported") }
    depth += 1
    guard depth <= Self.deepestGroup else { throw error("groups are nested too deeply") }
    let node = try parseAlternatives()
    guard take(")") else { throw error("a group is not closed") }
    depth -= 1
    return node
  }

  private mutating func parseEscape() throws(QueryError) -> LinearRegexNode {
    guard let next = peek else { throw error("ends with a backslash") }
    switch next {
    case "b", "B":
      position += 1
      return .assertion(next == "b" ? .wordBoundary : .noWordBoundary)
    case "A", "z", "Z":
      position += 1
      return .assertion(next == "A" ? .start : .end)
    default: return .scalar(NFARegex.CharacterSet(parts: [try parseEscapedPart()]))
    }
  }

  /// Parses what follows a backslash, inside or outside a set.
  private mutating func parseEscapedPart() throws(QueryError) -> NFARegex.CharacterSet.Part {
    guard let next = peek else { throw error("ends with a backslash") }
    position += 1
    switch next {
    case "d": return .member(.digit, isNegated: false)
    case "D": return .member(.digit, isNegated: true)
    case "w": return .member(.word, isNegated: false)
    case "W": return .member(.word, isNegated: true)
    case "s": return .member(.space, isNegated: false)
    case "S": return .member(.space, isNegated: true)
    case "n": return .range("\n"..."\n")
    case "r": return .range("\r"..."\r")
    case "t": return .range("\t"..."\t")
    case "a"..."z", "A"..."Z", "0"..."9":
      position -= 1
      throw error("\\\(next) is not supported")
    default: return .range(next...next)
    }
  }

  private mutating func parseSet() throws(QueryError) -> NFARegex.CharacterSet {
    var set = NFARegex.CharacterSet(parts: [])
    set.isNegated = take("^")
    var isFirst = true
    while let next = peek, next != "]" || isFirst {
      isFirst = false
      let part = try parseSetPart()
      guard case .range(let low) = part, peek == "-", position + 1 < scalars.count, scalars[position + 1] != "]" else {
        set.parts.append(part)
        continue
      }
      position += 1
      guard case .range(let high) = try parseSetPart(), low.lowerBound <= high.upperBound else {
        throw error("not a range of characters")
      }
      set.parts.append(.range(low.lowerBound...high.upperBound))
    }
    guard take("]") else { throw error("a set is not closed") }
    return set
  }

  private mutating func parseSetPart() throws(QueryError) -> NFARegex.CharacterSet.Part {
    guard let next = peek else { throw error("a set is not closed") }
    position += 1
    return next == "\\" ? try parseEscapedPart() : .range(next...next)
  }

  private var peek: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard peek == scalar else { return false }
    position += 1
    return true
  }

  private func error(_ message: String) -> QueryError {
    QueryError("in the regular expression: \(message)", column: position + 1)
  }
}

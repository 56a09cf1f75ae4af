/// A regular expression whose search takes time proportional to the length of the text, for every pattern.
///
/// The usual syntax without what needs backtracking: literals, `.`, `[a-z]`, `\d \w \s \b` and their negations, groups,
/// `|`, `* + ? {m,n}`, `^ $`, and `(?i)` at the start to ignore case. It matches Unicode scalars, at most the first
/// ``longestText`` of a text; `.` does not match a line break.
package struct NFARegex: Hashable, Sendable {
  package static let longestText = 65_536
  static let largestProgram = 2_000

  package let pattern: String
  let ignoresCase: Bool
  let program: [Instruction]

  enum Instruction: Hashable, Sendable {
    case scalar(CharacterSet)
    case jump(Int)
    /// Continues at both instructions.
    case split(Int, Int)
    case assert(Assertion)
    case match
  }

  enum Assertion: Hashable, Sendable {
    case start
    case end
    case wordBoundary
    case noWordBoundary
  }

  /// - Throws: ``QueryError`` with the column in `pattern`.
  package init(_ pattern: String) throws(QueryError) {
    self.pattern = pattern
    var parser = NFARegexParser(pattern)
    let node = try parser.parse()
    ignoresCase = parser.ignoresCase
    var program: [Instruction] = []
    try Self.append(node, to: &program)
    program.append(.match)
    self.program = program
  }

  private static func append(_ node: LinearRegexNode, to program: inout [Instruction]) throws(QueryError) {
    guard program.count < largestProgram else { throw QueryError("the regular expression is too large", column: 1) }
    switch node {
    case .empty: break
    case .scalar(let set): program.append(.scalar(set))
    case .assertion(let assertion): program.append(.assert(assertion))
    case .sequence(let nodes): for node in nodes { try append(node, to: &program) }
    case .alternatives(let nodes): try appendAlternatives(nodes, to: &program)
    case .repeated(let node, let minimum, let maximum):
      for _ in 0..<minimum {
        let start = program.count
        try append(node, to: &program)
        if program.count == start { break }
      }
      if let maximum {
        var exits: [Int] = []
        for _ in minimum..<max(minimum, maximum) {
          exits.append(program.count)
          program.append(.match)
          try append(node, to: &program)
        }
        for exit in exits { program[exit] = .split(exit + 1, program.count) }
      } else {
        let start = program.count
        program.append(.match)
        try append(node, to: &program)
        program.append(.jump(start))
        program[start] = .split(start + 1, program.count)
      }
    }
  }

  private static func appendAlternatives(
    _ nodes: [LinearRegexNode], to program: inout [Instruction]
  ) throws(QueryError) {
    var exits: [Int] = []
    for node in nodes.dropLast() {
      let split = program.count
      program.append(.match)
      try append(node, to: &program)
      exits.append(program.count)
      program.append(.match)
      program[split] = .split(split + 1, program.count)
    }
    if let last = nodes.last { try append(last, to: &program) }
    for exit in exits { program[exit] = .jump(program.count) }
  }
}

extension NFARegex {
  /// Whether the expression matches anywhere in the text.
  ///
  /// - Complexity: O(n·m) for n scalars of text and m of pattern: all threads of the automaton advance together.
  package func isFound(in text: String) -> Bool {
    var current = Threads(program.count)
    var next = Threads(program.count)
    var previous: Unicode.Scalar?
    var iterator = text.unicodeScalars.makeIterator()
    var scalar = iterator.next()
    var position = 0
    while true {
      if add(0, to: &current, previous: previous, following: scalar) { return true }
      guard let here = scalar, position < Self.longestText else { return false }
      scalar = iterator.next()
      next.removeAll()
      for index in 0..<current.count {
        guard case .scalar(let set) = program[current[index]], set.contains(here, ignoringCase: ignoresCase) else {
          continue
        }
        if add(current[index] + 1, to: &next, previous: here, following: scalar) { return true }
      }
      swap(&current, &next)
      previous = here
      position += 1
    }
  }

  /// Adds an instruction and all that are reachable from it without consuming a scalar; true if these include the
  /// match.
  private func add(
    _ start: Int, to threads: inout Threads, previous: Unicode.Scalar?, following: Unicode.Scalar?
  ) -> Bool {
    threads.pending.append(start)
    while let place = threads.pending.popLast() {
      guard threads.insert(place) else { continue }
      switch program[place] {
      case .match: return true
      case .scalar: break
      case .jump(let target): threads.pending.append(target)
      case .split(let first, let second):
        threads.pending.append(second)
        threads.pending.append(first)
      case .assert(let assertion):
        if holds(assertion, previous, following) { threads.pending.append(place + 1) }
      }
    }
    return false
  }

  private func holds(_ assertion: Assertion, _ previous: Unicode.Scalar?, _ following: Unicode.Scalar?) -> Bool {
    func isBoundary() -> Bool {
      (previous.map(CharacterSet.isWord) ?? false) != (following.map(CharacterSet.isWord) ?? false)
    }
    return switch assertion {
    case .start: previous == nil
    case .end: following == nil
    case .wordBoundary: isBoundary()
    case .noWordBoundary: !isBoundary()
    }
  }

  /// A set of instructions, in the order in which they were added.
  private struct Threads {
    private var places: [Int]
    private var isIn: [Bool]
    private(set) var count = 0
    var pending: [Int] = []

    init(_ capacity: Int) {
      places = Array(repeating: 0, count: capacity)
      isIn = Array(repeating: false, count: capacity)
    }

    subscript(index: Int) -> Int { places[index] }

    mutating func insert(_ place: Int) -> Bool {
      guard !isIn[place] else { return false }
      isIn[place] = true
      places[count] = place
      count += 1
      return true
    }

    mutating func removeAll() {
      for index in 0..<count { isIn[places[index]] = false }
      count = 0
      pending.removeAll(keepingCapacity: true)
    }
  }
}

extension NFARegex {
  /// The scalars that one instruction matches.
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

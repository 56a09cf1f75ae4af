/// A regular expression that is searched for in time proportional to the text, whatever the pattern.
///
/// The usual syntax without what needs backtracking: literals, `.`, `[a-z]`, `\d \w \s \b` and their opposites, groups,
/// `|`, `* + ? {m,n}`, `^ $`, and `(?i)` in front to ignore case. It sees Unicode scalars, and at most the first
/// ``longestText`` of them; `.` does not match a line break.
package struct NFARegex: Hashable, Sendable {
  package static let longestText = 65_536
  static let largestProgram = 2_000

  package let pattern: String
  let ignoresCase: Bool
  let program: [Instruction]

  enum Instruction: Hashable, Sendable {
    case scalar(CharacterSet)
    case jump(Int)
    /// Goes on at both places.
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

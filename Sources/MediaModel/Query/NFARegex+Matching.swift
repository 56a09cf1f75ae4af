extension NFARegex {
  /// Whether the expression is found anywhere in the text.
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

  /// Adds a place of the program and all that are reached from it without a scalar; true if the match is among them.
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

  /// A set of places in the program, in the order they were added.
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

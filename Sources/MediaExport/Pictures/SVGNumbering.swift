/// Gives the names in an SVG of Cairo's numbers of their own.
///
/// Cairo names images and groups by a count over all surfaces of the process (`surface17`, `image21`), so that the same
/// picture would differ with what was drawn before it.
enum SVGNumbering {
  /// What stands before a name, in the attributes that define one or refer to it.
  private static let beginnings = [" id=\"", "href=\"#", "url(#"].map { Array($0.utf8) }

  /// The document with every name counted in the order in which the names appear.
  ///
  /// - Complexity: O(n).
  static func renumbered(_ svg: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(svg.count)
    var names: [ArraySlice<UInt8>: [UInt8]] = [:]
    var counts: [ArraySlice<UInt8>: Int] = [:]
    var index = 0
    while index < svg.count {
      guard let beginning = beginning(in: svg, at: index) else {
        result.append(svg[index])
        index += 1
        continue
      }
      let start = index + beginning.count
      let end = svg[start...].firstIndex { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: ")") } ?? svg.count
      let name = svg[start..<end]
      let kind = name.prefix { (0x61...0x7A).contains($0 | 0x20) }
      let new =
        names[name]
        ?? {
          let number = counts[kind, default: 0] + 1
          counts[kind] = number
          let new = Array(kind) + Array(String(number).utf8)
          names[name] = new
          return new
        }()
      result += beginning + new
      index = end
    }
    return result
  }

  private static func beginning(in svg: [UInt8], at index: Int) -> [UInt8]? {
    guard [UInt8(ascii: " "), UInt8(ascii: "h"), UInt8(ascii: "u")].contains(svg[index]) else { return nil }
    return beginnings.first { svg[index...].starts(with: $0) }
  }
}

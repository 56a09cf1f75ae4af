internal import HTTPServing

/// The parameters of a call as the protocol reads them: those without a value count as missing, and numbers out of range as
/// the nearest ones.
extension Fields {
  /// The first of that name; nil if there is none or it is empty.
  subscript(name: String) -> String? { first(name).flatMap { $0.isEmpty ? nil : $0 } }

  func values(_ name: String) -> [String] { all.filter { $0.name == name && !$0.value.isEmpty }.map(\.value) }

  func required(_ name: String) throws(SubsonicError) -> String {
    guard let value = self[name] else { throw .missing(name) }
    return value
  }

  /// - Throws: ``SubsonicError`` if it is no number; a number out of the range becomes the nearest one.
  func integer(_ name: String, in range: ClosedRange<Int64>) throws(SubsonicError) -> Int64? {
    guard let text = self[name] else { return nil }
    let number = try Self.integer(text, of: name)
    return min(max(number, range.lowerBound), range.upperBound)
  }

  /// A whole number as programs write it, some of which count in fractions: `1009`, `1009.0`, `1.009e3`. The fraction is left
  /// out.
  ///
  /// - Throws: ``SubsonicError`` if it is no number.
  static func integer(_ text: String, of name: String) throws(SubsonicError) -> Int64 {
    let trimmed = text.trimmingPrefix { $0.isWhitespace || $0 == "+" }
    let digits = trimmed.prefix { !$0.isWhitespace }
    guard trimmed[digits.endIndex...].allSatisfy(\.isWhitespace) else { throw .invalid(name, text) }
    if let number = Int64(digits) { return number }
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }),
      let number = Double(digits), number.isFinite
    else { throw .invalid(name, text) }
    return Int64(exactly: number.rounded(.towardZero)) ?? (number < 0 ? .min : .max)
  }

  /// How many items of a list are asked for, and from which on.
  func page(
    _ size: String, _ offset: String, default count: Int64, limit: Int64 = 500
  ) throws(SubsonicError) -> (count: Int, offset: Int) {
    (
      Int(try integer(size, in: 0...limit) ?? count), Int(try integer(offset, in: 0...Int64(Int32.max)) ?? 0)
    )
  }

  /// `true`, `1`, `yes`, `on` and whatever else programs send for it, and the same for false; nil if it is missing.
  ///
  /// - Throws: ``SubsonicError`` for anything else.
  func flag(_ name: String) throws(SubsonicError) -> Bool? {
    guard let text = self[name] else { return nil }
    switch text.lowercased() {
    case "true", "1", "t", "y", "yes", "on": return true
    case "false", "0", "f", "n", "no", "off": return false
    default: throw .invalid(name, text)
    }
  }
}

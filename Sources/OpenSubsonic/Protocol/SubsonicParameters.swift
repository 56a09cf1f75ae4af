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
    guard let number = Int64(text) else { throw .invalid(name, text) }
    return min(max(number, range.lowerBound), range.upperBound)
  }

  /// How many items of a list are asked for, and from which on.
  func page(
    _ size: String, _ offset: String, default count: Int64, limit: Int64 = 500
  ) throws(SubsonicError) -> (count: Int, offset: Int) {
    (
      Int(try integer(size, in: 0...limit) ?? count), Int(try integer(offset, in: 0...Int64(Int32.max)) ?? 0)
    )
  }

  func flag(_ name: String, default value: Bool) -> Bool { self[name].map { $0.lowercased() == "true" } ?? value }
}

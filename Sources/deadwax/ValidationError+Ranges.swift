internal import ArgumentParser

extension ValidationError {
  /// Refuses a value of an option that is out of range; none is in every range.
  static func require<Value: Comparable>(_ option: String, _ value: Value?, in range: ClosedRange<Value>) throws {
    guard let value, !range.contains(value) else { return }
    throw ValidationError("--\(option) takes \(range.lowerBound) to \(range.upperBound)")
  }
}

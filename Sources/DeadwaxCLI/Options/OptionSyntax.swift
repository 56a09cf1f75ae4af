internal import ArgumentParser
internal import Base
package import LibraryMerging
internal import MediaModel

extension NameSpecification {
  /// The long name and a letter; a number may follow the letter without a blank: `-j4`.
  static func letter(_ letter: Character) -> NameSpecification { [.customShort(letter, allowingJoined: true), .long] }
}

extension ValidationError {
  /// Refuses a value of an option that is out of range; nil is accepted.
  static func require<Value: Comparable>(_ option: String, _ value: Value?, in range: ClosedRange<Value>) throws {
    guard let value, !range.contains(value) else { return }
    throw ValidationError("--\(option) takes \(range.lowerBound) to \(range.upperBound)")
  }
}

extension ProductKind: ExpressibleByArgument {}

extension PathMapping: ExpressibleByArgument {
  /// Two absolute paths; the first ends before the first `=/`.
  package init?(argument: String) {
    let bytes = BytePath(argument: argument).bytes
    let slash = UInt8(ascii: "/")
    guard bytes.first == slash,
      let end = bytes.indices.first(where: { bytes[$0...].starts(with: [UInt8(ascii: "="), slash]) })
    else { return nil }
    self.init(from: BytePath(bytes[..<end]), to: BytePath(bytes[(end + 1)...]))
  }
}

extension TempoRange: ExpressibleByArgument {
  package init?(argument: String) { self.init(argument) }
}

internal import ArgumentParser

extension NameSpecification {
  /// The long name and a letter, which a number may follow at once, as elsewhere: `-j4`.
  static func letter(_ letter: Character) -> NameSpecification { [.customShort(letter, allowingJoined: true), .long] }
}

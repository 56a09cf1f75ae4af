/// What somebody did for a recording, besides being its artist; each has a tag of its own.
package enum ContributorRole: String, CaseIterable, Sendable {
  case composer, lyricist, arranger, conductor, performer, remixer, producer, director, engineer, mixer, djmixer

  /// The property name of its tag.
  package var tagName: String { rawValue.uppercased() }
}

/// Somebody whom the tags of a file name for a role.
package struct Contributor: Hashable, Sendable {
  package var role: ContributorRole
  package var name: String
  /// What a performer plays, as the tag has it: `violin`.
  package var instrument: String?

  /// - Parameter text: a value of the role's tag. That of a performer may have an instrument in parentheses: `Nora Vale (violin)`.
  package init(_ role: ContributorRole, _ text: String) {
    self.role = role
    (name, instrument) = (text, nil)
    guard role == .performer, text.last == ")", let bracket = text.firstPlace(of: " ("), bracket > text.startIndex
    else { return }
    name = String(text[..<bracket])
    instrument = String(text[text.index(bracket, offsetBy: 2)...].dropLast())
  }

  /// Those of all roles, in the order of ``ContributorRole`` and of the tags; each once.
  package static func all(_ values: (ContributorRole) -> [String]) -> [Contributor] {
    var seen: Set<Contributor> = []
    return ContributorRole.allCases.flatMap { role in values(role).map { Contributor(role, $0) } }
      .filter { !$0.name.isEmpty && seen.insert($0).inserted }
  }
}

/// A part of a work, such as the second of four movements of a symphony.
package struct Movement: Hashable, Sendable {
  package var name: String?
  package var number: Int?
  package var count: Int?

  /// Of the first values of MOVEMENTNAME, MOVEMENTNUMBER, which may be `2/4`, and MOVEMENTCOUNT; nil if they say nothing.
  package init?(name: String?, number: String?, count: String?) {
    let written = number.flatMap(TagNumber.init)
    self.name = name
    self.number = written?.number
    self.count = count.flatMap(TagNumber.init)?.number ?? written?.total
    if name == nil, self.number == nil { return nil }
  }
}

extension String {
  fileprivate func firstPlace(of text: String) -> Index? { indices.first { self[$0...].hasPrefix(text) } }
}

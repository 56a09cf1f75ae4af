/// What somebody says the values of a tag are, whatever files say.
package struct Correction: Hashable, Sendable {
  package var field: CorrectionField
  /// In their order; empty if the tag is to have no value.
  package var values: [String]
  /// The values that the tags of its files had when it was made, one list for each that differs.
  package var bases: [[String]]

  package init(field: CorrectionField, values: [String], bases: [[String]]) {
    self.field = field
    self.values = values
    self.bases = bases
  }

  /// How a correction and the tags of one file relate.
  package enum State: String, CaseIterable, Sendable {
    /// The file still says what it said.
    case active
    /// The file says the same by now.
    case satisfied
    /// The file says something else since, or is a copy that does. The correction counts until somebody decides.
    case conflict
  }

  /// - Parameter values: Of the field in a file: ``CorrectionField/values(in:)``.
  package func state(ofTag values: [String]) -> State {
    values == self.values ? .satisfied : bases.contains(values) ? .active : .conflict
  }
}

/// The tags of a file as they count, with corrections laid over them, and what the file itself says.
package struct CorrectedTags: Hashable, Sendable {
  /// What a file says about a field that is corrected.
  package struct Own: Hashable, Sendable {
    package var field: CorrectionField
    /// The tags whose values the correction replaces, as the file has them.
    package var properties: [Tags.Property]
    package var state: Correction.State

    package init(field: CorrectionField, properties: [Tags.Property], state: Correction.State) {
      self.field = field
      self.properties = properties
      self.state = state
    }
  }

  package let tags: Tags
  /// In the order of the corrections.
  package let own: [Own]

  /// - Parameters:
  ///   - tags: As the file has them.
  ///   - corrections: At most one of a field.
  package init(_ tags: Tags, _ corrections: [Correction]) {
    var properties = Self.byName(tags.properties)
    var own: [Own] = []
    let corrected = Set(corrections.map(\.field.name))
    for correction in corrections {
      let field = correction.field
      let state = correction.state(ofTag: field.values(in: tags))
      let replaced = Self.replacedNames(by: field)
      own.append(Own(field: field, properties: tags.properties.filter { replaced.contains($0.name) }, state: state))
      // What the file says in other words, such as the artists one by one, stays as it is.
      if state == .satisfied, field.kind == .text { continue }
      for name in replaced where name == field.name || !corrected.contains(name) { properties[name] = nil }
      if let other = field.otherNumber, !corrected.contains(other.name) {
        // A value such as `3/12` has both.
        properties[other.name] = other.values(in: tags)
      }
      properties[field.name] = correction.values
    }
    self.tags = Tags(properties.map { Tags.Property(name: $0.key, values: $0.value) })
    self.own = own
  }

  /// A file's own tags.
  ///
  /// - Parameters:
  ///   - tags: As they count.
  ///   - own: What was kept of the file when they were made.
  package static func ownTags(in tags: Tags, _ own: [Own]) -> Tags {
    guard !own.isEmpty else { return tags }
    let replaced = own.reduce(into: Set<String>()) { $0.formUnion(replacedNames(by: $1.field)) }
    var properties = byName(tags.properties.filter { !replaced.contains($0.name) })
    for property in own.flatMap(\.properties) { properties[property.name] = property.values }
    return Tags(properties.map { Tags.Property(name: $0.key, values: $0.value) })
  }

  private static func byName(_ properties: [Tags.Property]) -> [String: [String]] {
    Dictionary(properties.map { ($0.name, $0.values) }, uniquingKeysWith: { first, _ in first })
  }

  /// All tags that a correction may change.
  private static func replacedNames(by field: CorrectionField) -> Set<String> {
    Set(field.tagNames + field.relatedTagNames)
  }
}

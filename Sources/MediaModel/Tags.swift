/// Every tag of a file: property names in upper case as TagLib gives them, each with its values in order.
package struct Tags: Hashable, Sendable {
  package struct Property: Hashable, Sendable {
    /// TagLib's property name in upper case, such as `ALBUMARTIST`.
    package var name: String
    /// At least one value; valid UTF-8, none empty.
    package var values: [String]

    package init(name: String, values: [String]) {
      self.name = name
      self.values = values
    }
  }

  /// In ascending order of name.
  package private(set) var properties: [Property]

  package init(_ properties: [Property] = []) {
    self.properties = properties.filter { !$0.values.isEmpty }.sorted { $0.name < $1.name }
  }

  package var isEmpty: Bool { properties.isEmpty }

  /// The values of a property; empty where there is none.
  package subscript(name: String) -> [String] {
    properties.first { $0.name == name }?.values ?? []
  }
}

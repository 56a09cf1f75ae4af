/// Reads the members of a JSON object that may have only certain keys.
///
/// Errors are of the caller's type and contain the path of the value, such as `bands[3].q`.
package struct JSONFields<Failure: Error> {
  private let path: String
  private let values: [String: JSONValue]
  private let failure: (String) -> Failure

  /// - Parameters:
  ///   - keys: All keys that the object may have. Any other key, and a duplicate, is an error that names it.
  ///   - path: The path of the object; empty for the document.
  package init(
    _ value: JSONValue, keys: Set<String>, path: String = "", failure: @escaping (String) -> Failure
  ) throws(Failure) {
    guard let members = value.members else {
      throw failure((path.isEmpty ? "the document" : path) + " is not an object")
    }
    var values: [String: JSONValue] = [:]
    for member in members {
      let place = Self.join(path, member.key.limited(toScalarCount: 100))
      guard keys.contains(member.key) else { throw failure("\(place) is unknown to this version of the program") }
      guard values.updateValue(member.value, forKey: member.key) == nil else { throw failure("\(place) occurs twice") }
    }
    (self.path, self.values, self.failure) = (path, values, failure)
  }

  package func place(_ key: String) -> String { Self.join(path, key) }

  /// nil if the key is missing or its value is null.
  package func value(_ key: String) -> JSONValue? { values[key].flatMap { $0 == .null ? nil : $0 } }

  package func number(_ key: String) throws(Failure) -> Double? { try typed(key, "number", \.double) }

  package func text(_ key: String) throws(Failure) -> String? { try typed(key, "string", \.string) }

  package func bool(_ key: String) throws(Failure) -> Bool? { try typed(key, "true or false", \.bool) }

  package func array(_ key: String) throws(Failure) -> [JSONValue]? { try typed(key, "list", \.array) }

  /// The case of an enumeration whose raw value is the string.
  package func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ key: String, _ type: Choice.Type = Choice.self
  ) throws(Failure) -> Choice? {
    guard let text = try text(key) else { return nil }
    guard let choice = Choice(rawValue: text) else {
      let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      let found = text.cut(toByteCount: 100)
      throw failure("\(place(key)) is \"\(found)\", unknown to this version; known values are \(names)")
    }
    return choice
  }

  package func required<Value>(_ key: String, _ value: Value?) throws(Failure) -> Value {
    guard let value else { throw failure("\(place(key)) is missing") }
    return value
  }

  private func typed<Value>(
    _ key: String, _ name: String, _ read: (JSONValue) -> Value?
  ) throws(Failure) -> Value? {
    guard let value = value(key) else { return nil }
    guard let typed = read(value) else {
      throw failure("\(place(key)) is \(value.text.cut(toByteCount: 100)), but a \(name) was expected")
    }
    return typed
  }

  private static func join(_ path: String, _ key: String) -> String { path.isEmpty ? key : path + "." + key }
}

/// The members of an object that may have certain keys and no others, each asked for by name.
///
/// What is wrong is said with the path of the value, such as `bands[3].q`, in an error of the caller's type.
struct JSONFields<Failure: Error> {
  private let path: String
  private let values: [String: JSONValue]
  private let failure: (String) -> Failure

  /// - Parameters:
  ///   - keys: All that the object may have; another key is refused by name, as is one that occurs twice.
  ///   - path: Of the object; empty for the document.
  init(
    _ value: JSONValue, keys: Set<String>, path: String = "", failure: @escaping (String) -> Failure
  ) throws(Failure) {
    guard let members = value.members else {
      throw failure((path.isEmpty ? "the document" : path) + " is no object")
    }
    var values: [String: JSONValue] = [:]
    for member in members {
      let place = Self.join(path, String(member.key.prefix(100)))
      guard keys.contains(member.key) else { throw failure("\(place) is unknown to this version of the program") }
      guard values.updateValue(member.value, forKey: member.key) == nil else { throw failure("\(place) occurs twice") }
    }
    (self.path, self.values, self.failure) = (path, values, failure)
  }

  func place(_ key: String) -> String { Self.join(path, key) }

  /// Nil for a key that is not there, or null.
  func value(_ key: String) -> JSONValue? { values[key].flatMap { $0 == .null ? nil : $0 } }

  func number(_ key: String) throws(Failure) -> Double? { try typed(key, "number", \.double) }

  func text(_ key: String) throws(Failure) -> String? { try typed(key, "string", \.string) }

  func bool(_ key: String) throws(Failure) -> Bool? { try typed(key, "true or false", \.bool) }

  func array(_ key: String) throws(Failure) -> [JSONValue]? { try typed(key, "list", \.array) }

  /// The case of an enumeration that a string names.
  func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ key: String, _ type: Choice.Type = Choice.self
  ) throws(Failure) -> Choice? {
    guard let text = try text(key) else { return nil }
    guard let choice = Choice(rawValue: text) else {
      let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw failure("\(place(key)) is \"\(text.prefix(100))\", which this version does not know; it knows \(names)")
    }
    return choice
  }

  func required<Value>(_ key: String, _ value: Value?) throws(Failure) -> Value {
    guard let value else { throw failure("\(place(key)) is missing") }
    return value
  }

  private func typed<Value>(
    _ key: String, _ name: String, _ read: (JSONValue) -> Value?
  ) throws(Failure) -> Value? {
    guard let value = value(key) else { return nil }
    guard let typed = read(value) else {
      throw failure("\(place(key)) is \(value.text.prefix(100)), but a \(name) was expected")
    }
    return typed
  }

  private static func join(_ path: String, _ key: String) -> String { path.isEmpty ? key : path + "." + key }
}

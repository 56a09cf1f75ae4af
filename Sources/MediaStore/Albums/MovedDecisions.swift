internal import Base

/// What an album got from another one that became part of it, as `former_album.moved` has it.
struct MovedDecisions: Equatable {
  struct Attribute: Equatable {
    var name: String
    var personID: Int64
    var value: String
  }

  struct Preset: Equatable {
    /// Of the album that became part of the other.
    var moved: StoredAssignment
    /// What the other had itself, from the same person.
    var own: StoredAssignment?
  }

  var attributes: [Attribute] = []
  var presets: [Preset] = []

  var isEmpty: Bool { attributes.isEmpty && presets.isEmpty }

  init() {}

  /// nil for anything else.
  init?(text: String) {
    guard let json = try? JSONValue(parsing: Array(text.utf8)) else { return nil }
    for item in json["attributes"]?.array ?? [] {
      guard let name = item["name"]?.string, let value = item["value"]?.string,
        case .integer(let person)? = item["person_id"]
      else { return nil }
      attributes.append(Attribute(name: name, personID: person, value: value))
    }
    for item in json["presets"]?.array ?? [] {
      guard let moved = item["moved"].flatMap(StoredAssignment.init(json:)) else { return nil }
      presets.append(Preset(moved: moved, own: item["own"].flatMap(StoredAssignment.init(json:))))
    }
  }

  var json: JSONValue {
    .object([
      "attributes": .array(
        attributes.map {
          .object(["name": .string($0.name), "person_id": .integer($0.personID), "value": .string($0.value)])
        }),
      "presets": .array(presets.map { .object(["moved": $0.moved.json, "own": $0.own?.json ?? .null]) }),
    ])
  }
}

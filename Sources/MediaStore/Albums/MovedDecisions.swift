internal import Base
internal import Foundation
internal import MediaModel

/// What an album was that became part of another one, and what that got from it, as `former_album.moved` has it.
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

  /// By which the album was known; nil in rows of before.
  var names: AlbumNames?
  /// The keys of its files, at most ``mostFiles``: by them it is found again when the two part, whatever it is called then.
  var fileKeys: [Data] = []
  var attributes: [Attribute] = []
  var presets: [Preset] = []

  static let mostFiles = 200

  init() {}

  /// nil for anything else.
  init?(text: String) {
    guard let json = try? JSONValue(parsing: Array(text.utf8)) else { return nil }
    if let artist = json["artist"]?.string, let title = json["title"]?.string {
      names = AlbumNames(artist: artist, title: title)
    }
    fileKeys = (json["files"]?.array ?? []).compactMap { $0.string.flatMap(ContentHash.init(hexadecimal:)) }
      .map { Data($0.bytes) }
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
      "artist": .string(names?.artist), "title": .string(names?.title),
      "files": .array(fileKeys.compactMap { ContentHash(bytes: $0).map { .string($0.description) } }),
      "attributes": .array(
        attributes.map {
          .object(["name": .string($0.name), "person_id": .integer($0.personID), "value": .string($0.value)])
        }),
      "presets": .array(presets.map { .object(["moved": $0.moved.json, "own": $0.own?.json ?? .null]) }),
    ])
  }
}

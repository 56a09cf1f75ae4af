internal import MediaModel
internal import MediaStore

/// Assignments for programs.
enum PresetDocuments {
  static func json(_ assignment: PresetAssignment) -> JSONValue {
    var (hash, title, album, artist): (String?, String?, String?, String?)
    switch assignment.subject {
    case .track(let value, let label): (hash, title) = (value.description, label)
    case .album(let name, let owner): (album, artist) = (name, owner)
    case .artist(let name): artist = name
    case .library: break
    }
    return .object([
      "scope": .string(assignment.subject.scope.rawValue), "preset": .string(assignment.presetName),
      "on": .bool(assignment.isOn), "hash": .string(hash), "track": .string(title), "album": .string(album),
      "artist": .string(artist),
    ])
  }
}

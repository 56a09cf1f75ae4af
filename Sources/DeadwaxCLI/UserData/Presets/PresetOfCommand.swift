internal import ArgumentParser
internal import Base
internal import LibraryTracks
internal import MediaModel
internal import UserData

struct PresetOfCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "of",
    abstract: "Show which preset a track is played with, and why.",
    discussion: """
      TRACK is an id, the path of a file, or a query that finds exactly one track; 17#3 is the third part of a \
      track. With --user it is the preset that applies to that person's players: their own assignment if one covers \
      the track, else the one for everyone.
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var document: DocumentOptions

  @OptionGroup var person: PresetPersonOptions

  @Argument(help: ArgumentHelp("The track: an id, a path, or a query that finds exactly one.", valueName: "track"))
  var words: [String]

  func run() throws {
    try library.reading { store in
      let track = try store.tracks.resolve(BytePath(argument: words.joined(separator: " ")))
      let resolution = try store.presets.resolution(
        ofRecording: track.recordingID, preferring: track.files.first, part: track.part?.part.frames,
        for: try person.listener(in: store))
      if document.isWanted { return try document.write(Self.json(track, resolution)) }
      for line in Self.lines(resolution) { try StandardOutput.line(TerminalText.escaped(line)) }
    }
  }

  private static func json(_ track: TrackReference, _ resolution: PresetResolution) -> JSONValue {
    let path = track.files.first.map { JSONValue.path($0) } ?? []
    return .object(
      [
        .init("schema", .integer(1)), .init("id", .integer(track.recordingID)),
        .init("part", .integer(track.part?.number)),
      ] + path + [
        .init("preset", .string(resolution.presetName)),
        .init("from", .string(resolution.applied?.subject.scope.rawValue)),
        .init("switched_off", .string(resolution.silenced?.subject.scope.rawValue)),
        .init("assignments", .array(resolution.assignments.map(PresetDocuments.json))),
      ])
  }

  /// The preset and its reason, then the assignments that do not apply.
  private static func lines(_ resolution: PresetResolution) -> [String] {
    guard !resolution.assignments.isEmpty else {
      return ["none: nothing is assigned to the track, its album, its artist or the library"]
    }
    var lines: [String] = []
    if let silenced = resolution.silenced {
      lines.append("none: switched off for \(silenced.text)")
    } else if let applied = resolution.applied, let name = applied.presetName {
      lines.append("\(name): assigned to \(applied.text)")
    }
    for assignment in resolution.assignments where assignment != resolution.applied {
      guard let name = assignment.presetName else { continue }
      lines.append("  not \(name), which is assigned to \(assignment.text)")
    }
    return lines
  }
}

extension PresetAssignment {
  /// As in `assigned to the album 'Tides' for ana`.
  var text: String { "\(shown)" + (person.map { " for \($0)" } ?? "") }
}

/// Assignments as JSON.
enum PresetDocuments {
  static func json(_ assignment: PresetAssignment) -> JSONValue {
    var (hash, title, album, artist): (String?, String?, String?, String?)
    switch assignment.shown {
    case .track(let value, let label), .part(let value, _, let label): (hash, title) = (value.description, label)
    case .album(let name, let owner): (album, artist) = (name, owner)
    case .artist(let name): artist = name
    case .library: break
    }
    return .object([
      "scope": .string(assignment.subject.scope.rawValue), "preset": .string(assignment.presetName),
      "on": .bool(assignment.isOn), "hash": .string(hash), "track": .string(title), "album": .string(album),
      "artist": .string(artist), "user": .string(assignment.person),
    ])
  }
}

internal import Base
internal import HTTPServing
internal import LibraryQueries
internal import LibraryServing
internal import LibraryTracks
internal import MediaExchange
internal import MediaModel
internal import MediaStore
internal import UserData

/// Presets, where they apply, and presets in files.
struct PresetRoutes {
  let library: LibraryAccess

  var routes: [Route] {
    [
      Route(.get, "/presets", "All presets.", presets),
      Route(.put, "/presets/{name}", "Stores a preset, replacing one with that name.", store),
      Route(.delete, "/presets/{name}", "Deletes a preset without assignments.", answers: [], delete),
      Route(
        .post, "/presets/read", "Reads a preset file of any format without storing it.", needs: .reading, read),
      Route(.get, "/tracks/{id}/preset", "The preset that applies to a track, and why.", preset),
      Route(
        .put, "/tracks/{id}/preset", "Assigns a preset to the track, its album, its artist or the library.",
        needs: .own, assign),
    ]
  }

  private func presets(_ call: Call) throws -> Reply {
    let (revision, names, counts) = try library.reading { store in
      (try store.revision(), try store.presets.names(), try store.presets.assignmentCounts())
    }
    let rows = library.rows(names.count) { store, range, take in
      for place in range {
        // One that was deleted meanwhile is left out.
        guard let preset = try? store.presets.preset(named: names[place].text) else { continue }
        let count = JSONValue.integer(counts[preset.name] ?? 0)
        guard take(place, document(of: preset).preceded(by: [.init("assignments", count)])) else { return }
      }
    }
    return try Reply(["revision": .string(revision)], "presets", rows)
  }

  /// The document of docs/formats.md with its name; null where this version cannot read it.
  private func document(of preset: StoredPreset) -> JSONValue {
    .object([
      "name": .string(preset.name.text), "built_in": .bool(preset.isBuiltIn),
      "document": (try? JSONValue(parsing: Array(preset.document.utf8))) ?? .null,
    ])
  }

  private func store(_ call: Call) throws -> Reply {
    let preset = try checked { try Preset(document: call.document()) }
    let name = try checked { try PresetName(call.values["name"] ?? "") }
    guard preset.name == name else {
      throw HTTPProblem(422, "the document's name is not the name in the address")
    }
    return try library.writing { store in
      try store.presets.importAll([preset], replacing: true)
      return Reply(document(of: try store.presets.preset(named: preset.name.text)))
    }
  }

  private func delete(_ call: Call) throws -> Reply {
    try library.writing { try $0.presets.delete(named: call.values["name"] ?? "") }
    return .noContent
  }

  private let largestNoteCount = 500

  private func read(_ call: Call) throws -> Reply {
    let body = try call.document()
    guard let name = body["name"]?.string, let text = body["text"]?.string else {
      throw HTTPProblem(422, "name and text of the file are missing")
    }
    let found: PresetImport
    do { found = try PresetImport(Array(text.utf8), fileName: name) } catch { throw HTTPProblem(422, "\(error)") }
    let notes = found.notes.prefix(largestNoteCount).map { RowText.value("\($0)") }
    return try Reply(
      ["format": .string(found.format.rawValue), "notes": .array(Array(notes))], "presets",
      JSONRows(found.presets, \.document))
  }

  private func preset(_ call: Call) throws -> Reply {
    try library.reading { Reply(try resolution(of: try call.track(in: $0), in: $0)) }
  }

  private func resolution(of track: TrackReference, in store: MediaStore) throws -> JSONValue {
    let resolution = try store.presets.resolution(ofRecording: track.recordingID)
    let preset = try resolution.presetName.map { try store.presets.preset(named: $0) }
    return .object([
      "preset": preset.map { document(of: $0) } ?? .null,
      "from": .string(resolution.applied?.subject.scope.rawValue),
      "silenced": .string(resolution.silenced?.subject.scope.rawValue),
      "assignments": .array(
        resolution.assignments.map {
          .object([
            "scope": .string($0.subject.scope.rawValue), "preset": .string($0.presetName), "on": .bool($0.isOn),
          ])
        }),
    ])
  }

  private func assign(_ call: Call) throws -> Reply {
    let body = try call.document()
    guard let scope = body["scope"]?.string.flatMap({ PresetScope(rawValue: $0) }), scope != .part else {
      throw HTTPProblem(422, "scope is track, album, artist or library")
    }
    guard let preset = body["preset"], preset == .null || preset.string != nil else {
      throw HTTPProblem(422, "preset is a name, or null for none")
    }
    return try library.writing { store in
      let track = try call.track(in: store)
      let subjects = try store.presets.subjects(scope, of: store.tracks.query(naming: [String(track.recordingID)]))
      guard !subjects.isEmpty else { throw HTTPProblem(422, "the track's tags have no \(scope.rawValue)") }
      if let name = preset.string {
        _ = try store.presets.assign(named: name, to: subjects)
      } else {
        _ = try store.presets.unassign(of: subjects)
      }
      return Reply(try resolution(of: track, in: store))
    }
  }

  /// A value of the request; what is wrong with it becomes 422.
  private func checked<Value>(_ value: () throws -> Value) throws -> Value {
    do { return try value() } catch let error as PresetError { throw HTTPProblem(422, error.description) }
  }
}

internal import ArgumentParser
internal import MediaExport
internal import MediaModel
internal import MediaStore
internal import Synchronization

/// The preset with which each track is heard, as a file for each track in a folder; tracks without one are left out.
struct PresetFolderExport {
  static let formats = PresetFormat.allCases.map(\.rawValue)

  let format: PresetFormat

  init(format: String) throws {
    guard let format = PresetFormat(rawValue: format) else { throw ValidationError("there is no format '\(format)'") }
    self.format = format
  }

  func write(_ query: Query, in store: MediaStore, _ run: BatchRun) throws {
    let equalized = try store.query("has:preset").condition
    let found = Query(condition: .all([query.condition, equalized].compactMap { $0 }), order: query.order)
    let notes = Mutex<[BytePath: [ExchangeNote]]>([:])
    // Told in the end, apart from the line of progress.
    defer {
      for (path, notes) in notes.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
        ExchangeReport.write(notes, about: path.lastComponent.displayString, output: run.output)
      }
    }
    try run(over: found, in: store) { item in
      let resolution = try store.presetResolution(ofRecording: item.recordingID, preferring: item.path)
      guard let name = resolution.presetName else { throw TrackFailure.noPreset(id: item.recordingID) }
      let export = try PresetExport([try store.preset(named: name).preset()], as: format)
      if !export.notes.isEmpty { notes.withLock { $0[item.output] = export.notes } }
      return export.bytes
    }
  }
}

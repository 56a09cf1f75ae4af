internal import ArgumentParser
internal import Base
internal import LibraryQueries
internal import LibraryTracks
internal import MediaExchange
internal import MediaModel
internal import MediaRendering
internal import MediaStore
internal import QueryLanguage
internal import Synchronization
internal import UserData

/// Stored waveforms or spectra: a file for each track, in a folder.
struct FolderExport {
  let kind: ProductKind
  let format: String

  static func formats(_ kind: ProductKind) -> [String] { kind == .waveform ? ["dat", "json"] : ["json", "csv"] }

  func write(_ query: Query, in store: MediaStore, _ run: BatchRun) throws {
    try run(over: query, in: store) { item in
      guard let product = try store.products.product(kind, ofRecording: item.recordingID) else {
        let isDecoded = try store.recordings.recording(id: item.recordingID)?.format?.decodedFrameCount ?? 0 > 0
        throw isDecoded ? RenderingError.notStored(kind, item.path) : RenderingError.noRecording(item.path)
      }
      return try content(product)
    }
  }

  private func content(_ product: Product) throws -> [UInt8] {
    switch (kind, format) {
    case (.waveform, "json"): Array(try WaveformPeaks(datBytes: product.bytes).jsonText.utf8)
    case (.waveform, _): product.bytes
    case (_, "csv"): Array(SpectrumTable(try SpectrumSummary(blob: product.bytes)).csvText.utf8)
    default: Array(SpectrumTable(try SpectrumSummary(blob: product.bytes)).jsonText.utf8)
    }
  }
}

/// The preset with which each track is played: a file for each track that has one, in a folder.
struct PresetFolderExport {
  static let formats = PresetFormat.allCases.map(\.rawValue)

  let format: PresetFormat

  init(format: String) throws {
    guard let format = PresetFormat(rawValue: format) else { throw ValidationError("unknown format '\(format)'") }
    self.format = format
  }

  func write(_ query: Query, in store: MediaStore, _ run: BatchRun) throws {
    let equalized = try store.query("has:preset").condition
    let found = Query(condition: .all([query.condition, equalized].compactMap { $0 }), order: query.order)
    let notes = Mutex<[BytePath: [ExchangeNote]]>([:])
    // Reported at the end, because the progress line is shown until then.
    defer {
      for (path, notes) in notes.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
        ExchangeReport.write(notes, about: path.lastComponent.displayString, output: run.output)
      }
    }
    try run(over: found, in: store) { item in
      let resolution = try store.presets.resolution(ofRecording: item.recordingID, preferring: item.path)
      guard let name = resolution.presetName else { throw RenderingError.noPreset(id: item.recordingID) }
      let export = try PresetExport([try store.presets.preset(named: name).preset()], as: format)
      if !export.notes.isEmpty { notes.withLock { $0[item.output] = export.notes } }
      return export.bytes
    }
  }
}

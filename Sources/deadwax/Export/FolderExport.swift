internal import ArgumentParser
internal import MediaExport
internal import MediaModel
internal import MediaStore

/// Subjects that become a file for each track, in a folder: waveforms and spectra as they are stored.
struct FolderExport {
  let kind: ProductKind
  let format: String

  static func formats(_ kind: ProductKind) -> [String] { kind == .waveform ? ["dat", "json"] : ["json", "csv"] }

  func write(_ query: Query, in store: MediaStore, _ run: BatchRun) throws {
    try run(over: query, in: store) { item in
      guard let product = try store.product(kind, ofRecording: item.recordingID) else {
        let hasSound = try store.recording(id: item.recordingID)?.format?.decodedFrameCount ?? 0 > 0
        throw hasSound ? TrackFailure.notStored(kind, item.path) : TrackFailure.noSound(item.path)
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

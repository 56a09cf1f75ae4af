import MediaDrawing
import MediaExchange
import MediaModel
import MediaRendering

/// A stored product: the first byte chooses its kind; the rest are its bytes, as a damaged library may have them.
struct StoredBlobTarget: FuzzTarget {
  let name = "stored-blob"

  var seeds: [[UInt8]] {
    let summary = SpectrumSummary(
      sampleRateInHz: 44_100, mix: Self.levels(80), channels: [Self.levels(80), Self.levels(80)], bins: Self.levels(33))
    var histogram = GatingHistogram()
    for energy in [0.001, 0.01, 0.0101, 0.5] { histogram.insert(energy: energy) }
    let fingerprint = AcoustIDFingerprint(algorithm: 1, words: [0, 1, 0x8000_0001, 0xFFFF_FFFF, 0x1234_5678])
    return [
      [0] + WaveformDatTarget.peaks[0].datBytes, [0] + WaveformDatTarget.peaks[3].datBytes,
      [1]
        + WaveformEnergy(
          sampleRateInHz: 44_100, framesPerPoint: 1024,
          points: [.init(rms: 200, low: 190, mid: 30, high: 0), .init(rms: 1, low: 255, mid: 128, high: 7)]
        ).blob,
      [2] + summary.blob,
      [3] + SpectrumGrid(columnsPerSecond: 4, bandCount: 80, steps: (0..<240).map { UInt8($0) }).blob,
      [4] + histogram.blob, [5] + fingerprint.compressed, [6] + Array(fingerprint.text.utf8),
    ]
  }

  private static func levels(_ count: Int) -> SpectrumSummary.Levels {
    SpectrumSummary.Levels(
      meanInDB: (0..<count).map { -Float($0) / 2 }, maximumInDB: (0..<count).map { -Float($0) / 4 })
  }

  func check(_ bytes: [UInt8]) throws {
    guard let kind = bytes.first else { return }
    let blob = Array(bytes.dropFirst())
    switch kind % 7 {
    case 0: try peaks(blob)
    case 1: try energy(blob)
    case 2: try summary(blob)
    case 3: try grid(blob)
    case 4: try histogram(blob)
    case 5: try fingerprint(try? AcoustIDFingerprint(compressed: blob))
    default: try fingerprint(try? AcoustIDFingerprint(text: String(decoding: blob, as: UTF8.self)))
    }
  }

  private func peaks(_ blob: [UInt8]) throws {
    guard let peaks = try? WaveformPeaks(datBytes: blob) else { return }
    try PeakUses.check(peaks)
  }

  private func energy(_ blob: [UInt8]) throws {
    guard let energy = try? WaveformEnergy(blob: blob) else { return }
    try require(try WaveformEnergy(blob: energy.blob) == energy, "energies are not read as they are written")
    _ = TerminalPictures.waveform(
      WaveformDatTarget.peaks[0], energy: energy, width: 20,
      capabilities: TerminalCapabilities(hasUnicode: true, colorDepth: .trueColor))
  }

  private func summary(_ blob: [UInt8]) throws {
    guard let summary = try? SpectrumSummary(blob: blob) else { return }
    // Levels beyond 120 dB are clamped when they are written.
    try require(try SpectrumSummary(blob: summary.blob).blob == summary.blob, "a spectrum is not read as it is written")
    _ = SpectrumSummary.meanLevel(ofBand: 7, inBlob: blob)
    let table = SpectrumTable(summary, weighting: .a)
    _ = table.jsonText
    _ = TerminalPictures.spectrum(table, width: 60, capabilities: PictureUses.capabilities)
    for isSplit in [false, true] {
      let request = try SpectrumRequest(bandCount: 31, fromHz: 20, toHz: 20_000, splitsChannels: isSplit)
      _ = request.tables(from: summary)
    }
  }

  private func grid(_ blob: [UInt8]) throws {
    guard let grid = try? SpectrumGrid(blob: blob) else { return }
    try require(try SpectrumGrid(blob: grid.blob) == grid, "a spectrogram is not read as it is written")
    let section = SpectrogramSection(grid, startInSeconds: 0.3, endInSeconds: 20, isSmoothed: true, smoothing: 0.5)
    _ = section.csvText
    let coarse = section.coarsened(toColumnsPerSecond: 1)
    _ = TerminalPictures.spectrogram(coarse, width: 40, capabilities: PictureUses.capabilities)
    _ = TerminalPictures.spectrogram(SpectrogramSection(grid), width: 40, capabilities: PictureUses.capabilities)
  }

  private func histogram(_ blob: [UInt8]) throws {
    guard var histogram = try? GatingHistogram(blob: blob) else { return }
    // Tiny values may become zero, and then be refused.
    _ = try? GatingHistogram(blob: histogram.blob)
    histogram.formUnion(histogram)
    for value in [histogram.integratedLoudness, histogram.loudnessRange] {
      try require(value?.isFinite ?? true, "a loudness of \(value ?? 0)")
    }
  }

  private func fingerprint(_ fingerprint: AcoustIDFingerprint?) throws {
    guard let fingerprint else { return }
    let again = try AcoustIDFingerprint(compressed: fingerprint.compressed)
    try require(again == fingerprint, "a fingerprint is not read as it is written")
    try require(try AcoustIDFingerprint(text: fingerprint.text) == fingerprint, "nor from its text")
    _ = fingerprint.rawText
  }
}

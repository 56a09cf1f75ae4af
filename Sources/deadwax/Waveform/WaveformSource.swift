internal import MediaExport
internal import MediaModel

/// Where the peaks of a waveform are taken from: a track of the library, or a file of peaks.
protocol WaveformSource {
  var inventory: WaveformInventory { get }

  /// Files that must never be written onto.
  var inputs: [BytePath] { get }

  /// nil where none is known.
  func energy() throws -> WaveformEnergy?

  /// What a style that needs the energy is refused with where none is known.
  var absenceOfEnergy: any Error { get }

  func peaks(for selection: WaveformSelection) throws -> WaveformPeaks
}

extension WaveformSource {
  func requiredEnergy() throws -> WaveformEnergy {
    guard let energy = try energy() else { throw absenceOfEnergy }
    return energy
  }
}

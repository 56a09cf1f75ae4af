internal import MediaExport
internal import MediaModel

/// Where the peaks of a waveform are taken from: a track of the library, or a file of peaks.
protocol WaveformSource {
  var inventory: WaveformInventory { get }

  /// Files that must never be written onto.
  var inputs: [BytePath] { get }

  /// nil where none is known.
  func energy() throws -> WaveformEnergy?

  func peaks(for selection: WaveformSelection) throws -> WaveformPeaks
}

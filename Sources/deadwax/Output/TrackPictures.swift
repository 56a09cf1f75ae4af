internal import MediaExport
internal import MediaModel
internal import MediaStore

/// The waveform and the spectrum that `show` draws below the numbers.
enum TrackPictures {
  /// Lines of text, each ended by a newline; empty where nothing is stored to be drawn.
  static func drawings(
    of track: TrackReference, in store: MediaStore, width: Int, capabilities: TerminalCapabilities
  ) throws -> String {
    var text = ""
    if let product = try store.product(.waveform, ofRecording: track.recordingID) {
      let energy = try store.product(.waveformEnergy, ofRecording: track.recordingID)
      text += "\n"
      text += TerminalPictures.waveform(
        try WaveformPeaks(datBytes: product.bytes), energy: try energy.map { try WaveformEnergy(blob: $0.bytes) },
        width: width, capabilities: capabilities)
    }
    if let product = try store.product(.spectrum, ofRecording: track.recordingID) {
      text += "\n"
      text += TerminalPictures.spectrum(
        try SpectrumSummary(blob: product.bytes), width: width, capabilities: capabilities)
    }
    return text
  }
}

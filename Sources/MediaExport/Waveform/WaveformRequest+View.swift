extension WaveformRequest {
  /// As ``selection(from:)``, decoding only what a picture shows.
  ///
  /// Points from the store are of the whole recording and begin with point 0; decoded ones begin with the view's first.
  package func selection(
    from stored: WaveformInventory, showing view: WaveformView
  ) throws(ExportError) -> WaveformSelection {
    switch try selection(from: stored) {
    case .decoded(var decoding):
      decoding.frames = view.frames
      return .decoded(decoding)
    case let selection: return selection
    }
  }
}

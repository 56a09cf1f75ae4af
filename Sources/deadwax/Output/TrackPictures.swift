internal import MediaModel
internal import MediaStore

/// The waveform and the spectrum that `show` draws below the numbers.
enum TrackPictures {
  /// Lines of text, each ended by a newline; empty where nothing is stored to be drawn.
  static func drawings(of track: TrackReference, in store: MediaStore, width: Int) throws -> String { "" }
}

package import MediaModel

/// What a file is, judged by its bytes alone.
package struct SniffedContent: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case audio
    /// Zero bytes.
    case empty
    /// Something else, or nothing known.
    case other
  }

  package var kind: Kind
  /// Set exactly where `kind` is `audio`.
  package var container: Container?
  /// nil where the bytes do not name one, or it has no name in ``Codec``.
  package var codec: Codec?
  /// For people: the codec ("AAC"), or what the file is instead of audio ("JPEG").
  package var name: String
  /// The audio is encrypted.
  package var isProtected = false

  static func audio(_ container: Container, _ codec: Codec? = nil, name: String, isProtected: Bool = false) -> Self {
    SniffedContent(kind: .audio, container: container, codec: codec, name: name, isProtected: isProtected)
  }

  static func other(_ name: String) -> Self { SniffedContent(kind: .other, container: nil, codec: nil, name: name) }

  static let empty = SniffedContent(kind: .empty, container: nil, codec: nil, name: "nothing")

  /// Whether a name with this extension (lower case, no dot) leads one to expect such content; true where the
  /// extension says nothing.
  package func isExpected(underExtension pathExtension: String) -> Bool {
    guard let container, let expected = Self.containersByExtension[pathExtension] else { return true }
    return expected.contains(container)
  }

  private static let containersByExtension: [String: Set<Container>] = [
    "wav": [.wav, .rf64, .w64], "wave": [.wav, .rf64], "bwf": [.wav, .rf64], "rf64": [.rf64], "w64": [.w64],
    "aif": [.aiff], "aiff": [.aiff], "aifc": [.aiff], "afc": [.aiff], "caf": [.caf], "au": [.au], "snd": [.au],
    "flac": [.flac], "fla": [.flac], "ogg": [.ogg], "oga": [.ogg], "ogv": [.ogg], "opus": [.ogg], "spx": [.ogg],
    "mp1": [.mpeg], "mp2": [.mpeg], "mp3": [.mpeg], "mpga": [.mpeg], "m4a": [.mp4], "m4b": [.mp4], "m4p": [.mp4],
    "mp4": [.mp4], "aac": [.adts, .mp4], "wma": [.asf], "asf": [.asf], "ape": [.ape], "wv": [.wavpack],
    "mpc": [.musepack], "mp+": [.musepack], "tta": [.trueAudio], "dsf": [.dsf], "dff": [.dsdiff],
    "mka": [.matroska], "mkv": [.matroska], "webm": [.matroska], "mid": [.midi], "midi": [.midi],
    "it": [.trackerModule], "xm": [.trackerModule], "s3m": [.trackerModule], "mod": [.trackerModule],
  ]
}

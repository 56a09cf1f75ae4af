internal import MediaModel

/// The media types of sound files.
enum SoundFileType {
  static func mediaType(_ container: Container) -> String {
    switch container.rawValue {
    case "flac": "audio/flac"
    case "mpeg", "mp3": "audio/mpeg"
    case "ogg": "audio/ogg"
    case "mp4": "audio/mp4"
    case "wav", "rf64", "w64": "audio/wav"
    case "aiff", "aifc": "audio/aiff"
    case "adts", "aac": "audio/aac"
    default: MediaType.bytes.rawValue
    }
  }
}

import MediaModel

/// Where a file has its audio, for the containers that have a decoder.
enum StreamLayout {
  case mpeg(MPEGStream)
  case ogg(OggStream)
  case flac(FLACLayout)
  case pcm(PCMLayout)
  /// No decoder takes the container, or its structure is broken.
  case none

  /// - Parameter onPayload: gets the encoded audio of those containers that are walked piece by piece: MPEG and Ogg.
  static func find(
    _ bytes: BufferedBytes, content: SniffedContent, onPayload: ((UnsafeRawBufferPointer) -> Void)? = nil
  ) throws(DecodingError) -> StreamLayout {
    switch content.container {
    case .mpeg:
      let stream = try MPEGStream.scan(bytes, range: TagBounds(bytes).audio, onFrame: onPayload)
      return stream.map { .mpeg($0) } ?? .none
    case .ogg:
      return .ogg(try OggStream(bytes, range: TagBounds(bytes).audio, onAudio: onPayload))
    case .flac: return .flac(try FLACLayout(bytes, range: TagBounds(bytes).audio))
    case .wav, .rf64, .w64, .aiff, .caf, .au:
      do throws(DecodingError) {
        return .pcm(try PCMLayout.find(content.container ?? .wav, bytes))
      } catch {
        if case .unreadable = error { throw error }
        return .none
      }
    default: return .none
    }
  }
}

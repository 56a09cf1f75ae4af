import MediaModel

extension ContentSniffer {
  /// RIFF, IFF and their kin.
  static func sniffChunks(
    _ bytes: BufferedBytes, head: UnsafeRawBufferPointer
  ) throws(DecodingError) -> SniffedContent? {
    guard let container = chunkContainer(head) else { return nil }
    do throws(DecodingError) {
      let layout = try PCMLayout.find(container, bytes)
      return .audio(container, layout.codec, name: layout.codec?.rawValue ?? layout.codecName)
    } catch {
      if case .unreadable = error { throw error }
      return .audio(container, nil, name: container.rawValue)
    }
  }

  private static func chunkContainer(_ head: UnsafeRawBufferPointer) -> Container? {
    if head.has("RIFF", at: 0) || head.has("RIFX", at: 0), head.has("WAVE", at: 8) { return .wav }
    if head.has("RF64", at: 0) || head.has("BW64", at: 0), head.has("WAVE", at: 8) { return .rf64 }
    if head.has("riff", at: 0), head.has("wave", at: 24) { return .w64 }
    if head.has("FORM", at: 0), head.has("AIFF", at: 8) || head.has("AIFC", at: 8) { return .aiff }
    if head.has("caff", at: 0) { return .caf }
    if head.has(".snd", at: 0) || head.has("dns.", at: 0) { return .au }
    return nil
  }
}

extension PCMLayout {
  /// Of a container that starts the file, or stands behind the tags in front.
  ///
  /// - Precondition: `container` is one of the chunked PCM containers.
  static func find(_ container: Container, _ bytes: BufferedBytes) throws(DecodingError) -> PCMLayout {
    let start = try TagBounds.start(of: bytes)
    return switch container {
    case .wav, .rf64: try wav(bytes, from: start)
    case .w64: try wave64(bytes, from: start)
    case .aiff: try aiff(bytes, from: start)
    case .caf: try caf(bytes, from: start)
    default: try au(bytes, from: start)
    }
  }
}

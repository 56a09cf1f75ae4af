import MediaModel

/// Where a file has its stream, for the containers that have a decoder.
enum StreamLayout {
  case mpeg(MPEGLayout)
  case ogg(OggLayout)
  case flac(FLACLayout)
  case pcm(PCMLayout)
  /// There is no decoder for the container, or its structure is broken.
  case none

  /// - Parameter onStream: gets the stream of those containers that are walked piece by piece: MPEG and Ogg.
  static func find(
    _ bytes: BufferedBytes, content: SniffedContent, onStream: ((UnsafeRawBufferPointer) -> Void)? = nil
  ) throws(DecodingError) -> StreamLayout {
    switch content.container {
    case .mpeg:
      let stream = try MPEGLayout.scan(bytes, range: TagBounds(bytes).audio, onFrame: onStream)
      return stream.map { .mpeg($0) } ?? .none
    case .ogg:
      return .ogg(try OggLayout(bytes, range: TagBounds(bytes).audio, onAudio: onStream))
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

/// Hashes the stream of a file without what taggers change, so that equal recordings have equal hashes.
///
/// MPEG: the frames, without tags, junk and Xing, Info or VBRI frames. FLAC: the frames. Ogg: the packets of the first
/// audio stream of each link, without headers and page boundaries. WAV, RF64, W64, AIFF, CAF, AU: the data chunk, and
/// how it is to be read, which its bytes do not say. MP4: the media data boxes. ASF: the packets. APE, WavPack,
/// Musepack, TTA, ADTS: the file without the tags around it. Everything else: the whole file.
struct StreamHasher {
  let bytes: BufferedBytes
  let content: SniffedContent

  /// Also returns the layout, which a decoder needs.
  func hash() throws(DecodingError) -> (hash: ContentHash, byteCount: Int64, layout: StreamLayout) {
    guard let hash = ContentHasher() else { throw .unsupported(reason: "not enough memory for a hash") }
    let layout = try StreamLayout.find(bytes, content: content) { hash.update($0) }
    if case .pcm(let layout) = layout { hash.note(layout.reading) }
    for range in try ranges(layout) { try bytes.forEachPiece(in: range) { hash.update($0) } }
    return (hash.digest, hash.byteCount, layout)
  }

  /// What is still to be hashed when the layout is known.
  private func ranges(_ layout: StreamLayout) throws(DecodingError) -> [Range<Int64>] {
    let whole = 0..<bytes.byteCount
    switch layout {
    case .mpeg, .ogg: return []
    case .flac(let layout): return [layout.frames]
    case .pcm(let layout): return [layout.data]
    case .none: break
    }
    switch content.container {
    case .mp4:
      let media = try MP4Layout(bytes).mediaData
      return media.isEmpty ? [whole] : media
    case .asf: return [try ASFLayout.packets(bytes) ?? whole]
    case .ape, .wavpack, .musepack, .trueAudio, .adts: return [try TagBounds(bytes).audio]
    default: return [whole]
    }
  }
}

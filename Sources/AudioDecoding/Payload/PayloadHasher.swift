import MediaModel

/// Hashes the encoded audio of a file without what taggers change, so that equal sound has equal hashes.
///
/// MPEG: the frames, without tags, junk and Xing, Info or VBRI frames. FLAC: the frames. Ogg: the packets of the first
/// audio stream of each link, without headers and page boundaries. WAV, RF64, W64, AIFF, CAF, AU: the data chunk, and how it
/// is to be read, which no byte of it says. MP4: the media data boxes. ASF: the packets. APE, WavPack, Musepack, TTA, ADTS:
/// the file without the tags around it. Everything else: the whole file.
struct PayloadHasher {
  let bytes: BufferedBytes
  let content: SniffedContent

  /// Also gives the layout found on the way, which a decoder needs again.
  func hash() throws(DecodingError) -> (hash: ContentHash, byteCount: Int64, layout: StreamLayout) {
    guard let hash = StreamingHash() else { throw .unsupported(reason: "no memory for a hash") }
    let layout = try StreamLayout.find(bytes, content: content) { hash.update($0) }
    if case .pcm(let layout) = layout { hash.note(layout.reading) }
    for range in try ranges(layout) { try bytes.forEachPiece(in: range) { hash.update($0) } }
    return (hash.digest, hash.byteCount, layout)
  }

  /// What is still to be hashed once the layout is known.
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

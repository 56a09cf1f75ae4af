internal import AudioDecoding
internal import MediaExport
internal import MediaModel

/// A range of a track on its way into a sound file, block by block.
struct SegmentWriting {
  let reader: SegmentReader
  let frames: Range<Int64>
  let encoder: any SoundEncoder
  /// Where each channel of the file comes from; nil for the order they have.
  let permutation: [Int]?

  /// Hands on the bytes of the sound file, from the first to the last.
  ///
  /// - Returns: What takes the place of the first bytes.
  func encode(_ write: ([UInt8]) throws -> Void) throws -> [UInt8] {
    let count = try reader.forEachPiece(of: frames) { samples in
      if let permutation {
        let reordered = ChannelOrder.reordered(samples, by: permutation)
        try write(try encoder.encode(reordered.span))
      } else {
        try write(try encoder.encode(samples))
      }
    }
    guard count == Int64(frames.count) else {
      throw TrackFailure.missingFrames(Int64(frames.count) - count)
    }
    let (end, start) = try encoder.finish()
    if !end.isEmpty { try write(end) }
    return start
  }
}

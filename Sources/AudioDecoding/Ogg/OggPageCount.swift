/// Frames of the page that is being decoded, against the positions before and behind it.
///
/// The whole stream is cut by its last position, but behind a gap that position counts what is missing: there only the
/// last page says how much of it is padding.
struct OggPageCount: Hashable {
  /// The last position that was passed.
  private var granule: Int64?
  /// Frames decoded since.
  private var frameCount: Int64 = 0

  /// Takes the next packet; gives the number of frames at its end that the stream does not have.
  mutating func surplus(of packet: OggPacketReader.Packet, frameCount new: Int64) -> Int64 {
    frameCount += new
    guard let end = packet.granule else { return 0 }
    defer {
      granule = end
      frameCount = 0
    }
    guard packet.isLast, let granule, end >= granule else { return 0 }
    return max(0, min(new, frameCount - (end - granule)))
  }
}

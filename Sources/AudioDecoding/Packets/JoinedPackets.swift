import MediaModel

/// The packets of a track one behind another, as if they were a file of their own.
///
/// Frames of MPEG audio, FLAC and PCM need no bounds: so their decoders read them out of any container, and give the
/// same samples, problems and hashes as for a bare stream.
final class JoinedPackets: JoinedBytes {
  /// What the file begins with, such as the headers of FLAC.
  private let head: [UInt8]
  private let reader: any PacketReader
  /// Numbers of packets by their places in the joined bytes.
  private var index = SeekIndex<Int64>(stride: 32 * 1024)
  private let byteCount: Int64
  /// The next packet, and its place.
  private var number: Int64 = 0
  private var offset: Int64
  private var packet: Packet?

  init(_ source: any PacketSource, bytes: BufferedBytes, head: [UInt8] = []) throws(DecodingError) {
    self.head = head
    reader = source.makeReader(bytes)
    byteCount = Int64(head.count) + source.byteCount
    offset = Int64(head.count)
    // The index grows while the packets are read; without it a jump would begin at the first one.
    index.add(0, at: offset)
  }

  /// As a file.
  var file: FileBytes { FileBytes(self, byteCount: byteCount) }

  func read(into buffer: UnsafeMutableRawBufferPointer, at place: Int64) throws(DecodingError) -> Int {
    var done = 0
    if place < Int64(head.count) {
      buffer.copyBytes(from: head[Int(place)...].prefix(buffer.count))
      done = min(buffer.count, head.count - Int(place))
    }
    if done < buffer.count { try go(before: place + Int64(done)) }
    while done < buffer.count {
      if packet == nil { packet = try reader.next() }
      guard let packet else { break }
      let first = Int(place + Int64(done) - offset)
      let (size, copied) = try reader.withBytes(of: packet) { bytes in
        guard first < bytes.count else { return (bytes.count, 0) }
        let piece = bytes[first...].prefix(buffer.count - done)
        UnsafeMutableRawBufferPointer(rebasing: buffer[done...]).copyBytes(from: piece)
        return (bytes.count, piece.count)
      }
      done += copied
      // The rest of a packet is read the next time.
      if first + copied < size { break }
      self.packet = nil
      number += 1
      offset += Int64(size)
      index.add(number, at: offset)
    }
    return done
  }

  /// Makes a packet the next one that does not begin behind `place`.
  private func go(before place: Int64) throws(DecodingError) {
    guard let entry = index.entry(atOrBefore: place), place < offset || entry.position > offset else { return }
    try reader.go(toPacket: entry.value)
    packet = nil
    (number, offset) = (entry.value, entry.position)
  }
}

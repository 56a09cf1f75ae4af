/// How many frames the packets of a track give, by their first bytes.
protocol PacketDurations {
  /// Of the next packet.
  mutating func frameCount(first: UInt8, second: UInt8, byteCount: Int) -> Int64
}

extension PacketDurations {
  /// Of a packet that is all there.
  mutating func frameCount(_ packet: UnsafeRawBufferPointer) -> Int {
    Int(frameCount(first: packet.first ?? 0, second: packet.count > 1 ? packet[1] : 0, byteCount: packet.count))
  }
}

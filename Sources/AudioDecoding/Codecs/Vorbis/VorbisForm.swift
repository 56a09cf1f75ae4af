import MediaModel

extension StreamHashers.Rules {
  static let vorbis = Self("vorbis")
}

extension PacketForm {
  /// - Parameter lacedHeaders: the three header packets in one piece.
  static func vorbis(lacedHeaders: [UInt8], in container: Container) throws(DecodingError) -> PacketForm {
    try vorbis(headers: laced(lacedHeaders), in: container)
  }

  /// Several packets in one piece of bytes: their number less one, their sizes but the last, then they themselves.
  private static func laced(_ bytes: [UInt8]) -> [[UInt8]] {
    guard let last = bytes.first else { return [] }
    var sizes: [Int] = []
    var place = 1
    while sizes.count < Int(last) {
      var size = 0
      repeat {
        guard place < bytes.count else { return [] }
        size += Int(bytes[place])
        place += 1
      } while bytes[place - 1] == 255
      sizes.append(size)
    }
    var result: [[UInt8]] = []
    for size in sizes {
      guard size <= bytes.count - place else { return [] }
      result.append(Array(bytes[place..<place + size]))
      place += size
    }
    return result + [Array(bytes[place...])]
  }

  /// - Parameter headers: the three header packets.
  private static func vorbis(headers: [[UInt8]], in container: Container) throws(DecodingError) -> PacketForm {
    guard headers.count == 3, let rate = headers[0].littleEndian(UInt32.self, at: 12) else {
      throw .missing("Vorbis headers", in: container)
    }
    guard let durations = try? VorbisHeaders(identification: headers[0], setup: headers[2]).durations else {
      throw .missing("usable Vorbis headers", in: container)
    }
    let codec = PacketCodec(
      codec: .vorbis, sampleRateInHz: Int(rate), channelCount: Int(headers[0][11]),
      channelOrder: .vorbis, frameCountPerPacket: nil, identity: "", restart: .preroll(packetCount: 2)
    ) { () throws(DecodingError) in XiphPacketAdapter(try VorbisHeaders(headers).makeDecoder()) }
    return PacketForm(
      codec: codec, rules: .vorbis, durations: durations, configuration: [headers[0], headers[2]])
  }
}

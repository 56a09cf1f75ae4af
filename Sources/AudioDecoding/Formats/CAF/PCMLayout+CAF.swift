import MediaModel

extension PCMLayout {
  /// Core Audio Format.
  ///
  /// - Returns: also where packets of AAC and ALAC are, which libsndfile does not read.
  static func caf(
    _ bytes: BufferedBytes, from origin: Int64
  ) throws(DecodingError) -> (samples: PCMLayout, packets: CAFPacketTable?) {
    var offset = origin + 8
    var description: (rate: Double, id: [UInt8], flags: UInt32, packetBytes: Int, channels: Int, bits: Int)?
    var data: (start: Int64, byteCount: Int64?)?
    var packetTable: Range<Int64>?
    var cookie: [UInt8]?
    for _ in 0..<ChunkForm.maximumCount {
      let head = try bytes.copy(at: offset, count: 12)
      guard head.count == 12, let size = head.bigEndian(Int64.self, at: 4) else { break }
      let start = offset + 12
      if head.has("desc", at: 0), description == nil {
        let body = try bytes.copy(at: start, count: 32)
        if let bits = body.bigEndian(UInt64.self, at: 0), let flags = body.bigEndian(UInt32.self, at: 12),
          let packetBytes = body.bigEndian(UInt32.self, at: 16), let channels = body.bigEndian(UInt32.self, at: 24),
          let depth = body.bigEndian(UInt32.self, at: 28)
        {
          description = (
            Double(bitPattern: bits), Array(body[8..<12]), flags, Int(packetBytes), Int(channels), Int(depth)
          )
        }
      } else if head.has("kuki", at: 0), cookie == nil {
        cookie = try bytes.copy(at: start, count: Int(max(0, min(size, 256))))
      } else if head.has("pakt", at: 0) {
        packetTable = start..<start + max(0, min(size, bytes.byteCount - start))
      } else if head.has("data", at: 0), data == nil {
        // The edit count comes first. A size of -1 says that the data reaches to the end.
        var isOpen = size < 0
        if !isOpen { isOpen = try OpenLength.isOpen(bytes, byteCount: size - 4, at: start + 4, .caf) }
        data = (start + 4, isOpen ? nil : size - 4)
        if isOpen { break }
      }
      let (next, overflow) = start.addingReportingOverflow(size)
      guard size >= 0, !overflow, next < bytes.byteCount else { break }
      offset = next
    }
    guard let description else { throw .missing("desc chunk", in: .caf) }
    guard let data else { throw .missing("data chunk", in: .caf) }
    let available = max(0, bytes.byteCount - data.start)
    let byteCount = min(data.byteCount ?? available, available)
    var layout = PCMLayout(
      whole: origin..<bytes.byteCount, data: data.start..<data.start + byteCount,
      sampleRateInHz: try integerRate(description.rate), channelCount: description.channels)
    try layout.checkShape()
    var packets: CAFPacketTable?
    switch String(decoding: description.id, as: UTF8.self) {
    case "lpcm":
      try layout.setPCM(
        bitsPerSample: description.bits, isFloat: description.flags & 1 != 0, isUnsigned8: false,
        isBigEndian: description.flags & 2 == 0)
      if description.packetBytes > 0, description.packetBytes != layout.bytesPerFrame {
        guard description.packetBytes % layout.channelCount == 0, description.flags & 1 == 0 else {
          throw .impossibleHeader("the header gives \(description.packetBytes) bytes per packet")
        }
        try layout.setPCM(
          bitsPerSample: description.packetBytes / layout.channelCount * 8, isFloat: false, isUnsigned8: false,
          isBigEndian: description.flags & 2 == 0)
        layout.bitsPerSample = description.bits
      }
    case "alaw": layout.setLaw(.aLaw)
    case "ulaw": layout.setLaw(.muLaw)
    // The flags give the width of the samples. libsndfile reads no ALAC without them; FFmpeg leaves them out.
    case "alac" where (1...4).contains(description.flags):
      layout.codec = .alac
      layout.alacConfiguration = cookie.flatMap { alacConfiguration($0) }
      let frameCount = try packetTable.flatMap { chunk throws(DecodingError) in
        try bytes.bigEndian(Int64.self, at: chunk.lowerBound + 8)
      }
      layout.declaredFrameCount = frameCount.flatMap { $0 > 0 ? $0 : nil }
    case let id:
      layout.codecName =
        switch id {
        case "alac": "ALAC of unknown width"
        case "aac ": "AAC"
        default: "CAF type \(id)"
        }
      if ["alac", "aac ", "aach", "aacp"].contains(id), let packetTable {
        packets = try CAFPacketTable(
          bytes, chunk: packetTable, format: id, sampleRateInHz: layout.sampleRateInHz,
          bytesPerPacket: description.packetBytes, cookie: cookie ?? [])
      }
    }
    if layout.bytesPerFrame > 0 {
      layout.declaredFrameCount = data.byteCount.map { $0 / Int64(layout.bytesPerFrame) }
    }
    if data.byteCount == nil {
      try layout.leaveOutAppendedTags(bytes, isBigEndian: nil)
    } else {
      try layout.judgeSurplus(bytes, behind: layout.data.upperBound, .caf, from: origin)
    }
    return (layout, packets)
  }

  /// From a magic cookie (ALACSpecificConfig): frame length, version, depth, Rice parameters, channels and rate,
  /// without the bytes that describe the stream as a whole. nil if it is too short.
  private static func alacConfiguration(_ cookie: [UInt8]) -> [UInt8]? {
    var body = cookie[...]
    // Old ones have the atoms of MP4 before it.
    if cookie.has("frma", at: 4) { body = body.dropFirst(12) }
    if Array(body).has("alac", at: 4) { body = body.dropFirst(12) }
    guard body.count >= 24 else { return nil }
    return Array(body.prefix(10) + body.dropFirst(20).prefix(4))
  }
}

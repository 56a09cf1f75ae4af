import MediaModel

extension PCMLayout {
  /// AIFF and AIFF-C.
  static func aiff(_ bytes: BufferedBytes, from origin: Int64) throws(DecodingError) -> PCMLayout {
    var offset = origin + 12
    var common: (channels: Int, frames: Int64, bits: Int, rate: Double, compression: [UInt8])?
    var data: (start: Int64, byteCount: Int64)?
    for _ in 0..<maximumChunkCount {
      let head = try bytes.copy(at: offset, count: 8)
      guard head.count == 8, let size = head.bigEndian(UInt32.self, at: 4) else { break }
      let start = offset + 8
      let length = Int64(size)
      if head.has("COMM", at: 0), common == nil {
        let body = try bytes.copy(at: start, count: Int(min(length, 22)))
        if let channels = body.bigEndian(Int16.self, at: 0), let frames = body.bigEndian(UInt32.self, at: 2),
          let bits = body.bigEndian(Int16.self, at: 6), let rate = extendedFloat(body, at: 8)
        {
          common = (Int(channels), Int64(frames), Int(bits), rate, body.count >= 22 ? Array(body[18..<22]) : [])
        }
      } else if head.has("SSND", at: 0), data == nil, length >= 8 {
        let skip = Int64(try bytes.bigEndian(UInt32.self, at: start) ?? 0)
        data = (start + 8 + skip, max(0, length - 8 - skip))
      }
      let next = start + length + (length & 1)
      guard next < bytes.byteCount else { break }
      offset = next
    }
    guard let common else { throw .missing("COMM chunk", in: .aiff) }
    let isCompressed = try bytes.matches("AIFC", at: origin + 8)
    let found = data ?? (start: bytes.byteCount, byteCount: 0)
    if data == nil, common.frames > 0 { throw .missing("SSND chunk", in: .aiff) }
    let availableEnd = min(bytes.byteCount, found.start + found.byteCount)
    var layout = PCMLayout(
      whole: origin..<bytes.byteCount, data: found.start..<max(found.start, availableEnd),
      sampleRateInHz: try integerRate(common.rate), channelCount: common.channels)
    try layout.checkShape()
    let type = isCompressed ? String(decoding: common.compression, as: UTF8.self) : "NONE"
    switch type {
    case "NONE", "twos":
      try layout.setPCM(bitsPerSample: common.bits, isFloat: false, isUnsigned8: false, isBigEndian: true)
    case "sowt":
      try layout.setPCM(bitsPerSample: common.bits, isFloat: false, isUnsigned8: false, isBigEndian: false)
    case "raw ": try layout.setPCM(bitsPerSample: 8, isFloat: false, isUnsigned8: true, isBigEndian: true)
    case "in24": try layout.setPCM(bitsPerSample: 24, isFloat: false, isUnsigned8: false, isBigEndian: true)
    case "in32": try layout.setPCM(bitsPerSample: 32, isFloat: false, isUnsigned8: false, isBigEndian: true)
    case "fl32", "FL32": try layout.setPCM(bitsPerSample: 32, isFloat: true, isUnsigned8: false, isBigEndian: true)
    case "fl64", "FL64": try layout.setPCM(bitsPerSample: 64, isFloat: true, isUnsigned8: false, isBigEndian: true)
    case "alaw", "ALAW": layout.setLaw(.aLaw)
    case "ulaw", "ULAW": layout.setLaw(.muLaw)
    case "ima4": layout.codec = .imaADPCM
    case "GSM ": layout.codec = .gsm610
    default: layout.codecName = "AIFF-C type \(type)"
    }
    // For `ima4` most programs write the number of packets of 64 frames.
    let isInPackets = type == "ima4" && common.frames <= found.byteCount / Int64(34 * common.channels)
    let end = layout.data.upperBound
    layout.clip(toDeclaredFrameCount: isInPackets ? 64 * common.frames : common.frames)
    try layout.judgeSurplus(bytes, layout.data.upperBound..<end)
    try layout.judgeSurplus(bytes, behind: end, .iff, from: origin)
    return layout
  }

  /// Core Audio Format.
  static func caf(_ bytes: BufferedBytes, from origin: Int64) throws(DecodingError) -> PCMLayout {
    var offset = origin + 8
    var description: (rate: Double, id: [UInt8], flags: UInt32, packetBytes: Int, channels: Int, bits: Int)?
    var data: (start: Int64, byteCount: Int64?)?
    var packetTable: Range<Int64>?
    var cookie: [UInt8]?
    for _ in 0..<maximumChunkCount {
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
        data = (start + 4, size < 4 ? nil : size - 4)
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
        layout.packetTable = try CAFPacketTable(
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
    return layout
  }

  /// From a magic cookie (ALACSpecificConfig): frame length, version, depth, Rice parameters, channels and rate, without
  /// the bytes that describe the stream as a whole. nil if it is too short.
  private static func alacConfiguration(_ cookie: [UInt8]) -> [UInt8]? {
    var body = cookie[...]
    // Old ones have the atoms of MP4 before it.
    if cookie.has("frma", at: 4) { body = body.dropFirst(12) }
    if Array(body).has("alac", at: 4) { body = body.dropFirst(12) }
    guard body.count >= 24 else { return nil }
    return Array(body.prefix(10) + body.dropFirst(20).prefix(4))
  }

  /// Sun's format, in either byte order.
  static func au(_ bytes: BufferedBytes, from origin: Int64) throws(DecodingError) -> PCMLayout {
    let isBigEndian = try bytes.matches(".snd", at: origin)
    let head = try bytes.copy(at: origin, count: 24)
    func field(_ offset: Int) -> UInt32? {
      isBigEndian ? head.bigEndian(UInt32.self, at: offset) : head.littleEndian(UInt32.self, at: offset)
    }
    guard let dataOffset = field(4), let size = field(8), let encoding = field(12), let rate = field(16),
      let channels = field(20)
    else { throw .damaged(Problem(code: "malformed", reason: "the AU header is incomplete")) }
    guard dataOffset >= 24 else { throw .impossibleHeader("the header gives a data offset of \(dataOffset)") }
    let start = min(origin + Int64(dataOffset), bytes.byteCount)
    let end = size == .max || size == 0 ? bytes.byteCount : min(bytes.byteCount, start + Int64(size))
    var layout = PCMLayout(
      whole: origin..<bytes.byteCount, data: start..<max(start, end), sampleRateInHz: Int(rate),
      channelCount: Int(channels))
    try layout.checkShape()
    switch encoding {
    case 1: layout.setLaw(.muLaw)
    case 2...5:
      try layout.setPCM(
        bitsPerSample: 8 * Int(encoding - 1), isFloat: false, isUnsigned8: false, isBigEndian: isBigEndian)
    case 6, 7:
      try layout.setPCM(
        bitsPerSample: encoding == 6 ? 32 : 64, isFloat: true, isUnsigned8: false, isBigEndian: isBigEndian)
    case 27: layout.setLaw(.aLaw)
    default: layout.codecName = "AU encoding \(encoding)"
    }
    if size == .max || size == 0 {
      try layout.leaveOutAppendedTags(bytes, isBigEndian: nil)
    } else {
      if layout.bytesPerFrame > 0 { layout.declaredFrameCount = Int64(size) / Int64(layout.bytesPerFrame) }
      try layout.judgeSurplus(bytes, behind: layout.data.upperBound, .none, from: origin)
    }
    return layout
  }

  /// AIFF gives its number of frames apart from the length of its data; if it is less than the data, it counts.
  private mutating func clip(toDeclaredFrameCount frameCount: Int64) {
    declaredFrameCount = frameCount
    guard bytesPerFrame > 0 else { return }
    let byteCount = frameCount * Int64(bytesPerFrame)
    if byteCount < data.upperBound - data.lowerBound { data = data.lowerBound..<data.lowerBound + byteCount }
  }

  private static func integerRate(_ rate: Double) throws(DecodingError) -> Int {
    guard rate.isFinite, rate >= 0.5, rate < 1e12 else {
      throw .impossibleHeader("the header gives a sample rate of \(rate) Hz")
    }
    return Int(rate.rounded())
  }

  /// The 80-bit extended floating-point number in which AIFF gives its sample rate.
  private static func extendedFloat(_ bytes: [UInt8], at offset: Int) -> Double? {
    guard let head = bytes.bigEndian(UInt16.self, at: offset),
      let mantissa = bytes.bigEndian(UInt64.self, at: offset + 2)
    else { return nil }
    let exponent = Int(head & 0x7FFF) - 16_383 - 63
    let magnitude = Double(sign: .plus, exponent: max(-1000, min(1000, exponent)), significand: 1) * Double(mantissa)
    return head >> 15 == 1 ? -magnitude : magnitude
  }
}

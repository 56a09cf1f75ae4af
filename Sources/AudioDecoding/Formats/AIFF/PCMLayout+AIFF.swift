import MediaModel

extension PCMLayout {
  /// AIFF and AIFF-C.
  static func aiff(_ bytes: BufferedBytes, from origin: Int64) throws(DecodingError) -> PCMLayout {
    var offset = origin + 12
    var common: (channels: Int, frames: Int64, bits: Int, rate: Double, compression: [UInt8])?
    var data: (start: Int64, byteCount: Int64)?
    var isLengthOpen = false
    for _ in 0..<ChunkForm.maximumCount {
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
      } else if head.has("SSND", at: 0), data == nil {
        let skip = Int64(try bytes.bigEndian(UInt32.self, at: start) ?? 0)
        data = (start + 8 + skip, max(0, length - 8 - skip))
        isLengthOpen = try OpenLength.isOpen(bytes, byteCount: length - 8, at: start + 8, .iff)
        if isLengthOpen { break }
      }
      let next = start + length + (length & 1)
      guard next < bytes.byteCount else { break }
      offset = next
    }
    guard let common else { throw .missing("COMM chunk", in: .aiff) }
    let isCompressed = try bytes.matches("AIFC", at: origin + 8)
    let found = data ?? (start: bytes.byteCount, byteCount: 0)
    if data == nil, common.frames > 0 { throw .missing("SSND chunk", in: .aiff) }
    let availableEnd = isLengthOpen ? bytes.byteCount : min(bytes.byteCount, found.start + found.byteCount)
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
    var end = layout.data.upperBound
    // A program that did not fill in the length of the data has not filled in the number of frames.
    let fitsCount = common.frames > 0 && common.frames <= (end - found.start) / Int64(max(1, layout.bytesPerFrame))
    if layout.bytesPerFrame > 0, isLengthOpen || common.frames == 0, !fitsCount {
      if isLengthOpen {
        try layout.leaveOutAppendedTags(bytes, isBigEndian: true)
      } else {
        layout.declaredFrameCount = found.byteCount / Int64(layout.bytesPerFrame)
        try layout.judgeSurplus(bytes, behind: end, .iff, from: origin)
      }
      return layout
    }
    layout.clip(toDeclaredFrameCount: isInPackets ? 64 * common.frames : common.frames)
    if isLengthOpen { end = layout.data.upperBound }
    try layout.judgeSurplus(bytes, layout.data.upperBound..<end)
    try layout.judgeSurplus(bytes, behind: end, .iff, from: origin)
    return layout
  }

  /// AIFF gives its number of frames apart from the length of its data; if it is less than the data, it counts.
  private mutating func clip(toDeclaredFrameCount frameCount: Int64) {
    declaredFrameCount = frameCount
    guard bytesPerFrame > 0 else { return }
    let byteCount = frameCount * Int64(bytesPerFrame)
    if byteCount < data.upperBound - data.lowerBound { data = data.lowerBound..<data.lowerBound + byteCount }
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

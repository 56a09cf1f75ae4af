import MediaModel

extension PCMLayout {
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
    let isLengthOpen = size == .max || size == 0 || OpenLength.isGreatest(Int64(size), in: bytes, at: start)
    let end = isLengthOpen ? bytes.byteCount : min(bytes.byteCount, start + Int64(size))
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
    if isLengthOpen {
      try layout.leaveOutAppendedTags(bytes, isBigEndian: nil)
    } else {
      if layout.bytesPerFrame > 0 { layout.declaredFrameCount = Int64(size) / Int64(layout.bytesPerFrame) }
      try layout.judgeSurplus(bytes, behind: layout.data.upperBound, .none, from: origin)
    }
    return layout
  }
}

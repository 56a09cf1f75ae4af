import MediaModel

extension PCMLayout {
  /// A format chunk of WAV, RF64 or W64.
  private struct Format {
    var tag: UInt16
    var channelCount: Int
    var sampleRateInHz: Int
    var blockAlign: Int
    var bitsPerSample: Int
    var validBitsPerSample: Int?
    var channelMask: UInt32?
    /// nil unless the format is compressed in blocks.
    var framesPerBlock: Int?

    init?(_ body: [UInt8], isBigEndian: Bool) {
      func u16(_ offset: Int) -> UInt16? {
        isBigEndian ? body.bigEndian(UInt16.self, at: offset) : body.littleEndian(UInt16.self, at: offset)
      }
      func u32(_ offset: Int) -> UInt32? {
        isBigEndian ? body.bigEndian(UInt32.self, at: offset) : body.littleEndian(UInt32.self, at: offset)
      }
      guard let tag = u16(0), let channels = u16(2), let rate = u32(4), let align = u16(12), let bits = u16(14) else {
        return nil
      }
      self.tag = tag
      channelCount = Int(channels)
      sampleRateInHz = Int(rate)
      blockAlign = Int(align)
      bitsPerSample = Int(bits)
      if tag == 0xFFFE, let valid = u16(18), let subformat = u16(24) {
        self.tag = subformat
        validBitsPerSample = valid == 0 ? nil : Int(valid)
        channelMask = u32(20)
      } else if [2, 0x11, 0x31].contains(tag) {
        framesPerBlock = u16(18).map { Int($0) }
      }
    }
  }

  /// RIFF, RIFX, RF64 and BW64.
  static func wav(_ bytes: BufferedBytes, from origin: Int64) throws(DecodingError) -> PCMLayout {
    let isBigEndian = try bytes.matches("RIFX", at: origin)
    let isPlain = try bytes.matches("RIFF", at: origin)
    let container: Container = isPlain || isBigEndian ? .wav : .rf64
    var offset = origin + 12
    var format: Format?
    var formatCount = 0
    var isFormatBehindData = false
    var dataStart: Int64?
    var dataCount = 0
    var dataByteCount: Int64 = 0
    var isLengthOpen = false
    var longDataByteCount: Int64?
    var longFrameCount: Int64?
    var factFrameCount: Int64?
    for _ in 0..<ChunkForm.maximumCount {
      let head = try bytes.copy(at: offset, count: 8)
      guard head.count == 8,
        let size = isBigEndian ? head.bigEndian(UInt32.self, at: 4) : head.littleEndian(UInt32.self, at: 4)
      else { break }
      let start = offset + 8
      var length = Int64(size)
      if head.has("fmt ", at: 0) {
        formatCount += 1
        isFormatBehindData = isFormatBehindData || (format == nil && dataStart != nil)
        let body = try bytes.copy(at: start, count: Int(min(length, 40)))
        if format == nil { format = Format(body, isBigEndian: isBigEndian) }
      } else if head.has("ds64", at: 0) {
        let body = try bytes.copy(at: start, count: 24)
        longDataByteCount = body.littleEndian(UInt64.self, at: 8).map { Int64(clamping: $0) }
        longFrameCount = body.littleEndian(UInt64.self, at: 16).map { Int64(clamping: $0) }
      } else if head.has("fact", at: 0) {
        factFrameCount = try bytes.copy(at: start, count: 4).littleEndian(UInt32.self, at: 0).map { Int64($0) }
      } else if head.has("data", at: 0) {
        dataCount += 1
        if size == .max, let long = longDataByteCount, long > 0, long < OpenLength.leastImpossible {
          length = long
        } else if try OpenLength.isOpen(
          bytes, byteCount: length, at: start, isBigEndian ? .iff : .riff)
        {
          isLengthOpen = isLengthOpen || dataCount == 1
          length = bytes.byteCount - start
        }
        if dataCount == 1 { (dataStart, dataByteCount) = (start, length) }
      }
      // The sum cannot overflow: the chunk is shorter than the file.
      guard length < bytes.byteCount else { break }
      offset = start + length + (length & 1)
    }
    guard let format else { throw .missing("fmt chunk", in: container) }
    guard let dataStart else { throw .missing("data chunk", in: container) }
    let dataEnd = dataStart + min(dataByteCount, max(0, bytes.byteCount - dataStart))
    var layout = PCMLayout(
      whole: origin..<bytes.byteCount, data: dataStart..<max(dataStart, dataEnd),
      sampleRateInHz: format.sampleRateInHz, channelCount: format.channelCount)
    try layout.apply(format, isBigEndian: isBigEndian)
    if isLengthOpen {
      layout.declaredFrameCount = nil
      try layout.leaveOutAppendedTags(bytes, isBigEndian: isBigEndian)
    } else if layout.bytesPerFrame > 0 {
      layout.declaredFrameCount = dataByteCount / Int64(layout.bytesPerFrame)
    } else if let count = factFrameCount, count > 0, count != UInt32.max {
      layout.declaredFrameCount = longFrameCount.flatMap { $0 > 0 ? $0 : nil } ?? count
    }
    var oddity: String?
    if formatCount > 1 {
      oddity = "\(formatCount) fmt chunks"
    } else if isFormatBehindData {
      oddity = "the fmt chunk is after the data"
    } else if dataCount > 1 {
      oddity = "only the first of \(dataCount) data chunks is decoded"
    }
    layout.problem = oddity.map { Problem(code: "malformed", reason: "\($0) in \(container.displayName)") }
    if !isLengthOpen {
      try layout.judgeSurplus(bytes, behind: layout.data.upperBound, isBigEndian ? .iff : .riff, from: origin)
    }
    return layout
  }

  /// Sony's 64-bit variant: identifiers of 16 bytes, sizes of 8 bytes that include the header, chunks aligned to 8
  /// bytes.
  static func wave64(_ bytes: BufferedBytes, from origin: Int64) throws(DecodingError) -> PCMLayout {
    var offset = origin + 40
    var format: Format?
    var data: (start: Int64, byteCount: Int64)?
    var isLengthOpen = false
    for _ in 0..<ChunkForm.maximumCount {
      let head = try bytes.copy(at: offset, count: 24)
      guard head.count == 24, let size = head.littleEndian(UInt64.self, at: 16) else { break }
      let length = Int64(clamping: size)
      if data == nil, head.has("data", at: 0),
        try OpenLength.isOpen(bytes, byteCount: length - 24, at: offset + 24, .wave64)
      {
        isLengthOpen = true
        data = (offset + 24, bytes.byteCount - offset - 24)
        break
      }
      guard length >= 24 else { break }
      if head.has("fmt ", at: 0), format == nil {
        let body = try bytes.copy(at: offset + 24, count: Int(min(length - 24, 40)))
        format = Format(body, isBigEndian: false)
      } else if head.has("data", at: 0), data == nil {
        data = (offset + 24, length - 24)
      }
      let (next, overflow) = offset.addingReportingOverflow(length)
      guard !overflow, next < bytes.byteCount else { break }
      offset = next + ((origin - next) & 7)
    }
    guard let format else { throw .missing("fmt chunk", in: .w64) }
    guard let data else { throw .missing("data chunk", in: .w64) }
    let end = data.start + min(data.byteCount, max(0, bytes.byteCount - data.start))
    var layout = PCMLayout(
      whole: origin..<bytes.byteCount, data: data.start..<max(data.start, end), sampleRateInHz: format.sampleRateInHz,
      channelCount: format.channelCount)
    try layout.apply(format, isBigEndian: false)
    guard !isLengthOpen else {
      try layout.leaveOutAppendedTags(bytes, isBigEndian: nil)
      return layout
    }
    if layout.bytesPerFrame > 0 { layout.declaredFrameCount = data.byteCount / Int64(layout.bytesPerFrame) }
    try layout.judgeSurplus(bytes, behind: layout.data.upperBound, .wave64, from: origin)
    return layout
  }

  private mutating func apply(_ format: Format, isBigEndian: Bool) throws(DecodingError) {
    try checkShape()
    channelMask = format.channelMask
    switch format.tag {
    case 1:
      // The width of the container counts, because the valid bits are its highest.
      let bits = max(format.bitsPerSample, format.validBitsPerSample ?? 0)
      try setPCM(bitsPerSample: bits, isFloat: false, isUnsigned8: true, isBigEndian: isBigEndian)
      if format.blockAlign % max(1, channelCount) == 0, (1...4).contains(format.blockAlign / channelCount),
        format.blockAlign > bytesPerFrame
      {
        try setPCM(
          bitsPerSample: format.blockAlign / channelCount * 8, isFloat: false, isUnsigned8: true,
          isBigEndian: isBigEndian)
      }
      bitsPerSample = format.validBitsPerSample ?? format.bitsPerSample
    case 3:
      try setPCM(
        bitsPerSample: format.bitsPerSample, isFloat: true, isUnsigned8: false, isBigEndian: isBigEndian)
    case 6: setLaw(.aLaw)
    case 7: setLaw(.muLaw)
    default:
      let (known, name) = Self.compressedFormats[format.tag] ?? (nil, "format 0x" + String(format.tag, radix: 16))
      codec = known
      codecName = name
      // GSM always comes in pairs of frames of 160 samples.
      framesPerBlock = format.framesPerBlock ?? (known == .gsm610 ? 320 : 0)
      bytesPerBlock = known == .gsm610 ? 65 : format.blockAlign
    }
    if bytesPerFrame > 0, format.blockAlign != bytesPerFrame { notes.append("header-lies") }
  }

  private static let compressedFormats: [UInt16: (Codec?, String)] = [
    0x02: (.msADPCM, "MS ADPCM"), 0x11: (.imaADPCM, "IMA ADPCM"), 0x31: (.gsm610, "GSM 6.10"),
    0x50: (.mp2, "MPEG layer I or II"), 0x55: (.mp3, "MP3"), 0xFF: (.aac, "AAC"), 0x160: (.wma, "WMA 1"),
    0x161: (.wma, "WMA 2"), 0x162: (.wma, "WMA Pro"), 0x163: (.wma, "WMA Lossless"), 0x2000: (nil, "AC-3"),
    0x2001: (nil, "DTS"), 0xF1AC: (.flac, "FLAC"),
  ]
}

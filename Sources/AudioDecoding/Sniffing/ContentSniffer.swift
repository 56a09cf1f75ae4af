import MediaModel

/// Tells container and codec from the bytes of a file, never from its name.
enum ContentSniffer {
  static func sniff(_ bytes: BufferedBytes) throws(DecodingError) -> SniffedContent {
    guard bytes.byteCount > 0 else { return .empty }
    if let found = try sniff(bytes, at: 0) { return found }
    let bounds = try TagBounds(bytes)
    let start = bounds.audio.lowerBound
    if start > 0, let found = try sniff(bytes, at: start) { return found }
    if let found = try sniffFrames(bytes, range: bounds.audio) { return found }
    let head = try bytes.view(at: 0, count: 4096)
    if head.has("ID3", at: 0) || head.has("APETAGEX", at: 0) {
      return .audio(.mpeg, nil, name: start > 0 ? "no audio frame behind the tag" : MPEGStream.incompleteTag)
    }
    if bytes.byteCount < MPEGFrameScanner.maximumFrameByteCount, head.count > 1, head[0] == 0xFF,
      head[1] & 0xE0 == 0xE0, head[1] & 6 != 0, head[1] & 0x18 != 8
    {
      return .audio(.mpeg, nil, name: MPEGStream.incompleteFrame)
    }
    if let text = textName(head) { return .other(text) }
    return .other(bytes.byteCount < 16 ? "unknown" : "no audio frame in the first 2 MiB")
  }

  /// By the signature at `offset`.
  private static func sniff(_ bytes: BufferedBytes, at offset: Int64) throws(DecodingError) -> SniffedContent? {
    let head = try bytes.view(at: offset, count: 1084)
    if head.has("fLaC", at: 0) { return .audio(.flac, .flac, name: "FLAC") }
    if head.has("OggS", at: 0) { return try sniffOgg(bytes, range: offset..<bytes.byteCount) }
    if let found = try sniffChunks(bytes, head: head) { return found }
    if let found = try sniffBoxes(bytes, head: head, offset: offset) { return found }
    if let found = sniffBySignature(head) { return found }
    return foreignName(head).map { .other($0) }
  }

  /// Formats of which the first bytes say everything.
  private static func sniffBySignature(_ head: UnsafeRawBufferPointer) -> SniffedContent? {
    if head.has("MAC ", at: 0) { return .audio(.ape, .ape, name: "Monkey's Audio") }
    if head.has("wvpk", at: 0) { return .audio(.wavpack, .wavpack, name: "WavPack") }
    if head.has("MPCK", at: 0) || head.has("MP+", at: 0) { return .audio(.musepack, .musepack, name: "Musepack") }
    if head.has("TTA1", at: 0) || head.has("TTA2", at: 0) { return .audio(.trueAudio, .trueAudio, name: "True Audio") }
    if head.has("DSD ", at: 0) { return .audio(.dsf, .dsd, name: "DSD") }
    if head.has("FRM8", at: 0), head.has("DSD ", at: 12) { return .audio(.dsdiff, .dsd, name: "DSD") }
    if head.has("MThd", at: 0) { return .audio(.midi, nil, name: "MIDI") }
    if head.has("RIFF", at: 0), head.has("RMID", at: 8) { return .audio(.midi, nil, name: "MIDI") }
    if head.has("#!AMR", at: 0) { return .audio(Container(rawValue: "amr"), nil, name: "AMR") }
    if head.has("OFR ", at: 0) { return .audio(Container(rawValue: "ofr"), nil, name: "OptimFROG") }
    if head.has("tBaK", at: 0) { return .audio(Container(rawValue: "tak"), nil, name: "TAK") }
    if head.has("ajkg", at: 0) { return .audio(Container(rawValue: "shn"), nil, name: "Shorten") }
    if head.has(".RMF", at: 0) { return .audio(Container(rawValue: "rm"), nil, name: "RealMedia") }
    if head.has("Creative Voice File", at: 0) { return .audio(Container(rawValue: "voc"), nil, name: "VOC") }
    if head.has("Extended Module: ", at: 0) { return .audio(.trackerModule, nil, name: "XM module") }
    if head.has("IMPM", at: 0) { return .audio(.trackerModule, nil, name: "IT module") }
    if head.has("SCRM", at: 44) { return .audio(.trackerModule, nil, name: "S3M module") }
    let marks: [StaticString] = ["M.K.", "M!K!", "M&K!", "FLT4", "FLT8", "4CHN", "6CHN", "8CHN", "CD81", "OKTA"]
    if marks.contains(where: { head.has($0, at: 1080) }) { return .audio(.trackerModule, nil, name: "MOD module") }
    return nil
  }

  /// A stream of MPEG or ADTS frames, or of FLAC frames without a header.
  private static func sniffFrames(
    _ bytes: BufferedBytes, range: Range<Int64>
  ) throws(DecodingError) -> SniffedContent? {
    if try isADTS(bytes, at: range.lowerBound) { return .audio(.adts, .aac, name: "AAC") }
    if try isHeaderlessFLAC(bytes, at: range.lowerBound) { return .audio(.flac, .flac, name: "FLAC") }
    var scanner = MPEGFrameScanner(bytes, range: range)
    guard let frame = try scanner.next() else { return nil }
    return .audio(.mpeg, frame.header.codec, name: ["MPEG layer I", "MPEG layer II", "MP3"][frame.header.layer - 1])
  }

  /// Two ADTS headers in a row, or one that fills the file.
  private static func isADTS(_ bytes: BufferedBytes, at offset: Int64) throws(DecodingError) -> Bool {
    guard let length = adtsLength(try bytes.view(at: offset, count: 7)) else { return false }
    let next = offset + Int64(length)
    if next == bytes.byteCount { return true }
    return adtsLength(try bytes.view(at: next, count: 7)) != nil
  }

  private static func adtsLength(_ head: UnsafeRawBufferPointer) -> Int? {
    guard head.count >= 7, head[0] == 0xFF, head[1] & 0xF6 == 0xF0, head[2] >> 2 & 15 < 13 else { return nil }
    let length = Int(head[3] & 3) << 11 | Int(head[4]) << 3 | Int(head[5] >> 5)
    return length >= 7 ? length : nil
  }

  /// A FLAC frame header with a right CRC-8 (RFC 9639 section 9.1).
  private static func isHeaderlessFLAC(_ bytes: BufferedBytes, at offset: Int64) throws(DecodingError) -> Bool {
    let head = try bytes.view(at: offset, count: 16)
    guard head.count == 16, head[0] == 0xFF, head[1] & 0xFE == 0xF8, head[2] >> 4 != 0, head[2] & 15 != 15,
      head[3] & 1 == 0
    else { return false }
    let numberByteCount = head[4] < 0x80 ? 1 : max(2, (~head[4]).leadingZeroBitCount)
    var length = 4 + numberByteCount
    length += head[2] >> 4 == 6 ? 1 : head[2] >> 4 == 7 ? 2 : 0
    length += head[2] & 15 == 12 ? 1 : (head[2] & 15 == 13 || head[2] & 15 == 14) ? 2 : 0
    guard length < head.count else { return false }
    var crc: UInt8 = 0
    for byte in head[..<length] {
      crc ^= byte
      for _ in 0..<8 { crc = crc << 1 ^ (crc & 0x80 != 0 ? 7 : 0) }
    }
    return crc == head[length]
  }

  private static func sniffOgg(
    _ bytes: BufferedBytes, range: Range<Int64>
  ) throws(DecodingError) -> SniffedContent {
    var scanner = OggPageScanner(bytes, range: range)
    var names: [String] = []
    var pageCount = 0
    while pageCount < 64, let page = try scanner.next() {
      pageCount += 1
      guard page.isFirst else { break }
      let codec = OggCodec(firstPacket: try bytes.view(at: page.bodyOffset, count: page.bodyByteCount))
      if let known = codec.codec {
        return .audio(.ogg, known, name: codec.displayName)
      }
      if case .other(let name) = codec { names.append(name) }
    }
    let what = names.isEmpty ? "no intact page" : "no audio stream: \(names.joined(separator: ", "))"
    return .audio(.ogg, nil, name: what)
  }
}

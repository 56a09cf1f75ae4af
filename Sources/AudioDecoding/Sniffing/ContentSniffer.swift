package import MediaModel

/// Finds out container and codec from the bytes of a file, never from its name.
enum ContentSniffer {
  static func sniff(_ bytes: BufferedBytes) throws(DecodingError) -> SniffedContent {
    guard bytes.byteCount > 0 else { return .empty }
    if let found = try sniff(bytes, at: 0) { return found }
    let bounds = try TagBounds(bytes)
    let start = bounds.audio.lowerBound
    if start > 0, let found = try sniff(bytes, at: start) { return found }
    if let found = try sniffFrames(bytes, range: bounds.audio) { return found }
    let head = try bytes.copy(at: 0, count: 4096)
    if head.has("ID3", at: 0) || head.has("APETAGEX", at: 0) {
      return .audio(.mpeg, nil, name: start > 0 ? "no audio frame after the tag" : MPEGLayout.incompleteTag)
    }
    if bounds.audio.upperBound < bytes.byteCount { return .audio(.mpeg, nil, name: "no audio frame before the tag") }
    if bytes.byteCount < MPEGFrameScanner.maximumFrameByteCount, head.count > 1, head[0] == 0xFF,
      head[1] & 0xE0 == 0xE0, head[1] & 6 != 0, head[1] & 0x18 != 8
    {
      return .audio(.mpeg, nil, name: MPEGLayout.incompleteFrame)
    }
    if let text = textName(head) { return .other(text) }
    return .other(bytes.byteCount < 16 ? "unknown" : "no audio frame in the first 2 MiB")
  }

  /// By the signature at `offset`.
  private static func sniff(_ bytes: BufferedBytes, at offset: Int64) throws(DecodingError) -> SniffedContent? {
    let head = try bytes.copy(at: offset, count: 1084)
    if head.has("fLaC", at: 0) { return .audio(.flac, .flac, name: "FLAC") }
    if head.has("OggS", at: 0) { return try sniffOgg(bytes, range: offset..<bytes.byteCount) }
    if let found = try sniffChunks(bytes, head: head) { return found }
    if let found = try sniffBoxes(bytes, head: head, offset: offset) { return found }
    if let found = sniffBySignature(head) { return found }
    return foreignName(head).map { .other($0) }
  }

  /// Formats of which only the signature is needed.
  private static func sniffBySignature(_ head: [UInt8]) -> SniffedContent? {
    if head.has("MAC ", at: 0) { return .audio(.ape, .ape, name: "Monkey's Audio") }
    if head.has("wvpk", at: 0) { return .audio(.wavpack, .wavpack, name: "WavPack") }
    if head.has("MPCK", at: 0) || head.has("MP+", at: 0) { return .audio(.musepack, .musepack, name: "Musepack") }
    if head.has("TTA1", at: 0) || head.has("TTA2", at: 0) { return .audio(.trueAudio, .trueAudio, name: "True Audio") }
    if head.has("DSD ", at: 0) { return .audio(.dsf, .dsd, name: "DSD") }
    if head.has("FRM8", at: 0), head.has("DSD ", at: 12) { return .audio(.dsdiff, .dsd, name: "DSD") }
    if head.has("ADIF", at: 0) { return .audio(Container(rawValue: "adif"), nil, name: "AAC in ADIF") }
    if head.has("MThd", at: 0) { return .audio(.midi, nil, name: "MIDI") }
    if head.has("RIFF", at: 0), head.has("RMID", at: 8) { return .audio(.midi, nil, name: "MIDI") }
    if head.has("#!AMR", at: 0) { return .audio(Container(rawValue: "amr"), nil, name: "AMR") }
    if head.has("OFR ", at: 0) { return .audio(Container(rawValue: "ofr"), nil, name: "OptimFROG") }
    if head.has("tBaK", at: 0) { return .audio(.tak, .tak, name: "TAK") }
    if head.has("ajkg", at: 0) { return .audio(Container(rawValue: "shn"), nil, name: "Shorten") }
    if head.has(".RMF", at: 0) { return .audio(Container(rawValue: "rm"), nil, name: "RealMedia") }
    if head.has("Creative Voice File", at: 0) { return .audio(Container(rawValue: "voc"), nil, name: "VOC") }
    if head.has("Extended Module: ", at: 0) { return .audio(.trackerModule, .fastTrackerModule, name: "XM module") }
    if head.has("IMPM", at: 0) { return .audio(.trackerModule, .impulseTrackerModule, name: "IT module") }
    if head.has("SCRM", at: 44) { return .audio(.trackerModule, .screamTrackerModule, name: "S3M module") }
    let marks: [StaticString] = ["M.K.", "M!K!", "M&K!", "FLT4", "FLT8", "4CHN", "6CHN", "8CHN", "CD81", "OKTA"]
    if marks.contains(where: { head.has($0, at: 1080) }) {
      return .audio(.trackerModule, .protrackerModule, name: "MOD module")
    }
    return nil
  }

  /// A stream of MPEG or ADTS frames, or of FLAC frames without a header.
  private static func sniffFrames(
    _ bytes: BufferedBytes, range: Range<Int64>
  ) throws(DecodingError) -> SniffedContent? {
    if try isADTS(bytes, at: range.lowerBound) { return .audio(.adts, .aac, name: "AAC") }
    if try isLATM(bytes, at: range.lowerBound) {
      return .audio(Container(rawValue: "latm"), nil, name: "AAC in LATM")
    }
    if let found = try sniffSurround(bytes, at: range.lowerBound) { return found }
    if FLACFrameShape.isHeader(try bytes.copy(at: range.lowerBound, count: FLACFrameShape.maximumByteCount)) {
      return .audio(.flac, .flac, name: "FLAC")
    }
    var scanner = MPEGFrameScanner(bytes, range: range)
    guard let frame = try scanner.next() else { return nil }
    return .audio(.mpeg, frame.header.codec, name: ["MPEG layer I", "MPEG layer II", "MP3"][frame.header.layer - 1])
  }

  /// Two ADTS headers in a row, or one whose frame fills the file.
  private static func isADTS(_ bytes: BufferedBytes, at offset: Int64) throws(DecodingError) -> Bool {
    guard let length = adtsLength(try bytes.copy(at: offset, count: 7)) else { return false }
    let next = offset + Int64(length)
    if next == bytes.byteCount { return true }
    return adtsLength(try bytes.copy(at: next, count: 7)) != nil
  }

  /// Three frames of LATM in a row (ISO 14496-3 section 1.7.2): they have only 11 bits to know them by.
  private static func isLATM(_ bytes: BufferedBytes, at offset: Int64) throws(DecodingError) -> Bool {
    var offset = offset
    for _ in 0..<3 {
      let head = try bytes.copy(at: offset, count: 3)
      guard head.count == 3, head[0] == 0x56, head[1] & 0xE0 == 0xE0 else { return false }
      offset += 3 + Int64(head[1] & 0x1F) << 8 + Int64(head[2])
    }
    return true
  }

  /// Two frames of AC-3, E-AC-3 or DTS in a row, or one that fills the file.
  private static func sniffSurround(_ bytes: BufferedBytes, at offset: Int64) throws(DecodingError) -> SniffedContent? {
    let head = try bytes.copy(at: offset, count: 16)
    let syntax: any BareFrameSyntax
    if let found = AC3Syntax(head) {
      syntax = found
    } else if let found = DTSSyntax(head) {
      syntax = found
    } else {
      return nil
    }
    guard let frame = syntax.frame(head), frame.role == .packet else { return nil }
    let next = offset + Int64(frame.byteCount)
    let following = try bytes.copy(at: next, count: 16)
    guard following.isEmpty || syntax.frame(following) != nil else { return nil }
    return .audio(syntax.container, syntax.codec.codec, name: syntax.container.displayName)
  }

  private static func adtsLength(_ head: [UInt8]) -> Int? {
    guard head.count >= 7, head[0] == 0xFF, head[1] & 0xF6 == 0xF0, head[2] >> 2 & 15 < 13 else { return nil }
    let length = Int(head[3] & 3) << 11 | Int(head[4]) << 3 | Int(head[5] >> 5)
    return length >= 7 ? length : nil
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
      let codec = OggCodec(firstPacket: try bytes.copy(at: page.bodyOffset, count: page.bodyByteCount))
      if let known = codec.codec {
        return .audio(.ogg, known, name: codec.displayName)
      }
      if case .other(let name) = codec { names.append(name) }
    }
    let what = names.isEmpty ? "no intact page" : "no audio stream: \(names.joined(separator: ", "))"
    return .audio(.ogg, nil, name: what)
  }

  // MARK: Boxes and chunks

  /// MP4, ASF and Matroska.
  private static func sniffBoxes(
    _ bytes: BufferedBytes, head: [UInt8], offset: Int64
  ) throws(DecodingError) -> SniffedContent? {
    let names: [StaticString] = ["ftyp", "moov", "mdat", "free", "skip", "wide", "pnot"]
    if names.contains(where: { head.has($0, at: 4) }) { return try MP4Layout(bytes, start: offset).content }
    if head.starts(with: ASFLayout.headerIdentifier) { return try ASFLayout(bytes, start: offset).content }
    if head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) { return try MatroskaLayout(bytes, start: offset).content }
    return nil
  }

  /// RIFF, IFF and similar containers.
  private static func sniffChunks(
    _ bytes: BufferedBytes, head: [UInt8]
  ) throws(DecodingError) -> SniffedContent? {
    guard let container = chunkContainer(head) else { return nil }
    do throws(DecodingError) {
      let layout = try PCMLayout.find(container, bytes)
      return .audio(container, layout.codec, name: layout.codec?.rawValue ?? layout.codecName)
    } catch {
      if case .unreadable = error { throw error }
      return .audio(container, nil, name: container.rawValue)
    }
  }

  private static func chunkContainer(_ head: [UInt8]) -> Container? {
    if head.has("RIFF", at: 0) || head.has("RIFX", at: 0), head.has("WAVE", at: 8) { return .wav }
    if head.has("RF64", at: 0) || head.has("BW64", at: 0), head.has("WAVE", at: 8) { return .rf64 }
    if head.has("riff", at: 0), head.has("wave", at: 24) { return .w64 }
    if head.has("FORM", at: 0), head.has("AIFF", at: 8) || head.has("AIFC", at: 8) { return .aiff }
    if head.has("caff", at: 0) { return .caf }
    if head.has(".snd", at: 0) || head.has("dns.", at: 0) { return .au }
    return nil
  }

  // MARK: What is not audio

  /// The name of a format that is not audio, by its signature.
  private static func foreignName(_ head: [UInt8]) -> String? {
    let signatures: [(StaticString, Int, String)] = [
      ("GIF8", 0, "GIF"), ("%PDF", 0, "PDF"), ("PK", 0, "ZIP"), ("Rar!", 0, "RAR"), ("WEBP", 8, "WebP"),
      ("AVI ", 8, "AVI video"), ("FLV", 0, "Flash video"), ("SQLite format 3", 0, "SQLite database"),
      ("#EXTM3U", 0, "M3U playlist"), ("[playlist]", 0, "PLS playlist"), ("8BPS", 0, "Photoshop image"),
      ("ILBM", 8, "IFF image"), ("8SVX", 8, "8SVX sample"), ("{\\rtf", 0, "RTF text"),
    ]
    if head.starts(with: [0xFF, 0xD8, 0xFF]) { return "JPEG" }
    if head.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return "PNG" }
    if head.starts(with: [0x1F, 0x8B]) { return "gzip" }
    if head.starts(with: [0x7F, 0x45, 0x4C, 0x46]) { return "ELF program" }
    if head.starts(with: [0x37, 0x7A, 0xBC, 0xAF]) { return "7z" }
    if head.starts(with: [0, 0, 1, 0xBA]) { return "MPEG video" }
    if head.count > 188, head[0] == 0x47, head[188] == 0x47 { return "MPEG transport stream" }
    if head.starts(with: [0x49, 0x49, 0x2A, 0]) || head.starts(with: [0x4D, 0x4D, 0, 0x2A]) { return "TIFF" }
    for (mark, offset, name) in signatures where head.has(mark, at: offset) {
      if name == "M3U playlist", text(head).contains("#EXT-X-") { return "HLS playlist" }
      if name == "ZIP", head.count > 3, head[2] > 8 { continue }
      return name
    }
    let start = text(head).drop { $0.isWhitespace || $0 == "\u{FEFF}" }.prefix(200).lowercased()
    if start.hasPrefix("<!doctype html") || start.hasPrefix("<html") { return "HTML" }
    if start.hasPrefix("<?xml"), start.contains("<svg") { return "SVG" }
    if start.hasPrefix("<svg") { return "SVG" }
    if start.hasPrefix("<?xml") { return "XML" }
    return nil
  }

  /// The kind of text that `head` is the start of; nil for binary data.
  private static func textName(_ head: [UInt8]) -> String? {
    // Latin-1 has letters from 0xC0 on, but rarely 0xFF; most of any text is ASCII.
    let isText = head.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 < 0xFE || (0x09...0x0D).contains($0) }
    guard isText, head.count(where: { $0 < 0x80 }) * 2 > head.count else { return nil }
    let text = text(head)
    let lines = text.split(whereSeparator: \.isNewline).map { $0.drop { $0 == " " || $0 == "\t" } }
    if lines.contains(where: { $0.hasPrefix("FILE ") }), lines.contains(where: { $0.hasPrefix("TRACK ") }) {
      return "cue sheet"
    }
    return "text"
  }

  private static func text(_ head: [UInt8]) -> String {
    String(decoding: head.prefix(2048), as: UTF8.self)
  }
}

/// What a file is, by its bytes alone.
package struct SniffedContent: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case audio
    /// Zero bytes.
    case empty
    /// Something else, or unknown.
    case other
  }

  package var kind: Kind
  /// nil unless `kind` is `audio`.
  package var container: Container?
  /// nil if the bytes do not name one, or it has no name in ``Codec``.
  package var codec: Codec?
  /// For messages: the codec ("AAC"), or what the file is instead of audio ("JPEG").
  package var name: String
  /// The audio is encrypted.
  package var isProtected = false

  static func audio(_ container: Container, _ codec: Codec? = nil, name: String, isProtected: Bool = false) -> Self {
    SniffedContent(kind: .audio, container: container, codec: codec, name: name, isProtected: isProtected)
  }

  static func other(_ name: String) -> Self { SniffedContent(kind: .other, container: nil, codec: nil, name: name) }

  static let empty = SniffedContent(kind: .empty, container: nil, codec: nil, name: "nothing")

  /// Whether such content is usual for a file name with this extension (lower case, no dot); true if the extension is
  /// not known.
  package func isExpected(underExtension pathExtension: String) -> Bool {
    guard let container, let expected = Self.containersByExtension[pathExtension] else { return true }
    return expected.contains(container)
  }

  private static let containersByExtension: [String: Set<Container>] = [
    "wav": [.wav, .rf64, .w64], "wave": [.wav, .rf64], "bwf": [.wav, .rf64], "rf64": [.rf64], "w64": [.w64],
    "aif": [.aiff], "aiff": [.aiff], "aifc": [.aiff], "afc": [.aiff], "caf": [.caf], "au": [.au], "snd": [.au],
    "flac": [.flac], "fla": [.flac], "ogg": [.ogg], "oga": [.ogg], "ogv": [.ogg], "opus": [.ogg], "spx": [.ogg],
    "mp1": [.mpeg], "mp2": [.mpeg], "mp3": [.mpeg], "mpga": [.mpeg], "m4a": [.mp4], "m4b": [.mp4], "m4p": [.mp4],
    "mp4": [.mp4], "mov": [.mp4], "aac": [.adts, .mp4], "wma": [.asf], "asf": [.asf], "ape": [.ape], "wv": [.wavpack],
    "mpc": [.musepack], "mp+": [.musepack], "tta": [.trueAudio], "dsf": [.dsf], "dff": [.dsdiff],
    "ac3": [.ac3, .eac3], "eac3": [.eac3], "ec3": [.eac3], "dts": [.dts],
    "mka": [.matroska], "mkv": [.matroska], "webm": [.matroska], "weba": [.matroska], "mid": [.midi], "midi": [.midi],
    "it": [.trackerModule], "xm": [.trackerModule], "s3m": [.trackerModule], "mod": [.trackerModule],
  ]
}

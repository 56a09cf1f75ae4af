internal import Base
internal import MediaModel

/// What an MP4 file says about its first audio track, and where its media data is.
struct MP4Layout {
  private struct Box {
    let type: [UInt8]
    let body: Range<Int64>

    func isType(_ name: StaticString) -> Bool { type.elementsEqual(name.utf8Buffer) }
  }

  private static let maximumBoxCount = 100_000

  /// The contents of the media data boxes, in the order of the file.
  private(set) var mediaData: [Range<Int64>] = []
  private(set) var content: SniffedContent = .audio(.mp4, nil, name: "no audio track")
  private let bytes: BufferedBytes

  init(_ bytes: BufferedBytes, start: Int64 = 0) throws(DecodingError) {
    self.bytes = bytes
    var movie: Range<Int64>?
    for box in try boxes(in: start..<bytes.byteCount) {
      if box.isType("mdat") { mediaData.append(box.body) }
      if box.isType("moov"), movie == nil { movie = box.body }
    }
    guard let movie else {
      content = .audio(.mp4, nil, name: "no movie box")
      return
    }
    for track in try boxes(in: movie) where track.isType("trak") {
      guard let media = try child("mdia", of: track.body), let handler = try child("hdlr", of: media),
        try bytes.matches("soun", at: handler.lowerBound + 8), let information = try child("minf", of: media),
        let table = try child("stbl", of: information), let descriptions = try child("stsd", of: table)
      else { continue }
      content = try describe(descriptions)
      return
    }
  }

  private func child(_ name: StaticString, of parent: Range<Int64>) throws(DecodingError) -> Range<Int64>? {
    try boxes(in: parent).first { $0.isType(name) }?.body
  }

  private func boxes(in range: Range<Int64>) throws(DecodingError) -> [Box] {
    var result: [Box] = []
    var offset = range.lowerBound
    while offset <= range.upperBound - 8, result.count < Self.maximumBoxCount {
      let head = try bytes.copy(at: offset, count: 16)
      guard let short = head.bigEndian(UInt32.self, at: 0), head.count >= 8 else { break }
      let type = Array(head[4..<8])
      var start = offset + 8
      var end = offset + Int64(short)
      if short == 1 {
        guard let long = head.bigEndian(UInt64.self, at: 8) else { break }
        start = offset + 16
        end = offset.addingReportingOverflow(Int64(clamping: long)).partialValue
      } else if short == 0 {
        end = range.upperBound
      }
      guard end >= start else { break }
      result.append(Box(type: type, body: start..<min(end, max(start, range.upperBound))))
      offset = end
    }
    return result
  }

  /// The first sample description of an audio track.
  private func describe(_ descriptions: Range<Int64>) throws(DecodingError) -> SniffedContent {
    let entry = try bytes.copy(at: descriptions.lowerBound + 8, count: 256)
    guard entry.count >= 8 else { return .audio(.mp4, nil, name: "no sample description") }
    switch String(decoding: entry[4..<8], as: UTF8.self) {
    case "mp4a":
      let type = objectType(entry)
      if type?.stream == 0x69 || type?.stream == 0x6B { return .audio(.mp4, .mp3, name: "MP3") }
      if type?.stream == 0x40, type?.audio == 36 { return .audio(.mp4, nil, name: "MPEG-4 ALS") }
      return .audio(.mp4, .aac, name: "AAC")
    case "alac": return .audio(.mp4, .alac, name: "ALAC")
    case "fLaC": return .audio(.mp4, .flac, name: "FLAC")
    case "Opus": return .audio(.mp4, .opus, name: "Opus")
    case "ac-3": return .audio(.mp4, nil, name: "AC-3")
    case "ec-3": return .audio(.mp4, nil, name: "E-AC-3")
    case ".mp3": return .audio(.mp4, .mp3, name: "MP3")
    case "drms", "enca": return .audio(.mp4, .aac, name: "protected AAC", isProtected: true)
    case let type: return .audio(.mp4, nil, name: "MP4 type \(TerminalText.escaped(type))")
    }
  }

  /// The object types in an elementary stream descriptor (ISO 14496-1 section 7.2.6, 14496-3 section 1.6): that of the
  /// stream and, for MPEG-4 audio, that of the audio.
  private func objectType(_ entry: [UInt8]) -> (stream: UInt8, audio: UInt8?)? {
    guard let mark = (36..<max(36, entry.count - 8)).first(where: { entry.has("esds", at: $0) }) else { return nil }
    var offset = mark + 8
    while offset + 2 < entry.count {
      let tag = entry[offset]
      offset += 1
      while offset < entry.count, entry[offset] & 0x80 != 0 { offset += 1 }
      offset += 1
      guard offset < entry.count else { return nil }
      switch tag {
      case 3:
        // An identifier of two bytes, then flags for optional fields that MP4 does not use.
        offset += 3
      case 4:
        let stream = entry[offset]
        offset += 13
        guard offset < entry.count, entry[offset] == 5 else { return (stream, nil) }
        offset += 1
        while offset < entry.count, entry[offset] & 0x80 != 0 { offset += 1 }
        guard let bits = entry.bigEndian(UInt16.self, at: offset + 1) else { return (stream, nil) }
        let short = UInt8(bits >> 11)
        return (stream, short == 31 ? 32 + UInt8(bits >> 5 & 63) : short)
      default: return nil
      }
    }
    return nil
  }
}

/// The day of the date in an ID3v2.2 tag, which TagLib leaves out.
///
/// Version 2.2 has the year in `TYE` and the day and month, as `DDMM`, in `TDA`. Of version 2.3 TagLib joins them.
struct ID3v22Date {
  private static let maximumFrameCount = 1000

  let year: String
  /// Such as `2010-04-03`.
  let date: String

  /// nil unless there is such a tag at the start of the file, with a year and a possible day.
  init?(_ bytes: BufferedBytes) throws(DecodingError) {
    let head = try bytes.copy(at: 0, count: 10)
    // Tags that are unsynchronised as a whole, or compressed, are left to TagLib.
    guard let length = TagBounds.id3v2Length(head), head[3] == 2, head[5] == 0 else { return nil }
    let end = min(bytes.byteCount, length)
    var year: String?
    var day: String?
    var offset: Int64 = 10
    for _ in 0..<Self.maximumFrameCount where offset + 6 < end {
      let frame = try bytes.copy(at: offset, count: 6)
      guard frame.count == 6, frame[0] != 0 else { break }
      let count = frame[3..<6].reduce(0) { $0 << 8 | Int($1) }
      let body = count < 64 ? try bytes.copy(at: offset + 6, count: count) : []
      if frame.has("TYE", at: 0) { year = year ?? Self.digits(body) }
      if frame.has("TDA", at: 0) { day = day ?? Self.digits(body) }
      offset += 6 + Int64(count)
    }
    guard let year, let day, let number = Int(day), (1...31).contains(number / 100), (1...12).contains(number % 100)
    else { return nil }
    self.year = year
    date = "\(year)-\(day.suffix(2))-\(day.prefix(2))"
  }

  /// The four digits of a text in Latin-1 or UTF-16; nil if there is anything else.
  private static func digits(_ body: [UInt8]) -> String? {
    let text = body.dropFirst().filter { $0 != 0 && $0 < 0xFE }
    guard text.count == 4, text.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return String(decoding: text, as: UTF8.self)
  }
}

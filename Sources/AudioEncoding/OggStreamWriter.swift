internal import Base

/// Writes packets into pages of one Ogg stream (RFC 3533).
struct OggStreamWriter {
  /// A page is closed before it exceeds this size.
  private static let pageByteCount = 8192
  private static let none = Int64(-1)

  private let serial: UInt32
  private var sequence: UInt32 = 0
  private var lacing: [UInt8] = []
  private var body: [UInt8] = []
  /// That of the last packet that ends on this page.
  private var granule = none
  private var isContinued = false
  /// The latest packet, held back until it is known whether it is the last one.
  private var waiting: (bytes: [UInt8], granule: Int64)?

  init(serial: UInt32) { self.serial = serial }

  /// Adds a packet; returns the pages that are complete.
  ///
  /// - Parameters:
  ///   - granule: The position after the packet's last frame.
  ///   - endsPage: Whether the page ends here, as for headers.
  mutating func append(_ packet: [UInt8], granule: Int64, endsPage: Bool = false) -> [UInt8] {
    var pages: [UInt8] = []
    if let waiting { write(waiting.bytes, granule: waiting.granule, into: &pages) }
    waiting = (packet, granule)
    if endsPage {
      write(packet, granule: granule, into: &pages)
      waiting = nil
      closePage(isLast: false, into: &pages)
    }
    return pages
  }

  /// The last pages.
  ///
  /// - Parameter granule: Of the last packet: the end of the stream, which may be within that packet.
  mutating func finish(granule: Int64) -> [UInt8] {
    var pages: [UInt8] = []
    if let waiting { write(waiting.bytes, granule: granule, into: &pages) }
    waiting = nil
    self.granule = granule
    closePage(isLast: true, into: &pages)
    return pages
  }

  private mutating func write(_ packet: [UInt8], granule: Int64, into pages: inout [UInt8]) {
    if body.count + packet.count > Self.pageByteCount, !lacing.isEmpty { closePage(isLast: false, into: &pages) }
    var start = 0
    while true {
      let count = min(255, packet.count - start)
      if lacing.count == 255 {
        closePage(isLast: false, into: &pages)
        isContinued = start > 0
      }
      lacing.append(UInt8(count))
      body.append(contentsOf: packet[start..<start + count])
      start += count
      if count < 255 { break }
    }
    self.granule = granule
  }

  private mutating func closePage(isLast: Bool, into pages: inout [UInt8]) {
    var page = ByteWriter()
    page.append(raw: "OggS".utf8)
    page.append(UInt8(0))
    page.append(UInt8((isContinued ? 1 : 0) | (sequence == 0 ? 2 : 0) | (isLast ? 4 : 0)))
    page.append(granule)
    page.append(serial)
    page.append(sequence)
    page.append(UInt32(0))
    page.append(UInt8(lacing.count))
    page.append(raw: lacing)
    page.append(raw: body)
    page.replace(at: 22, with: page.bytes.withUnsafeBytes { OggChecksum.ofPage($0) })
    pages.append(contentsOf: page.bytes)
    sequence += 1
    lacing.removeAll(keepingCapacity: true)
    body.removeAll(keepingCapacity: true)
    granule = Self.none
    isContinued = false
  }
}

import AudioDecoding
import Base

/// Changes the comments of the first audio stream of an Ogg file: Vorbis, Opus, Speex or FLAC (RFC 3533; RFC 7845; RFC 9639
/// section 10.1; xiph.org, Vorbis I specification).
///
/// Only the pages with header packets are written again. If there are as many of them as before, all others stay as they are;
/// otherwise these get new numbers and checksums. Padding behind the comments gives way.
struct OggEditor {
  private static let maximumPacketByteCount = 64 << 20
  private static let maximumHeaderPageCount = 4096

  private let file: BufferedBytes
  private let codec: OggCodec
  /// From the page on which the comments begin to the last one with a header packet.
  private var pages: [OggPage] = []
  /// What they hold: the comments, then other header packets.
  private var packets: [[UInt8]] = []
  /// How many pages each packet has; empty if packets share pages, as they may in Vorbis.
  private var pageCounts: [Int] = []
  /// What sound begins on the last of the pages, as encoders of Vorbis make it: segments and bytes.
  private var sound: (lacing: [UInt8], bytes: [UInt8]) = ([], [])

  static func splices(_ file: BufferedBytes, _ edit: TagEdit) throws(TagEditRefusal) -> [Splice] {
    let editor = try OggEditor(file)
    let old = editor.packets[0]
    let new = try editor.editedComments(edit)
    return new == old ? [] : try editor.splices([new] + editor.packets.dropFirst())
  }

  // MARK: Reading

  private init(_ file: BufferedBytes) throws(TagEditRefusal) {
    self.file = file
    let range = try reading { () throws(DecodingError) in try OggPageScanner.range(file) }
    var scanner = OggPageScanner(file, range: range)
    guard let first = try Self.next(&scanner), first.isFirst, first.completedPacketCount == 1,
      first.lacing.last ?? 255 < 255
    else { throw .malformed("the first page of the Ogg file") }
    let identification = try Self.body(file, first)
    codec = OggCodec(firstPacket: identification)
    guard codec.codec != nil else { throw .unsafe("the first stream of the Ogg file is not audio") }
    var count = codec.headerPacketCount(firstPacket: identification)
    if codec == .flac, let others = identification.bigEndian(UInt16.self, at: 7), others > 0 { count = Int(others) + 1 }
    guard let count, count >= 2 else { throw .unsafe("the number of header packets is not known") }
    try readHeaders(&scanner, count - 1, after: first)
  }

  private static func next(_ scanner: inout OggPageScanner) throws(TagEditRefusal) -> OggPage? {
    let page: OggPage?
    do throws(DecodingError) { page = try scanner.next() } catch { throw .unreadable(error) }
    if scanner.skippedByteCount > 0, page != nil { throw .malformed("bytes between the pages of the Ogg file") }
    return page
  }

  private static func body(_ file: BufferedBytes, _ page: OggPage) throws(TagEditRefusal) -> [UInt8] {
    try reading { () throws(DecodingError) in try file.copy(at: page.bodyOffset, count: page.bodyByteCount) }
  }

  /// The packets behind the first one, which begin on a page of their own and end with one.
  private mutating func readHeaders(
    _ scanner: inout OggPageScanner, _ count: Int, after first: OggPage
  ) throws(TagEditRefusal) {
    var packet: [UInt8] = []
    var sharesPages = false
    while packets.count < count {
      guard pages.count < Self.maximumHeaderPageCount, packet.count < Self.maximumPacketByteCount,
        let page = try Self.next(&scanner)
      else { throw .malformed("the header packets of the Ogg file are truncated") }
      guard page.serial == first.serial, !page.isFirst else { throw .unsafe("the Ogg file has several streams") }
      guard page.sequence == first.sequence &+ UInt32(pages.count) &+ 1, page.isContinued == !packet.isEmpty,
        !page.isLast
      else { throw .malformed("the pages of the Ogg file are not in order") }
      pages.append(page)
      var rest = try Self.body(file, page)[...]
      for (index, size) in page.lacing.enumerated() {
        guard packets.count < count else {
          sound = (Array(page.lacing[index...]), Array(rest))
          break
        }
        packet += rest.prefix(Int(size))
        rest = rest.dropFirst(Int(size))
        if size < 255 {
          packets.append(packet)
          packet = []
          pageCounts.append(pages.count - pageCounts.reduce(0, +))
        }
      }
      if page.completedPacketCount > 1 || page.completedPacketCount == 1 && !packet.isEmpty { sharesPages = true }
    }
    if sharesPages || !sound.lacing.isEmpty { pageCounts = [] }
  }

  // MARK: Comments

  /// The packet with the comments: their mark, the comments, and what follows them.
  private func editedComments(_ edit: TagEdit) throws(TagEditRefusal) -> [UInt8] {
    let packet = packets[0]
    let mark: Int
    switch codec {
    case .vorbis where packet.has("vorbis", at: 1) && packet[0] == 3: mark = 7
    case .opus where packet.has("OpusTags", at: 0): mark = 8
    case .flac where packet.first.map { $0 & 0x7F == 4 } ?? false: mark = 4
    case .speex: mark = 0
    default: throw .malformed("the second packet has no comments")
    }
    let memory = BytesInMemory(packet).file
    let tag = try reading { () throws(DecodingError) in
      try VorbisCommentReader.tag(memory, Int64(mark)..<memory.byteCount, isRestored: true)
    }
    let splices = try VorbisCommentWriter.splices(tag, edit)
    guard !splices.isEmpty else { return packet }
    let end = Int(tag.range.upperBound)
    let comments = splices.applied(to: Array(packet[..<end]))
    return try packed(comments, Array(packet[end...]))
  }

  /// The packet with what follows the comments, padded to the length that it had if it is shorter now.
  private func packed(_ comments: [UInt8], _ rest: [UInt8]) throws(TagEditRefusal) -> [UInt8] {
    let oldCount = packets[0].count
    switch codec {
    case .flac:
      // The block has its length; PADDING blocks are packets of their own.
      guard rest.isEmpty else { throw .malformed("the comment block is longer than its comments") }
      let count = UInt32(comments.count - 4)
      guard count < 1 << 24 else { throw .tooLong("a FLAC block of more than 16 MiB") }
      return [comments[0]] + count.bigEndianBytes.dropFirst() + comments[4...]
    case .opus where rest.first.map { $0 & 1 == 1 } ?? false:
      // RFC 7845 section 5.2: what begins with such a bit is no padding, and has to be kept.
      return comments + rest
    default:
      // The bit that ends the comments of Vorbis is in the first byte.
      let framing = codec == .vorbis ? rest.prefix(1) : []
      guard rest.dropFirst(framing.count).allSatisfy({ $0 == 0 }),
        codec != .vorbis || framing.first.map({ $0 & 1 == 1 }) == true
      else { return comments + rest }
      let packet = comments + framing
      return packet + [UInt8](repeating: 0, count: max(0, oldCount - packet.count))
    }
  }

  // MARK: Pages

  private func splices(_ packets: [[UInt8]]) throws(TagEditRefusal) -> [Splice] {
    let lacings = packets.map { [UInt8](repeating: 255, count: $0.count / 255) + [UInt8($0.count % 255)] }
    let lacing = lacings.flatMap(\.self)
    let isSame = lacing + sound.lacing == pages.flatMap(\.lacing)
    let counts: [Int]
    if isSame {
      counts = pages.map(\.lacing.count)
    } else if !sound.lacing.isEmpty {
      counts = segmentCountsWithSound(lacing.count)
    } else if pageCounts.isEmpty {
      counts = Self.segmentCounts(lacing.count, pageCount: pages.count)
    } else {
      counts = zip(lacings, pageCounts).flatMap { Self.segmentCounts($0.count, pageCount: $1) }
    }
    var bytes: [UInt8] = []
    var body = (packets.flatMap(\.self) + sound.bytes)[...]
    var isContinued = false
    var segments = (lacing + sound.lacing)[...]
    for (index, count) in counts.enumerated() {
      if isSame {
        // With its position, whatever that is.
        var page = try head(pages[index]) + body.prefix(pages[index].bodyByteCount)
        body = body.dropFirst(pages[index].bodyByteCount)
        Self.seal(&page)
        bytes += page
        continue
      }
      let own = Array(segments.prefix(count))
      segments = segments.dropFirst(count)
      let byteCount = own.reduce(0) { $0 + Int($1) }
      // Only the last page has sound, and where that ends.
      let granule = sound.lacing.isEmpty || index < counts.count - 1 ? nil : try granule(of: pages[pages.count - 1])
      bytes += page(
        own, body.prefix(byteCount), granule, number: pages[0].sequence &+ UInt32(index), isContinued: isContinued)
      body = body.dropFirst(byteCount)
      isContinued = own.last == 255
    }
    let last = pages[pages.count - 1]
    let end = last.offset + Int64(last.byteCount)
    let change = counts.count - pages.count
    return [Splice(pages[0].offset..<end, bytes)] + (change == 0 ? [] : try renumbered(from: end, by: change))
  }

  /// How many segments each page gets if sound begins on the last one: as many pages as there were, or one more for the sound.
  private func segmentCountsWithSound(_ count: Int) -> [Int] {
    let before = pages.count - 1
    // Of the header packets as much as fits stays on the page with the sound.
    let beside = min(255 - sound.lacing.count, count - before)
    if beside > 0, count - beside <= 255 * before {
      let counts = before == 0 ? [] : Self.segmentCounts(count - beside, pageCount: before)
      return counts + [beside + sound.lacing.count]
    }
    return Self.segmentCounts(count, pageCount: max(1, before)) + [sound.lacing.count]
  }

  private func granule(of page: OggPage) throws(TagEditRefusal) -> [UInt8] { Array(try head(page)[6..<14]) }

  private func head(_ page: OggPage) throws(TagEditRefusal) -> [UInt8] {
    let file = file
    return try reading { () throws(DecodingError) in try file.copy(at: page.offset, count: page.headerByteCount) }
  }

  /// How many segments each page gets: at most 255, and as many pages as there were if that is possible.
  private static func segmentCounts(_ count: Int, pageCount: Int) -> [Int] {
    let pageCount = min(max(pageCount, (count + 254) / 255), count)
    var left = count
    return (0..<pageCount).map { index in
      let own = min(255, left - (pageCount - index - 1))
      left -= own
      return own
    }
  }

  /// - Parameter position: which the page has; nil for one of header packets.
  private func page(
    _ lacing: [UInt8], _ body: ArraySlice<UInt8>, _ position: [UInt8]?, number: UInt32, isContinued: Bool
  ) -> [UInt8] {
    // No packet ends on a page with -1.
    let granule: Int64 = lacing.contains { $0 < 255 } ? 0 : -1
    var page =
      Array("OggS".utf8) + [0, isContinued ? 1 : 0] + (position ?? granule.littleEndianBytes)
      + pages[0].serial.littleEndianBytes
    page += number.littleEndianBytes + [0, 0, 0, 0, UInt8(lacing.count)] + lacing + body
    Self.seal(&page)
    return page
  }

  private static func seal(_ page: inout [UInt8]) {
    page.replaceSubrange(22..<26, with: [0, 0, 0, 0])
    let sum = page.withUnsafeBytes { OggChecksum.ofPage($0) }
    page.replaceSubrange(22..<26, with: sum.littleEndianBytes)
  }

  /// New numbers and checksums for the pages of the stream behind its headers.
  private func renumbered(from start: Int64, by change: Int) throws(TagEditRefusal) -> [Splice] {
    let file = file
    let end = try reading { () throws(DecodingError) in try OggPageScanner.range(file).upperBound }
    var scanner = OggPageScanner(file, range: start..<end)
    var splices: [Splice] = []
    var expected = pages[pages.count - 1].sequence &+ 1
    while let page = try Self.next(&scanner) {
      // The next link of a chain has numbers of its own.
      if page.isFirst { break }
      guard page.serial == pages[0].serial else { throw .unsafe("the Ogg file has several streams") }
      guard page.sequence == expected else { throw .malformed("pages of the Ogg file are missing") }
      expected &+= 1
      var bytes = try reading { () throws(DecodingError) in try file.copy(at: page.offset, count: page.byteCount) }
      bytes.replaceSubrange(18..<22, with: (page.sequence &+ UInt32(truncatingIfNeeded: change)).littleEndianBytes)
      Self.seal(&bytes)
      splices.append(Splice(page.offset + 18..<page.offset + 26, Array(bytes[18..<26])))
    }
    return splices
  }
}

import AudioDecoding
import MediaModel
@testable import TagEditing
import Testing

/// A file in memory whose tags are edited, and what must hold whatever the edit is.
struct TaggedFile {
  var bytes: [UInt8]
  /// For messages.
  var name = ""
  /// What takes the edits back, the last one first.
  private var undos: [SplicePlan] = []

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var buffered: BufferedBytes { BytesInMemory(bytes).file }

  func reading() throws -> TagReading { try MediaFile(buffered).readTags(usingLibraries: false) }

  /// Name and values of all properties.
  func properties() throws -> [String: [String]] {
    Dictionary(uniqueKeysWithValues: try reading().tags.properties.map { ($0.name, $0.values) })
  }

  func covers() throws -> [[UInt8]] { try reading().artwork.filter { $0.pictureType == 3 }.map(\.bytes) }

  func identity() throws -> StreamIdentity {
    var media = try MediaFile(buffered)
    return try media.identify()
  }

  func plan(_ edit: TagEdit) throws -> SplicePlan { try TagEditor.plan(edit, buffered).plan }

  /// The bytes from the first one that belongs to no tag on have not moved.
  static func keepsPlaces(_ plan: SplicePlan) -> Bool {
    guard plan.newByteCount == plan.oldByteCount else { return false }
    var offset: Int64 = 0
    for segment in plan.segments {
      if case .copy(let range) = segment, range.upperBound == plan.oldByteCount { return range.lowerBound == offset }
      offset += segment.byteCount
    }
    return plan.isEmpty
  }

  /// Edits the file. Expects that the edit is in it, that nothing else is different, and that it can be taken back.
  @discardableResult
  mutating func edit(
    _ changes: TagEdit.Change..., sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> SplicePlan {
    try edit(TagEdit(changes), sourceLocation: sourceLocation)
  }

  @discardableResult
  mutating func edit(_ edit: TagEdit, sourceLocation: SourceLocation = #_sourceLocation) throws -> SplicePlan {
    let old = self
    let plan = try TagEditor.plan(edit, buffered)
    bytes = plan.plan.applied(to: old.bytes)
    #expect(plan.undo.applied(to: bytes) == old.bytes, "the edit can be taken back", sourceLocation: sourceLocation)
    undos.append(plan.undo)

    let (before, after) = (try old.identity(), try identity())
    #expect(before.hash == after.hash, "\(name)", sourceLocation: sourceLocation)
    #expect(before.byteCount == after.byteCount, "\(name)", sourceLocation: sourceLocation)
    #expect(before.declaration == after.declaration, "\(name)", sourceLocation: sourceLocation)

    var expected = try old.properties()
    for property in edit.properties { expected[property.name] = property.values.isEmpty ? nil : property.values }
    #expect(try properties() == expected, "\(name)", sourceLocation: sourceLocation)
    // A new tag says what the others of the file say, too; the properties above hold it to that.
    let oldParts = try FileParts(old, without: edit)
    let difference = try FileParts(self, without: edit, kinds: oldParts.kinds).difference(from: oldParts)
    #expect(difference == nil, "other items \(name)", sourceLocation: sourceLocation)
    let again = try TagEditor.plan(edit, buffered)
    #expect(again.plan.isEmpty, "the same edit changes nothing more \(name)", sourceLocation: sourceLocation)
    return plan.plan
  }

  /// Takes back all edits.
  mutating func undoAll() {
    for undo in undos.reversed() { bytes = undo.applied(to: bytes) }
    undos = []
  }

  /// Why an edit is refused; nil if it is not.
  func refusal(_ changes: TagEdit.Change...) -> TagEditRefusal? {
    do {
      _ = try TagEditor.plan(TagEdit(changes), buffered)
      return nil
    } catch { return error }
  }
}

/// What a file consists of besides what an edit changes: the items of its tags and the parts of its container, each with all
/// of its bytes, in order.
struct FileParts {
  struct Part: Equatable {
    let name: String
    let bytes: [UInt8]
  }

  private(set) var parts: [Part] = []
  /// Of the tags.
  private(set) var kinds: Set<RawTag.Kind> = []
  private let file: TaggedFile
  private let edit: TagEdit
  private let wantedKinds: Set<RawTag.Kind>?

  /// The first part that is another one; nil if all are equal.
  func difference(from other: FileParts) -> String? {
    if let pair = zip(parts, other.parts).first(where: { $0 != $1 }) { return "\(pair.0.name), was \(pair.1.name)" }
    if parts.count == other.parts.count { return nil }
    let names = parts.count > other.parts.count ? parts[other.parts.count...] : other.parts[parts.count...]
    return "\(parts.count) parts, were \(other.parts.count): \(names.map(\.name))"
  }

  /// - Parameter kinds: of the tags that count; nil for all.
  init(_ file: TaggedFile, without edit: TagEdit, kinds wantedKinds: Set<RawTag.Kind>? = nil) throws {
    (self.file, self.edit, self.wantedKinds) = (file, edit, wantedKinds)
    let buffered = file.buffered
    for tag in try SurroundingTags(buffered, skipsJunk: true).tags where tag.kind != .id3v1 {
      try add(tag)
    }
    let container = try MediaFile(buffered).content.container
    switch container {
    case .flac?: try addFLACBlocks(buffered)
    case .mpeg?, .adts?, .trueAudio?, .wavpack?, .musepack?:
      var audio = try TagBounds(buffered).audio
      // A tag that stands behind other bytes.
      let tags = try SurroundingTags(buffered, skipsJunk: true).tags
      if let tag = tags.first, tag.kind == .id3v2, tag.range.lowerBound > audio.lowerBound,
        tag.range.upperBound <= audio.upperBound
      {
        add("junk", audio.lowerBound..<tag.range.lowerBound)
        audio = tag.range.upperBound..<audio.upperBound
      }
      add("audio", audio)
    case .ogg?: try addOggPackets(buffered)
    case .wav?: try addChunks(buffered, isBigEndian: false)
    case .aiff?: try addChunks(buffered, isBigEndian: true)
    case .mp4?:
      try addBoxes(buffered, in: 0..<buffered.byteCount)
      for tag in try MP4ItemReader.tags(buffered, MP4TagBoxes(buffered)) { try add(tag) }
    default: break
    }
  }

  /// The packets before the sound; its own are hashed. Comments with what follows them, without padding.
  private mutating func addOggPackets(_ buffered: BufferedBytes) throws {
    var scanner = OggPageScanner(buffered, range: try OggPageScanner.range(buffered))
    var packets: [[UInt8]] = [[]]
    while packets.count <= 3, let page = try scanner.next() {
      var rest = try buffered.copy(at: page.bodyOffset, count: page.bodyByteCount)[...]
      for size in page.lacing {
        packets[packets.count - 1] += rest.prefix(Int(size))
        rest = rest.dropFirst(Int(size))
        if size < 255 { packets.append([]) }
      }
    }
    for (number, packet) in packets.prefix(3).enumerated() {
      guard number == 1 else {
        parts.append(Part(name: "packet \(number)", bytes: packet))
        continue
      }
      let mark = packet.has("vorbis", at: 1) ? 7 : packet.has("OpusTags", at: 0) ? 8 : packet[0] & 0x7F == 4 ? 4 : 0
      let tag = try VorbisCommentReader.tag(BytesInMemory(packet).file, Int64(mark)..<Int64(packet.count))
      try add(tag)
      let end = packet[Int(tag.range.upperBound)...]
      parts.append(Part(name: "behind", bytes: end.lastIndex { $0 != 0 }.map { Array(end[...$0]) } ?? []))
    }
  }

  private mutating func addChunks(_ buffered: BufferedBytes, isBigEndian: Bool) throws {
    var walk = ChunkWalk(buffered, in: 12..<buffered.byteCount, isBigEndian: isBigEndian)
    while let chunk = try walk.next() {
      if chunk.has("ID3 ") || chunk.has("id3 ") {
        if let tag = try ID3v2Reader.tag(buffered, at: chunk.body.lowerBound, before: chunk.body.upperBound) {
          try add(tag)
        }
      } else if chunk.has("LIST"), try buffered.matches("INFO", at: chunk.body.lowerBound) {
        for tag in try RIFFTags(buffered, from: 0).info { try add(tag) }
      } else if !["NAME", "AUTH", "ANNO", "COMT", "(c) "].contains(String(decoding: chunk.name, as: UTF8.self)) {
        add(String(decoding: chunk.name, as: UTF8.self), chunk.body)
      }
    }
    if isBigEndian { try add(AIFFTags(buffered, from: 0).texts) }
  }

  /// Boxes that hold no others; places of sound are left out, because they may change.
  private mutating func addBoxes(_ buffered: BufferedBytes, in range: Range<Int64>) throws {
    let holders: Set = ["moov", "udta", "meta", "trak", "mdia", "minf", "stbl", "moof", "traf"]
    for box in try MP4Box.boxes(buffered, in: range) {
      let type = String(decoding: box.type, as: UTF8.self)
      if ["free", "skip", "ilst", "stco", "co64", "tfhd"].contains(type) { continue }
      // A list that is new comes with one.
      if type == "hdlr", try buffered.matches("mdir", at: box.body.lowerBound + 8) { continue }
      if type == "meta" {
        try addBoxes(buffered, in: try MP4TagBoxes.Metadata(buffered, box).range)
      } else if holders.contains(type) {
        try addBoxes(buffered, in: box.body)
      } else {
        add(type, box.body)
      }
    }
  }

  private mutating func add(_ name: String, _ range: Range<Int64>) {
    parts.append(Part(name: name, bytes: Array(file.bytes[Int(range.lowerBound)..<Int(range.upperBound)])))
  }

  mutating func add(_ tag: RawTag) throws {
    kinds.insert(tag.kind)
    if wantedKinds?.contains(tag.kind) == false { return }
    let names = try tag.propertyNames()
    let changed = Set(edit.properties.map(\.name))
    for (item, names) in zip(tag.items, names) where names.isDisjoint(with: changed) {
      if edit.cover != nil, try tag.pictureTypes(of: item)?.contains(3) == true { continue }
      let bytes = try tag.bytes.file.bytes(
        at: item.range.lowerBound, count: Int(item.range.upperBound - item.range.lowerBound))
      parts.append(
        Part(name: "\(tag.kind) 2.\(tag.version) \(String(decoding: item.name, as: UTF8.self))", bytes: bytes))
    }
  }

  private mutating func addFLACBlocks(_ buffered: BufferedBytes) throws {
    var offset = try FLACStart.range(buffered).lowerBound + 4
    var isLast = false
    while !isLast {
      let word = try buffered.bigEndian(UInt32.self, at: offset) ?? 1 << 31
      let body = offset + 4..<offset + 4 + Int64(word & 0xFF_FFFF)
      isLast = word >> 31 == 1
      switch word >> 24 & 0x7F {
      case 4: try add(try VorbisCommentReader.tag(buffered, body))
      case 1: break
      case 6 where edit.cover != nil && file.bytes[Int(body.lowerBound) + 3] == 3: break
      case let type: add("block \(type)", body)
      }
      offset = body.upperBound
    }
    add("frames", offset..<(try TagBounds(buffered).audio.upperBound))
  }
}

import MediaModel

extension FileAccount {
  private static let void: UInt32 = 0xEC
  private static let attachedFile: UInt32 = 0x61A7
  private static let mimeType: UInt32 = 0x4660
  private static let fileData: UInt32 = 0x465C
  private static let blockAdditions: UInt32 = 0x75A1

  /// Every element must be a known one, every block of the track that is heard, and every attachment a picture.
  mutating func addElements() throws(DecodingError) {
    let start = try TagBounds.start(of: bytes)
    guard let track = try MatroskaLayout(bytes, start: start).track else { return }
    var walk = MatroskaWalk(bytes, from: start, entersClusters: true)
    var seen: Set<UInt32> = []
    var pictureTracks: Set<UInt64> = []
    while true {
      let before = walk.offset
      guard let element = try walk.next() else { break }
      if walk.skippedByteCount > 0 { try leave(before..<before + walk.skippedByteCount) }
      switch element.identifier {
      case MatroskaID.segment, MatroskaID.header:
        if !seen.insert(element.identifier).inserted { noteSurplus() }
      case MatroskaID.tracks:
        if !seen.insert(element.identifier).inserted { noteOtherStream() }
        for entry in try element.children(bytes) where entry.identifier == 0xAE {
          let other = try MatroskaTrack(bytes, entry: entry)
          if other.number == track.number, other.identifier == track.identifier { continue }
          // FFmpeg writes covers as tracks with one picture.
          if other.kind != .video || other.number == track.number || !pictureTracks.insert(other.number).inserted {
            noteOtherStream()
          }
        }
      case MatroskaID.simpleBlock, MatroskaID.block:
        let head = try bytes.copy(at: element.body.lowerBound, count: 16)
        guard let number = EBMLNumber(head[...]) else { break }
        if number.value != track.number, pictureTracks.remove(number.value) == nil || !isPicture(head, number) {
          noteOtherStream()
        }
      // What a track has beside its packets, as the correction of WavPack.
      case Self.blockAdditions: noteOtherStream()
      case MatroskaID.attachments: try addAttachments(element)
      case Self.void: try leave(element.body)
      case let identifier where !MatroskaID.known.contains(identifier):
        try leave(element.body)
      default: break
      }
    }
    if walk.skippedByteCount > 0 { try leave(bytes.byteCount - walk.skippedByteCount..<bytes.byteCount) }
  }

  /// Whether a block that is not laced begins as a JPEG or PNG does. Behind the number are a time and flags.
  private func isPicture(_ head: [UInt8], _ number: EBMLNumber) -> Bool {
    let picture = head.dropFirst(number.byteCount + 3)
    return picture.starts(with: [0xFF, 0xD8, 0xFF]) || picture.starts(with: [0x89, 0x50, 0x4E, 0x47])
  }

  private mutating func addAttachments(_ element: EBMLElement) throws(DecodingError) {
    for file in try element.children(bytes) where file.identifier == Self.attachedFile {
      let parts = try file.children(bytes)
      let type = try parts.first { $0.identifier == Self.mimeType }?.text(bytes, limit: 64) ?? []
      guard !String(decoding: type, as: UTF8.self).lowercased().hasPrefix("image/") else { continue }
      for part in parts where part.identifier == Self.fileData { try leave(part.body) }
    }
  }
}

internal import Base

/// The tags of Windows Media as lists of raw attributes: the content description, the extended one, the metadata and the
/// metadata library (Advanced Systems Format Specification, sections 3.10, 3.11, 4.7 and 4.8).
enum ASFTagReader {
  private static let maximumTagCount = 64

  /// An object that has tags.
  enum Object: CaseIterable {
    case description, extendedDescription, metadata, library

    fileprivate var identifier: [UInt8] {
      switch self {
      case .description:
        [0x33, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11, 0xA6, 0xD9, 0x00, 0xAA, 0x00, 0x62, 0xCE, 0x6C]
      case .extendedDescription:
        [0x40, 0xA4, 0xD0, 0xD2, 0x07, 0xE3, 0xD2, 0x11, 0x97, 0xF0, 0x00, 0xA0, 0xC9, 0x5E, 0xA8, 0x50]
      case .metadata:
        [0xEA, 0xCB, 0xF8, 0xC5, 0xAF, 0x5B, 0x77, 0x48, 0x84, 0x67, 0xAA, 0x8C, 0x44, 0xFA, 0x4C, 0xCA]
      case .library:
        [0x94, 0x1C, 0x23, 0x44, 0x98, 0x94, 0xD1, 0x49, 0xA1, 0x41, 0x1D, 0x13, 0x4E, 0x45, 0x70, 0x54]
      }
    }
  }

  /// The names of the texts in a content description, in their order.
  static let descriptionNames = ["Title", "Author", "Copyright", "Description", "Rating"]

  /// The objects with tags: descriptions first, because others have the further values of what they say. The type of a value
  /// is in the flags of its item.
  ///
  /// - Parameter start: of the header object.
  static func tags(_ bytes: BufferedBytes, start: Int64) throws(DecodingError) -> [RawTag] {
    var found: [(rank: Int, tag: RawTag)] = []
    var objects = ASFObjects(bytes, start: start)
    while found.count < maximumTagCount, let object = try objects.next() {
      guard let rank = Object.allCases.firstIndex(where: { $0.identifier == object.identifier }) else { continue }
      var reader = Reader(bytes, object.range)
      if object.isCut { reader.tag.isOdd = true }
      try reader.read(Object.allCases[rank])
      found.append((rank, reader.tag))
    }
    return found.sorted { ($0.rank, $0.tag.range.lowerBound) < ($1.rank, $1.tag.range.lowerBound) }.map(\.tag)
  }

  private struct Reader {
    private let bytes: BufferedBytes
    private let end: Int64
    private var offset: Int64
    var tag: RawTag

    init(_ bytes: BufferedBytes, _ range: Range<Int64>) {
      (self.bytes, offset, end) = (bytes, range.lowerBound + 24, range.upperBound)
      tag = RawTag(.asf, bytes, range)
    }

    mutating func read(_ object: Object) throws(DecodingError) {
      if object == .description { return try readDescription() }
      guard let count = try number(at: offset) else {
        tag.isOdd = true
        return
      }
      var place = offset + 2
      for _ in 0..<count {
        let item = object == .extendedDescription ? try descriptor(at: place) : try record(at: place)
        guard let item, tag.add(item) else {
          tag.isOdd = true
          return
        }
        if item.range.upperBound == end, tag.items.count < count { tag.isOdd = true }
        place = item.range.upperBound
      }
    }

    /// The length of the name, the name, the type, the length of the value, the value.
    private func descriptor(at start: Int64) throws(DecodingError) -> RawTag.Item? {
      guard let nameLength = try number(at: start), let type = try number(at: start + 2 + nameLength),
        let length = try number(at: start + 4 + nameLength)
      else { return nil }
      let body = start + 6 + nameLength
      return RawTag.Item(
        name: try bytes.copy(at: start + 2, count: Int(nameLength)), flags: UInt32(type),
        range: start..<min(end, body + length), body: min(body, end)..<min(end, body + length))
    }

    /// A language, a stream, the length of the name, the type and the length of the value, then the name and the value.
    private func record(at start: Int64) throws(DecodingError) -> RawTag.Item? {
      guard start + 12 <= end, let nameLength = try number(at: start + 4), let type = try number(at: start + 6),
        let length = try bytes.copy(at: start + 8, count: 4).littleEndian(UInt32.self, at: 0)
      else { return nil }
      let body = start + 12 + nameLength
      guard body <= end else { return nil }
      return RawTag.Item(
        name: try bytes.copy(at: start + 12, count: Int(nameLength)), flags: UInt32(type),
        range: start..<min(end, body + Int64(length)), body: body..<min(end, body + Int64(length)))
    }

    private func number(at offset: Int64) throws(DecodingError) -> Int64? {
      guard offset + 2 <= end else { return nil }
      return try bytes.copy(at: offset, count: 2).littleEndian(UInt16.self, at: 0).map { Int64($0) }
    }

    private mutating func readDescription() throws(DecodingError) {
      var place = offset + 10
      for (index, name) in ASFTagReader.descriptionNames.enumerated() {
        guard let length = try number(at: offset + 2 * Int64(index)) else {
          tag.isOdd = true
          return
        }
        let body = min(place, end)..<min(place + length, end)
        if place + length > end { tag.isOdd = true }
        tag.items.append(RawTag.Item(name: Array(name.utf8), range: body, body: body))
        place += length
      }
    }
  }
}

extension TagContents {
  /// What the attributes of all objects say: several values of a name may be in several objects.
  init(asf tags: [RawTag]) throws(DecodingError) {
    self.init()
    for tag in tags {
      if tag.isOdd { isOdd = true }
      for item in tag.items {
        let isDescription = item.range == item.body
        let name =
          isDescription
          ? String(decoding: item.name, as: UTF8.self)
          : String(TextEncoding.utf16LittleEndian.decoded(item.name[...]).prefix { $0 != "\0" })
        if name == "WM/Picture" {
          addASFPicture(try tag.body(item, limit: TagLimits.maximumPictureByteCount + 8192))
        } else {
          try add(tag, item, name)
        }
      }
    }
    // Who has the work under its own name has the grouping there.
    rename(Self.workOrGrouping, has("WORK") ? "GROUPING" : "WORK")
  }

  /// What WM/ContentGroupDescription is called until all attributes are read.
  private static let workOrGrouping = "WM/CONTENTGROUPDESCRIPTION"

  private mutating func add(_ tag: RawTag, _ item: RawTag.Item, _ name: String) throws(DecodingError) {
    let known = Self.asfNames[name]
    source = name
    if known == nil, name.isEmpty || name == "Rating" || name.hasPrefix("WMFSDK") || name == "DeviceConformanceTemplate"
    {
      return
    }
    let body = try tag.body(item, limit: Self.maximumBodyByteCount)
    let type = item.flags & 0xFFFF
    if type == 0 {
      let end = stride(from: 0, to: body.count - 1, by: 2).first { body[$0] == 0 && body[$0 + 1] == 0 }
      let text = Array(body[..<(end ?? body.count)])
      // Programs write the same text into two objects.
      let key = known ?? name.uppercased()
      let marked = LegacyText.isWide(text) || text.isEmpty ? text : [0xFF, 0xFE] + text
      guard !text.isEmpty, !texts.contains(where: { $0.name == key && $0.bytes == marked }) else { return }
      add(key, marked, .utf16)
    } else if let known, (2...5).contains(type), (1...8).contains(body.count) {
      let number = body.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      add(known, type == 2 ? (number == 0 ? "0" : "1") : "\(number)")
    } else if known != nil {
      isOdd = true
    }
  }

  /// The type, the length of the picture, the kind of file and a description, then the picture.
  private mutating func addASFPicture(_ body: [UInt8]) {
    guard let type = body.first, let length = body.littleEndian(UInt32.self, at: 1),
      let (mimeType, mimeEnd) = Self.wideText(body, from: 5), let (caption, end) = Self.wideText(body, from: mimeEnd)
    else {
      isOdd = true
      return
    }
    let picture = body[end...].prefix(Int(length))
    if picture.count < Int(length) { isOdd = true }
    add(
      picture: Int(type), mimeType: TextEncoding.utf16LittleEndian.decoded(mimeType[...]),
      caption: [0xFF, 0xFE] + caption, encoding: .utf16, bytes: Array(picture))
  }

  private static func wideText(_ body: [UInt8], from start: Int) -> (text: [UInt8], end: Int)? {
    guard start < body.count - 1,
      let end = stride(from: start, to: body.count - 1, by: 2).first(where: { body[$0] == 0 && body[$0 + 1] == 0 })
    else { return nil }
    return (Array(body[start..<end]), end + 2)
  }

  /// By TagLib's names.
  private static let asfNames: [String: String] = [
    "Title": "TITLE", "Author": "ARTIST", "Copyright": "COPYRIGHT", "Description": "COMMENT", "WM/AlbumTitle": "ALBUM",
    "WM/AlbumArtist": "ALBUMARTIST", "WM/Composer": "COMPOSER", "WM/Writer": "LYRICIST",
    "WM/Conductor": "CONDUCTOR", "WM/ModifiedBy": "REMIXER", "WM/Year": "DATE",
    "WM/OriginalReleaseYear": "ORIGINALDATE", "WM/OriginalReleaseTime": "ORIGINALDATE",
    "WM/OriginalAlbumTitle": "ORIGINALALBUM", "WM/OriginalArtist": "ORIGINALARTIST",
    "WM/OriginalLyricist": "ORIGINALLYRICIST", "WM/OriginalFilename": "ORIGINALFILENAME",
    "WM/IsCompilation": "COMPILATION", "WM/InitialKey": "INITIALKEY", "WM/AuthorURL": "ARTISTWEBPAGE",
    "WM/AudioFileURL": "FILEWEBPAGE", "WM/AudioSourceURL": "AUDIOSOURCEWEBPAGE", "WM/EncodingSettings": "ENCODING",
    "WM/RadioStationName": "RADIOSTATION",
    "WM/RadioStationOwner": "RADIOSTATIONOWNER", "WM/PlaylistDelay": "PLAYLISTDELAY",
    "WM/Producer": "PRODUCER", "WM/ContentGroupDescription": workOrGrouping,
    "WM/Work": "WORK",
    "WM/Arranger": "ARRANGER", "WM/ARRANGER": "ARRANGER", "WM/Engineer": "ENGINEER", "WM/Mixer": "MIXER",
    "WM/DJMixer": "DJMIXER", "WM/Director": "DIRECTOR", "WM/ComposerSortOrder": "COMPOSERSORT",
    "WM/SubTitle": "SUBTITLE", "WM/SetSubTitle": "DISCSUBTITLE", "WM/TrackNumber": "TRACKNUMBER",
    "WM/PartOfSet": "DISCNUMBER", "WM/Genre": "GENRE", "WM/BeatsPerMinute": "BPM", "WM/Mood": "MOOD",
    "WM/ISRC": "ISRC", "WM/Lyrics": "LYRICS", "WM/Media": "MEDIA", "WM/Publisher": "LABEL",
    "WM/CatalogNo": "CATALOGNUMBER", "WM/Barcode": "BARCODE", "WM/EncodedBy": "ENCODEDBY",
    "WM/AlbumSortOrder": "ALBUMSORT", "WM/AlbumArtistSortOrder": "ALBUMARTISTSORT",
    "WM/ArtistSortOrder": "ARTISTSORT", "WM/TitleSortOrder": "TITLESORT", "WM/Script": "SCRIPT",
    "WM/Language": "LANGUAGE", "WM/ARTISTS": "ARTISTS", "ASIN": "ASIN",
    "MusicBrainz/Track Id": "MUSICBRAINZ_TRACKID", "MusicBrainz/Artist Id": "MUSICBRAINZ_ARTISTID",
    "MusicBrainz/Album Id": "MUSICBRAINZ_ALBUMID", "MusicBrainz/Album Artist Id": "MUSICBRAINZ_ALBUMARTISTID",
    "MusicBrainz/Album Release Country": "RELEASECOUNTRY", "MusicBrainz/Album Status": "RELEASESTATUS",
    "MusicBrainz/Album Type": "RELEASETYPE", "MusicBrainz/Release Group Id": "MUSICBRAINZ_RELEASEGROUPID",
    "MusicBrainz/Release Track Id": "MUSICBRAINZ_RELEASETRACKID", "MusicBrainz/Work Id": "MUSICBRAINZ_WORKID",
    "MusicBrainz/Disc Id": "MUSICBRAINZ_DISCID", "MusicBrainz/TRM Id": "MUSICBRAINZ_TRMID",
    "MusicBrainz/Original Album Id": "MUSICBRAINZ_ORIGINALALBUMID",
    "MusicBrainz/Original Artist Id": "MUSICBRAINZ_ORIGINALARTISTID",
    "MusicIP/PUID": "MUSICIP_PUID", "Acoustid/Id": "ACOUSTID_ID", "Acoustid/Fingerprint": "ACOUSTID_FINGERPRINT",
  ]
}

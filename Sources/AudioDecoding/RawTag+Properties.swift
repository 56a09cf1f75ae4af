internal import Base
package import MediaModel

/// What the items of a tag are called in the library, by the tables that read them: what edits a tag asks here.
extension RawTag {
  /// For each item the properties that it has a part in; none if it is no text that is read.
  package func propertyNames() throws(DecodingError) -> [Set<String>] {
    var names: [Set<String>] = []
    for item in items { names.append(try propertyNames(item)) }
    // As the reader has it: a work beside it makes the frame a grouping.
    let isWork = kind == .id3v2 && !names.contains { $0.contains("WORK") }
    for (index, item) in items.enumerated() where kind == .id3v2 && ID3v2Names.identifier(item.name) == "TIT1" {
      names[index] = [isWork ? "WORK" : "GROUPING"]
    }
    return names
  }

  private func propertyNames(_ item: Item) throws(DecodingError) -> Set<String> {
    let written = String(decoding: item.name, as: UTF8.self).uppercased()
    switch kind {
    case .id3v2:
      let id = ID3v2Names.identifier(item.name)
      if id == "TIT1" { return [] }
      if ["TDAT", "TIME"].contains(id) { return ["DATE"] }
      if let name = ID3v2Names.texts[id] ?? ID3v2Names.urls[id] { return [name] }
      return ID3v2Contents.isUnread(id) ? [] : try readNames(item)
    case .vorbisComments:
      guard VorbisCommentReader.isNamed(item), !Self.pictureComments.contains(written) else { return [] }
      return [TagCollector.property(written).name]
    case .ape:
      if written.hasPrefix("COVER ART (") { return [] }
      return [TagCollector.property(TagContents.apeNames[written] ?? written).name]
    case .mp4:
      let type = LegacyText.western(item.name[...])
      if type == "gnre" { return ["GENRE"] }
      if let name = TagContents.mp4Name(type) { return [name] }
      return type == "----" ? try readNames(item) : []
    case .riffInfo: return TagContents.infoNames[written].map { [$0] } ?? []
    case .aiffTexts: return TagContents.aiffNames[item.name].map { [$0] } ?? []
    case .id3v1, .asf, .matroska: return []
    }
  }

  private static let pictureComments: Set<String> = ["METADATA_BLOCK_PICTURE", "COVERART"]

  private func only(_ item: Item) -> RawTag {
    var tag = self
    tag.items = [item]
    return tag
  }

  private func readNames(_ item: Item) throws(DecodingError) -> Set<String> {
    Set(try TagContents(only(item)).texts.map { TagCollector.property($0.name).name })
  }

  /// What the tag says alone, or one of its items.
  ///
  /// - Parameter codePage: of INFO.
  package func properties(of item: Item? = nil) throws(DecodingError) -> Tags {
    let collector = TagCollector()
    collector.add(try TagContents(item.map { only($0) } ?? self))
    return collector.tags
  }

  /// The types of the pictures in an item, as ID3v2 has them; nil if it has none.
  package func pictureTypes(of item: Item) throws(DecodingError) -> [Int]? {
    guard isPicture(item) else { return nil }
    return try TagContents(only(item)).pictures.map(\.type)
  }

  private func isPicture(_ item: Item) -> Bool {
    let name = String(decoding: item.name, as: UTF8.self).uppercased()
    switch kind {
    case .id3v2: return ["APIC", "PIC"].contains(ID3v2Names.identifier(item.name))
    case .vorbisComments: return Self.pictureComments.contains(name)
    case .ape: return name.hasPrefix("COVER ART (")
    case .mp4: return name == "COVR"
    default: return false
    }
  }
}

/// What an item is called that a property is written into, by the tables that read it.
package enum TagItemNames {
  /// The frame of a property with a text of its own; nil if it has none in this version.
  ///
  /// - Parameter version: 2, 3 or 4.
  package static func id3v2Frame(of property: String, version: UInt8) -> String? {
    let id: String? =
      switch property {
      case "ORIGINALDATE": version == 4 ? "TDOR" : "TORY"
      case "DATE": "TDRC"
      // Other programs know the text with a name of its own.
      case "WORK": nil
      default: framesByProperty[property]
      }
    guard let id else { return nil }
    if version == 2 { return formerFrames[id] }
    return version == 3 && latestFrames.contains(id) ? nil : id
  }

  /// The frame that has this identifier since version 2.3.
  package static func id3v2Identifier(_ written: [UInt8]) -> String { ID3v2Names.identifier(written) }

  package static func isAddress(id3v2Frame id: String) -> Bool {
    ID3v2Names.urls[ID3v2Names.identifier(Array(id.utf8))] != nil
  }

  /// The identifier of version 2.2; nil if it has none.
  package static func formerFrame(_ id: String) -> String? { formerFrames[id] }

  /// The description of a text with a name of its own.
  package static func id3v2Description(of property: String) -> String {
    descriptions[property].map(spelled) ?? property
  }

  /// The role of a list of people; nil if the property is none.
  package static func id3v2Role(of property: String) -> String? {
    switch property {
    case "MIXER": "mix"
    case "DJMIXER": "DJ-mix"
    default: ID3v2Names.roles[property] == property ? property.lowercased() : nil
    }
  }

  /// Whether a role, in capitals, is that of a property.
  package static func isRole(_ written: String) -> String? { ID3v2Names.roles[written] }

  /// The key of APE, with capitals as usual.
  package static func apeKey(of property: String) -> String {
    apeKeys[property] ?? (capitalised.contains(property) ? spelled(property) : property)
  }

  /// The type of an atom; nil if only one with a name of its own has the property.
  package static func mp4Atom(of property: String) -> String? { mp4Atoms[property] }

  /// The name of an atom with a name of its own.
  package static func mp4FreeFormName(of property: String) -> String { mp4FreeForms[property].map(spelled) ?? property }

  /// The chunk of INFO; nil if it has none.
  package static func infoChunk(of property: String) -> String? { infoChunks[property] }

  /// The chunk of AIFF's texts; nil if it has none.
  package static func aiffChunk(of property: String) -> [UInt8]? {
    property == "COMMENT" ? Array("ANNO".utf8) : TagContents.aiffNames.first { $0.value == property }?.key
  }

  /// The number of a genre in ID3v1; 255 if it has none.
  package static func id3v1Genre(_ name: String) -> UInt8 {
    (0..<192).first { TagGenres.name($0)?.lowercased() == name.lowercased() }.map { UInt8($0) } ?? 255
  }

  // MARK: Tables

  /// Of several frames the one without `X` in front, which programs invented before version 2.4.
  private static let framesByProperty = inverted(ID3v2Names.texts.merging(ID3v2Names.urls) { $1 }) {
    !$0.hasPrefix("X")
  }
  private static let formerFrames = inverted(ID3v2Names.formerIdentifiers) { _ in true }
  private static let descriptions = inverted(TagContents.describedNames) { _ in true }
  private static let apeKeys = inverted(TagContents.apeNames) { _ in true }.mapValues {
    $0 == "MIXARTIST" ? "MixArtist" : spelled($0)
  }
  private static let mp4Atoms = inverted(TagContents.mp4Names) { _ in true }
  private static let mp4FreeForms = inverted(TagContents.mp4FreeFormNames) { _ in true }
  private static let infoChunks = inverted(TagContents.infoNames) { $0 != "ITRK" }

  /// Frames that version 2.3 does not define, and for which it has a usual text with a name instead.
  private static let latestFrames: Set<String> = [
    "TDEN", "TDOR", "TDRL", "TDTG", "TMOO", "TPRO", "TSST",
  ]
  private static let capitalised: Set<String> = [
    "TITLE", "ARTIST", "ALBUM", "GENRE", "COMMENT", "COMPOSER", "CONDUCTOR", "LYRICIST", "LYRICS", "LANGUAGE", "LABEL",
    "MEDIA", "SUBTITLE", "COPYRIGHT", "WORK", "GROUPING",
  ]

  private static func inverted(_ table: [String: String], where isWritten: (String) -> Bool) -> [String: String] {
    // In order, so that every run chooses the same one.
    table.filter { isWritten($0.key) }.sorted { $0.key < $1.key }.reduce(into: [:]) { names, entry in
      if names[entry.value] == nil { names[entry.value] = entry.key }
    }
  }

  /// As MusicBrainz Picard spells it.
  private static func spelled(_ name: String) -> String {
    name.split(separator: " ").map { word in
      switch word {
      case "MUSICBRAINZ": "MusicBrainz"
      case "MUSICIP": "MusicIP"
      case "PUID", "TRM": String(word)
      case _ where word.hasPrefix("MUSICBRAINZ_"): String(word)
      default: word.prefix(1) + word.dropFirst().lowercased()
      }
    }.joined(separator: " ")
  }
}

extension TagContents {
  /// What a tag says that has all of its items in one place.
  init(_ tag: RawTag) throws(DecodingError) {
    switch tag.kind {
    case .id3v2: try self.init(id3v2: tag)
    case .ape: try self.init(ape: tag)
    case .id3v1: try self.init(id3v1: tag)
    case .vorbisComments: try self.init(comments: tag)
    case .mp4: try self.init(mp4: tag)
    case .riffInfo: try self.init(info: tag, codePage: nil)
    case .aiffTexts: try self.init(aiff: tag)
    case .asf, .matroska: self.init()
    }
  }
}

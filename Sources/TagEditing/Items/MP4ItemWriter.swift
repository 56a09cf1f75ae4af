import AudioDecoding

/// Items of iTunes (QuickTime File Format, "Metadata"): an atom for each property, in it a `data` atom for each value, which
/// has a type and a locale.
struct MP4ItemWriter: ItemWriter {
  /// "Well-known types".
  private enum DataType {
    static let implicit: UInt32 = 0
    static let utf8: UInt32 = 1
    static let jpeg: UInt32 = 13
    static let png: UInt32 = 14
    static let bmp: UInt32 = 27
    static let integer: UInt32 = 21
  }

  let tag: RawTag

  func items(_ property: TagEdit.Property, like old: [RawTag.Item]) throws(TagEditRefusal) -> [[UInt8]] {
    let first = old.first
    let isFreeForm = first.map { $0.name.elementsEqual("----".utf8) }
    if isFreeForm == true, let first { return [try freeForm(property, like: first)] }
    // A genre by number has none for most names.
    let written = first.map(\.name).flatMap { $0.elementsEqual("gnre".utf8) ? nil : $0 }
    let atom = TagItemNames.mp4Atom(of: property.name).map { $0.unicodeScalars.map { UInt8($0.value) } }
    guard let type = written ?? atom, let values = values(property.values, Self.text(of: type)) else {
      return [try freeForm(property, like: nil)]
    }
    return [try Self.atom(type, values.flatMap(\.self))]
  }

  /// A type in Latin-1, as the tables have it.
  private static func text(of type: [UInt8]) -> String {
    String(String.UnicodeScalarView(type.map { Unicode.Scalar($0) }))
  }

  /// The `data` atoms of an item; nil if its type has no place for a value.
  private func values(_ values: [String], _ type: String) -> [[UInt8]]? {
    var atoms: [[UInt8]] = []
    for value in values {
      switch type {
      case "trkn", "disk":
        let numbers = value.split(separator: "/", omittingEmptySubsequences: false).map { UInt16($0) }
        guard (1...2).contains(numbers.count), let number = numbers[0], let total = numbers.count == 2 ? numbers[1] : 0,
          number < 1 << 15, total < 1 << 15, numbers.count == 1 || total > 0, values.count == 1
        else { return nil }
        let pair = [0, 0] + number.bigEndianBytes + total.bigEndianBytes
        atoms.append(Self.data(DataType.implicit, pair + (type == "trkn" ? [0, 0] : [])))
      case "cpil", "pgap", "pcst", "shwm":
        guard let flag = ["0": 0, "1": 1][value] else { return nil }
        atoms.append(Self.data(DataType.integer, [UInt8(flag)]))
      case "tmpo", "tves", "tvsn", "©mvi", "©mvc":
        guard let number = Int32(value), "\(number)" == value else { return nil }
        let bytes = Int16(exactly: number)?.bigEndianBytes ?? number.bigEndianBytes
        atoms.append(Self.data(DataType.integer, bytes))
      default: atoms.append(Self.data(DataType.utf8, Array(value.utf8)))
      }
    }
    return atoms
  }

  /// An atom with a name of its own, which keeps the spelling of the one that it replaces.
  private func freeForm(_ property: TagEdit.Property, like old: RawTag.Item?) throws(TagEditRefusal) -> [UInt8] {
    var head: [UInt8] = []
    if let old {
      for box in try boxes(old) where box.isType("mean") || box.isType("name") {
        head += try bytes(box.offset..<box.body.upperBound)
      }
    } else {
      let name = TagItemNames.mp4FreeFormName(of: property.name)
      head = try Self.atom("mean", [0, 0, 0, 0] + Array("com.apple.iTunes".utf8))
      head += try Self.atom("name", [0, 0, 0, 0] + Array(name.utf8))
    }
    return try Self.atom("----", head + property.values.flatMap { Self.data(DataType.utf8, Array($0.utf8)) })
  }

  /// All pictures of an item are front covers; the first one is replaced.
  func cover(_ cover: TagEdit.Cover, like old: RawTag.Item?) throws(TagEditRefusal) -> [UInt8]? {
    let type =
      switch cover.mimeType {
      case "image/jpeg": DataType.jpeg
      case "image/png": DataType.png
      case "image/bmp": DataType.bmp
      default: DataType.implicit
      }
    var pictures = Self.data(type, cover.bytes)
    if let old {
      for box in try boxes(old).dropFirst() { pictures += try bytes(box.offset..<box.body.upperBound) }
    }
    return try Self.atom("covr", pictures)
  }

  private func boxes(_ item: RawTag.Item) throws(TagEditRefusal) -> [MP4Box] {
    let tag = tag
    return try reading { () throws(DecodingError) in try MP4Box.boxes(tag.bytes, in: item.body) }
  }

  private func bytes(_ range: Range<Int64>) throws(TagEditRefusal) -> [UInt8] {
    let tag = tag
    return try reading { () throws(DecodingError) in
      try tag.bytes.file.bytes(at: range.lowerBound, count: Int(range.upperBound - range.lowerBound))
    }
  }

  private static func data(_ type: UInt32, _ value: [UInt8]) -> [UInt8] {
    UInt32(clamping: 16 + value.count).bigEndianBytes + "data".utf8 + type.bigEndianBytes + [0, 0, 0, 0] + value
  }

  static func atom(_ type: String, _ body: [UInt8]) throws(TagEditRefusal) -> [UInt8] {
    try atom(Array(type.utf8), body)
  }

  private static func atom(_ type: [UInt8], _ body: [UInt8]) throws(TagEditRefusal) -> [UInt8] {
    guard body.count < 1 << 31 else { throw .tooLong("an MP4 atom of more than 2 GiB") }
    return UInt32(8 + body.count).bigEndianBytes + type + body
  }
}

import AudioDecoding
import MediaModel

/// Writes items of one kind of tag.
protocol ItemWriter {
  /// The items with the values of a property: one, or one for each value if the kind of tag has it so.
  ///
  /// - Parameter old: the items that they replace, whose names, flags and encodings they keep.
  func items(_ property: TagEdit.Property, like old: [RawTag.Item]) throws(TagEditRefusal) -> [[UInt8]]

  /// The item with a front cover; nil if this kind of tag has no pictures.
  func cover(_ cover: TagEdit.Cover, like old: RawTag.Item?) throws(TagEditRefusal) -> [UInt8]?

  /// Whether an item may be replaced or removed; throws if not.
  func check(_ item: RawTag.Item) throws(TagEditRefusal)
}

extension ItemWriter {
  func cover(_ cover: TagEdit.Cover, like old: RawTag.Item?) -> [UInt8]? { nil }
  func check(_ item: RawTag.Item) {}
}

/// The items of a tag, and the splices that change some of them: the others keep their bytes and their order.
struct ItemList {
  let tag: RawTag
  private let names: [Set<String>]
  /// Where items are added.
  private let end: Int64
  private(set) var splices: [Splice] = []
  /// How many items more there are.
  private(set) var itemCountChange = 0

  /// - Parameter end: behind the last item.
  init(_ tag: RawTag, end: Int64) throws(TagEditRefusal) {
    guard !tag.isOdd else { throw .malformed("an item has an impossible length or name") }
    // Texts of AIFF are chunks among others.
    guard tag.kind == .aiffTexts || tag.items.last?.range.upperBound ?? end == end else {
      throw .malformed("there are bytes after the last item")
    }
    self.tag = tag
    self.end = end
    names = try reading { () throws(DecodingError) in try tag.propertyNames() }
  }

  var growth: Int64 { splices.growth }

  /// Makes all changes of an edit.
  ///
  /// - Parameters:
  ///   - adds: whether a property that is not there is added.
  ///   - excluded: properties that are written in another way.
  mutating func apply(
    _ edit: TagEdit, _ writer: some ItemWriter, adds: Bool, except excluded: (String) -> Bool = { _ in false }
  ) throws(TagEditRefusal) {
    let tag = tag
    let written = try reading { () throws(DecodingError) in try tag.properties() }
    for property in edit.properties where !excluded(property.name) {
      let old = tag.items.indices.filter { names[$0].contains(property.name) }.map { tag.items[$0] }
      if old.isEmpty && (property.values.isEmpty || !adds) || written[property.name] == property.values { continue }
      let new = property.values.isEmpty ? [] : try writer.items(property, like: old)
      try replace(old, with: new, writer)
    }
    if let change = edit.cover { try applyCover(change, writer, adds: adds) }
  }

  private mutating func applyCover(
    _ change: TagEdit.CoverChange, _ writer: some ItemWriter, adds: Bool
  ) throws(TagEditRefusal) {
    let tag = tag
    var covers: [RawTag.Item] = []
    for item in tag.items {
      let types = try reading { () throws(DecodingError) in try tag.pictureTypes(of: item) }
      if types?.contains(3) == true { covers.append(item) }
    }
    switch change {
    case .remove: try replace(covers, with: [], writer)
    case .set(let cover):
      guard adds || !covers.isEmpty, let new = try writer.cover(cover, like: covers.first) else { return }
      try replace(Array(covers.prefix(1)), with: [new], writer)
    }
  }

  /// Puts new items in the places of old ones, one by one; further ones follow the last one, and old ones that are left over
  /// go.
  mutating func replace(
    _ old: [RawTag.Item], with new: [[UInt8]], _ writer: some ItemWriter
  ) throws(TagEditRefusal) {
    itemCountChange += new.count - old.count
    guard !old.isEmpty else {
      splices.append(Splice(insert: new.flatMap(\.self), at: end))
      return
    }
    for (index, item) in old.enumerated() {
      try writer.check(item)
      let isLast = index == old.count - 1
      let bytes = isLast ? new.dropFirst(index).flatMap(\.self) : index < new.count ? new[index] : []
      splices.append(Splice(item.range, bytes))
    }
  }
}

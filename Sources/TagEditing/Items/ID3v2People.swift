import AudioDecoding
import MediaModel

/// The lists of people in ID3v2: roles and names in turn. Version 2.4 has those who play instruments in TMCL and all others
/// in TIPL, older ones have both in IPLS.
struct ID3v2People {
  private struct Pair: Hashable {
    var role: String
    var names: String
    /// The property that it is a value of, as the reader has it; nil if it is none.
    var property: String?
  }

  private static let performer = "PERFORMER"
  private static let lists = ["TIPL", "TMCL", "IPLS"]

  private let writer: ID3v2Writer

  init(_ writer: ID3v2Writer) { self.writer = writer }

  /// Whether a property is written into these lists.
  static func has(_ property: String) -> Bool {
    property == performer || TagItemNames.id3v2Role(of: property) != nil || property.hasPrefix("INVOLVEDPEOPLE:")
  }

  /// Applies what an edit says about people. Texts with names of their own that say the same go.
  func apply(_ edit: TagEdit, to list: inout ItemList, adds: Bool) throws(TagEditRefusal) {
    let tag = list.tag
    let written = try reading { () throws(DecodingError) in try tag.properties() }
    let changes = edit.properties.filter {
      Self.has($0.name) && written[$0.name] != $0.values && (adds || !written[$0.name].isEmpty)
    }
    guard !changes.isEmpty else { return }
    let names = try reading { () throws(DecodingError) in try tag.propertyNames() }
    var open = changes
    for (index, item) in tag.items.enumerated() {
      let id = TagItemNames.id3v2Identifier(item.name)
      let touched = changes.filter { names[index].contains($0.name) }
      if Self.lists.contains(id) {
        // A list takes values whose property it has, or that belong into it.
        let mine = changes.filter { names[index].contains($0.name) || open.contains($0) && belongs($0.name, in: id) }
        guard !mine.isEmpty else { continue }
        let pairs = try pairs(of: item, id)
        let new = try edited(
          pairs, mine.map { open.contains($0) ? $0 : TagEdit.Property(name: $0.name, values: []) }, id)
        open.removeAll { mine.contains($0) }
        if new != pairs { try list.replace([item], with: new.isEmpty ? [] : [try frame(id, new, like: item)], writer) }
      } else if !touched.isEmpty {
        try list.replace([item], with: [], writer)
      }
    }
    for id in writer.tag.version == 4 ? ["TIPL", "TMCL"] : ["IPLS"] {
      let mine = open.filter { belongs($0.name, in: id) && !$0.values.isEmpty }
      guard !mine.isEmpty else { continue }
      try list.replace([], with: [try frame(id, edited([], mine, id), like: nil)], writer)
    }
  }

  private func belongs(_ property: String, in id: String) -> Bool {
    id == "IPLS" || (property == Self.performer) == (id == "TMCL")
  }

  private func pairs(of item: RawTag.Item, _ id: String) throws(TagEditRefusal) -> [Pair] {
    let content = try writer.content(item)
    guard let encoding = content.first.flatMap(ID3v2Encoding.init) else { return [] }
    var rest = content.dropFirst()
    var pairs: [Pair] = []
    while !rest.isEmpty {
      let role = encoding.split(rest)
      let names = encoding.split(role.rest)
      rest = names.rest
      let known = TagItemNames.isRole(role.text.uppercased())
      let property: String? =
        switch id {
        case "TMCL": Self.performer
        case "TIPL": known ?? "INVOLVEDPEOPLE:\(role.text.uppercased())"
        default: known ?? Self.performer
        }
      pairs.append(Pair(role: role.text, names: names.text, property: property))
    }
    return pairs
  }

  private func edited(
    _ pairs: [Pair], _ changes: [TagEdit.Property], _ id: String
  ) throws(TagEditRefusal) -> [Pair] {
    var pairs = pairs
    for change in changes {
      let place = pairs.firstIndex { $0.property == change.name } ?? pairs.count
      let role = pairs.indices.contains(place) ? pairs[place].role : nil
      pairs.removeAll { $0.property == change.name }
      pairs.insert(contentsOf: change.values.map { pair($0, change.name, role) }, at: min(place, pairs.count))
    }
    return pairs
  }

  /// `Nora Vale (violin)` is a violin of Nora Vale.
  private func pair(_ value: String, _ property: String, _ role: String?) -> Pair {
    if property != Self.performer {
      let name = TagItemNames.id3v2Role(of: property) ?? property.dropFirst("INVOLVEDPEOPLE:".count).lowercased()
      return Pair(role: role ?? name, names: value, property: property)
    }
    if let parts = try? /(?<name>.+) \((?<instrument>.+)\)/.wholeMatch(in: value) {
      return Pair(role: String(parts.instrument), names: String(parts.name), property: property)
    }
    return Pair(role: "performer", names: value, property: property)
  }

  private func frame(_ id: String, _ pairs: [Pair], like old: RawTag.Item?) throws(TagEditRefusal) -> [UInt8] {
    let texts = pairs.flatMap { [$0.role, $0.names] }
    let encoding = try writer.encoding(texts, like: old)
    return try writer.frame(id, [encoding.rawValue] + encoding.joined(texts) + encoding.terminator, like: old)
  }
}

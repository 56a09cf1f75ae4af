internal import Base
internal import LibraryScanning
internal import MediaModel

/// What reading files did to what users decided, for people and for programs.
enum IdentityText {
  /// The most lines without --verbose.
  private static let listedCount = 10

  /// Writes the lines to standard error, unless only results and errors are wanted.
  static func write(_ changes: [IdentityChange], _ output: OutputOptions) {
    guard !output.quiet else { return }
    for line in lines(changes, limit: output.verbose ? .max : listedCount) {
      StandardError.line(TerminalText.escaped(line))
    }
  }

  /// First what people may want to correct; at most `limit` lines about single recordings and files.
  private static func lines(_ changes: [IdentityChange], limit: Int) -> [String] {
    let single = changes.filter(\.isLoss).map(\.text) + changes.filter { !$0.isLoss }.map(\.text)
    var lines = Array(single.prefix(limit))
    if single.count > limit {
      lines.append("\(single.count - limit) more such changes; --verbose and --json list all of them")
    }
    let replacedCount = changes.count(where: \.isReplacement)
    if replacedCount > 0 {
      let files = replacedCount == 1 ? "1 file now contains" : "\(replacedCount) files now contain"
      lines.append(
        "\(files) another recording; presets, lists, ratings and corrections of the old one are kept: `deadwax preset orphans`"
      )
    }
    return lines
  }

  /// Programs rely on the keys.
  static func json(_ changes: [IdentityChange]) -> JSONValue { .array(changes.map(\.document)) }
}

extension IdentityChange {
  fileprivate var isReplacement: Bool { if case .replaced = self { true } else { false } }

  /// Whether a user may want to do something about it.
  fileprivate var isLoss: Bool {
    switch self {
    case .joined(_, _, _, let preset, let attributes): preset != nil || !attributes.isEmpty
    case .replaced: true
    case .split: false
    }
  }

  fileprivate var text: String {
    switch self {
    case .joined(let label, let former, let current, let preset, let attributes):
      let name = label.isEmpty ? "\(former) and \(current)" : "'\(label)'"
      var parts = ["2 recordings turned out to be the same: \(name)"]
      if let preset { parts.append("the preset \(preset) was dropped (`deadwax undo`)") }
      if !attributes.isEmpty { parts.append("attributes with two values: \(attributes.joined(separator: ", "))") }
      return parts.joined(separator: "; ")
    case .split(let label, let former, let current):
      let name = label.isEmpty ? "\(current)" : "'\(label)'"
      return "\(name) is now a separate recording; it keeps the preset, lists and ratings of \(former)"
    case .replaced(let path, _): return "\(path.displayString): now contains another recording"
    }
  }

  fileprivate var document: JSONValue {
    switch self {
    case .joined(let label, let former, let current, let preset, let attributes):
      Self.document("joined", label: label, former, current, preset, attributes)
    case .split(let label, let former, let current): Self.document("split", label: label, former, current)
    case .replaced(let path, let former): Self.document("replaced", path: path, former)
    }
  }

  private static func document(
    _ kind: String, label: String? = nil, path: BytePath? = nil, _ former: ContentHash, _ current: ContentHash? = nil,
    _ preset: String? = nil, _ attributes: [String] = []
  ) -> JSONValue {
    .object(
      [.init("kind", .string(kind)), .init("label", .string(label))] + JSONValue.path(path) + [
        .init("former_hash", .string(former.description)), .init("hash", .string(current?.description)),
        .init("replaced_preset", .string(preset)),
        .init("renamed_attributes", .array(attributes.map { .string($0) })),
      ])
  }
}

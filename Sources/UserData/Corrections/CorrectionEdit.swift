internal import Foundation
package import MediaModel

/// What a command says about fields of tags.
package enum CorrectionEdit: Hashable, Sendable {
  /// The values of a field, in their order.
  package struct Setting: Hashable, Sendable {
    package var field: CorrectionField
    package var values: [String]

    package init(field: CorrectionField, values: [String]) {
      self.field = field
      self.values = values
    }
  }

  /// These are the values, of each field; none empties it.
  case set([Setting])
  /// These come behind the values that are there.
  case add([Setting])
  /// These go, and the others stay.
  case remove([Setting])
  /// Each value that is exactly one of some texts becomes another: new ones by former ones.
  case replace(CorrectionField, [String: String])

  package static func replace(_ field: CorrectionField, from: String, to: String) -> CorrectionEdit {
    .replace(field, [from: to])
  }

  package var fields: [CorrectionField] {
    switch self {
    case .set(let settings), .add(let settings), .remove(let settings): settings.map(\.field)
    // Artists are in one tag as a text, and in another one by one.
    case .replace(let field, _):
      [field] + (field.name == "ARTIST" ? ["ARTISTS"].compactMap(CorrectionField.init) : [])
    }
  }

  /// The values of a field that has others now.
  package func values(of field: CorrectionField, insteadOf present: [String]) -> [String] {
    switch self {
    case .set(let settings): settings.first { $0.field == field }?.values ?? present
    case .add(let settings):
      present + (settings.first { $0.field == field }?.values ?? []).filter { !present.contains($0) }
    case .remove(let settings):
      present.filter { value in settings.first { $0.field == field }?.values.contains(value) != true }
    case .replace(_, let texts):
      present.contains { texts[$0] != nil }
        ? present.reduce(into: []) { values, value in
          let value = texts[value] ?? value
          if !values.contains(value) { values.append(value) }
        } : present
    }
  }

  /// For the journal: `correct genre and mood`.
  var summary: String {
    let list = Self.list(of: isReplacement ? Array(fields.prefix(1)) : fields)
    switch self {
    case .replace(_, let texts):
      guard texts.count == 1, let pair = texts.first else { return "correct \(texts.count) spellings of \(list)" }
      return "correct \(list) '\(pair.key)' to '\(pair.value)'"
    case .set(let settings) where settings.count == 1:
      return settings[0].values.isEmpty
        ? "clear \(list)" : "correct \(list) to '\(settings[0].values.joined(separator: "', '"))'"
    case .set, .add, .remove: return Self.summary(of: fields)
    }
  }

  /// For several things that are done about fields.
  static func summary(of fields: [CorrectionField]) -> String { "correct \(list(of: fields))" }

  private static func list(of fields: [CorrectionField]) -> String {
    let names = fields.prefix(5).map(\.queryName)
    return names.count > 1 ? "\(names.dropLast().joined(separator: ", ")) and \(names.last ?? "")" : names.joined()
  }

  private var isReplacement: Bool { if case .replace = self { true } else { false } }
}

/// What a command did with corrections, or would do.
package struct CorrectionReport: Hashable, Sendable {
  /// Of the files that were named, those whose tags changed.
  package var changedFileCount = 0
  /// The files that were named.
  package var fileCount = 0
  /// Those whose recording is not known, so that nothing about what is heard can be said.
  package var unknownFileCount = 0
  /// Files that were not named but change, too: copies of the recordings whose tags said something else.
  package var copyCount = 0
  /// Corrections that were written or removed.
  package var correctionCount = 0
  /// What was decided about artists and albums and follows to others: attributes and presets.
  package var movedDecisionCount = 0

  package init() {}
}

/// Values that people give.
package enum CorrectionValue {
  /// The text in its canonically composed form, in which a value is stored.
  package static func composed(_ text: String) -> String { text.precomposedStringWithCanonicalMapping }
}

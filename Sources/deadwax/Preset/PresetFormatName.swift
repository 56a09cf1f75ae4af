internal import ArgumentParser
internal import MediaExport
internal import MediaModel

/// The names of formats as they are typed.
enum PresetFormatName {
  /// For help texts: one line a format.
  static var list: String {
    let width = PresetFormat.allCases.map(\.rawValue.count).max() ?? 0
    return PresetFormat.allCases.map { format in
      "  \(format.rawValue)\(String(repeating: " ", count: width - format.rawValue.count))  \(format.title)"
    }.joined(separator: "\n")
  }

  static func format(_ name: String) throws -> PresetFormat {
    if let format = PresetFormat(rawValue: name.lowercased()) { return format }
    let known = PresetFormat.allCases.map(\.rawValue).joined(separator: ", ")
    throw ValidationError("there is no format '\(TerminalText.escaped(name))' of presets; there are \(known)")
  }
}

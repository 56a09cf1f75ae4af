internal import Base

/// Where the file is that a FILE line of a CUE sheet means, although such lines lie: about the extension after a
/// conversion, about case, and about folders of another machine.
struct CueSheetPlace {
  /// Where to look, in this order: in the folder that the line names below that of the sheet, then beside the sheet.
  let folders: [BytePath]
  private let name: BytePath
  private let sheetStem: String?

  /// - Parameters:
  ///   - sheet: Its path below the root.
  ///   - line: The name in the line, perhaps with backslashes.
  ///   - isOnly: Whether the sheet names one file only: that may also have the name of the sheet.
  init(_ sheet: BytePath, naming line: String, isOnly: Bool) {
    let steps = line.split(whereSeparator: { $0 == "/" || $0 == "\\" }).map(String.init)
    let isAbsolute = line.hasPrefix("/") || line.hasPrefix("\\") || line.dropFirst().first == ":"
    let below = isAbsolute ? [] : steps.dropLast().filter { $0 != "." }
    name = BytePath(steps.last ?? line)
    sheetStem = isOnly ? Self.stem(sheet.lastComponent) : nil
    let own = sheet.parent
    let named = below.reduce(own) { $0.appending(BytePath($1)) }
    folders = below.isEmpty || below.contains("..") ? [own] : [named, own]
  }

  /// The index of the name that is meant: the same, the same but for case, the same but for the extension, or that of the
  /// sheet; nil if none is.
  func best(among names: [BytePath]) -> Int? {
    if let exact = names.firstIndex(of: name) { return exact }
    let folded = TextFolding.fold(name.displayString)
    if let alike = names.firstIndex(where: { TextFolding.fold($0.displayString) == folded }) { return alike }
    let stems = names.map(Self.stem)
    return [Self.stem(name), sheetStem].compactMap { $0 }.lazy.compactMap { stems.firstIndex(of: $0) }.first
  }

  private static func stem(_ name: BytePath) -> String {
    let text = name.displayString
    guard let dot = text.lastIndex(of: "."), dot > text.startIndex else { return TextFolding.fold(text) }
    return TextFolding.fold(String(text[..<dot]))
  }
}

internal import Base

/// Where the file is that a FILE line of a CUE sheet means, although such lines lie: about the extension after a
/// conversion, about case, and about folders of another machine.
struct CueSheetPlace {
  /// Where to look, in this order: in the folder that the line names below that of the sheet, then beside the sheet.
  let folders: [BytePath]
  /// As the line has it, then without blanks around it and without percent-encoding.
  let names: [BytePath]
  let foldedNames: [String]
  /// Without the extension: of the name, then of the sheet if the file may be called like that.
  let foldedStems: [String]

  /// As many bytes as a path of the system can have.
  private static let maximumByteCount = 4096

  /// - Parameters:
  ///   - sheet: Its path below the root.
  ///   - line: The name in the line, perhaps with backslashes.
  ///   - isOnly: Whether the sheet names one file only: that may also have the name of the sheet.
  ///
  /// nil if no file can have that name.
  init?(_ sheet: BytePath, naming line: String, isOnly: Bool) {
    guard line.utf8.count <= Self.maximumByteCount else { return nil }
    let steps = line.split(whereSeparator: { $0 == "/" || $0 == "\\" })
    let isAbsolute = line.hasPrefix("/") || line.hasPrefix("\\") || line.dropFirst().first == ":"
    let below = isAbsolute ? [] : steps.dropLast().filter { $0 != "." }
    let written = steps.last.map(String.init) ?? line
    let bare = written.withoutBlankEnds
    var names = [BytePath(written)]
    for name in [BytePath(bare), BytePath(bare).percentDecoded] where !names.contains(name) { names.append(name) }
    self.names = names
    foldedNames = names.map { TextFolding.fold($0.displayString) }
    foldedStems = names.map(Self.stem) + (isOnly ? [Self.stem(sheet.lastComponent)] : [])
    let own = sheet.parent
    let named = own.appending(BytePath(below.joined(separator: "/")))
    folders = below.isEmpty || below.contains("..") ? [own] : [named, own]
  }

  /// A name without its extension, folded.
  static func stem(_ name: BytePath) -> String {
    let text = name.displayString
    guard let dot = text.lastIndex(of: "."), dot > text.startIndex else { return TextFolding.fold(text) }
    return TextFolding.fold(String(text[..<dot]))
  }
}

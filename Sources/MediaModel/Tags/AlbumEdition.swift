/// One edition of an album among others in a library, such as its FLAC files beside its MP3 files.
///
/// Files are of one edition if they have the same album, album artist and codec, and lie in one folder. The folder
/// of a disc counts as the folder around it, or without the disc at the end of its name: `Tides (CD1)` is `Tides`.
package enum AlbumEdition {
  /// The words that name the folder of a disc, before its number.
  private static let discWords = ["cd", "disc", "disk", "disque", "vinyl", "lp", "side"]

  /// The folder of an edition.
  ///
  /// - Parameter path: of a file, with slashes.
  /// - Returns: without a slash at its end; empty for a file without a folder.
  package static func folder(ofFile path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
    let folder = path[..<slash]
    let start = folder.utf8.lastIndex(of: UInt8(ascii: "/")).map { folder.utf8.index(after: $0) } ?? folder.startIndex
    guard let disc = startOfDisc(folder[start...]) else { return String(folder) }
    if disc > start { return String(folder[..<disc]) }
    return start == folder.startIndex ? "" : String(folder[..<folder.utf8.index(before: start)])
  }

  /// Where a disc begins in the name of a folder, with the punctuation before it; nil if none is named.
  private static func startOfDisc(_ name: Substring) -> Substring.Index? {
    if isDisc(name) { return name.startIndex }
    let ends = name.indices.filter { " -_.,([".contains(name[$0]) && isDisc(name[name.index(after: $0)...]) }
    guard let end = ends.first else { return nil }
    let album = name[..<end].lastIndex { !" -_.,([".contains($0) }
    return album.map { name.index(after: $0) }
  }

  /// Whether the name of a folder is that of a disc: `CD1`, `Disc 2`, `disk-03`, `Disc 1 - Early Years`, `Side A`.
  private static func isDisc(_ name: Substring) -> Bool {
    let lower = name.lowercased()
    guard let word = discWords.first(where: lower.hasPrefix) else { return false }
    let rest = lower.dropFirst(word.count)
    let number = rest.drop { " -_.#".contains($0) }
    if word == "side" { return number.count == 1 && number.count < rest.count && number.first?.isLetter == true }
    let digits = number.prefix { $0.isASCII && $0.isNumber }
    guard (1...2).contains(digits.count) else { return false }
    return number.dropFirst(digits.count).first.map { !$0.isLetter } ?? true
  }
}

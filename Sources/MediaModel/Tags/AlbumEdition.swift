/// One edition of an album among others in a library, such as its FLAC files beside its MP3 files.
///
/// Files are of one edition if they have the same album, album artist and codec, and lie in one folder; folders of discs
/// count as the folder around them.
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
    guard isDisc(folder[start...]) else { return String(folder) }
    return start == folder.startIndex ? "" : String(folder[..<folder.utf8.index(before: start)])
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

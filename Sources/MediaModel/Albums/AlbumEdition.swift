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

  /// The number of the disc that the folder of a file is named after; sides count from A. nil if it is not named after one, or has
  /// the title of the album, such as `LP5`.
  package static func disc(ofFile path: String, onAlbum title: String) -> Int? {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
    let folder = path[..<slash]
    let start = folder.utf8.lastIndex(of: UInt8(ascii: "/")).map { folder.utf8.index(after: $0) } ?? folder.startIndex
    guard let disc = disc(in: folder[start...]), NameKey.key(String(folder[start...])) != NameKey.key(title) else {
      return nil
    }
    return disc.number
  }

  private static func startOfDisc(_ name: Substring) -> Substring.Index? { disc(in: name)?.start }

  /// Where a disc begins in the name of a folder, with the punctuation before it, and its number; nil if none is named.
  private static func disc(in name: Substring) -> (start: Substring.Index, number: Int)? {
    if let number = discNumber(name) { return (name.startIndex, number) }
    for end in name.indices where " -_.,([".contains(name[end]) {
      guard let number = discNumber(name[name.index(after: end)...]) else { continue }
      let album = name[..<end].lastIndex { !" -_.,([".contains($0) }
      return album.map { (name.index(after: $0), number) }
    }
    return nil
  }

  /// The number in the name of a disc's folder: `CD1`, `Disc 2`, `disk-03`, `Disc 1 - Early Years`, `Side A`; nil for other names.
  private static func discNumber(_ name: Substring) -> Int? {
    let lower = name.lowercased()
    guard let word = discWords.first(where: lower.hasPrefix) else { return nil }
    let rest = lower.dropFirst(word.count)
    let number = rest.drop { " -_.#".contains($0) }
    if word == "side" {
      guard number.count == 1, number.count < rest.count, let letter = number.first, letter.isLetter else { return nil }
      return letter.asciiValue.map { Int($0) - 0x60 } ?? 1
    }
    let digits = number.prefix { $0.isASCII && $0.isNumber }
    guard (1...2).contains(digits.count), number.dropFirst(digits.count).first.map({ !$0.isLetter }) ?? true else {
      return nil
    }
    return Int(digits)
  }
}

package import Base

/// Files beside a sound that have its name and hold its lyrics, such as `01 Lead-in.lrc` beside `01 Lead-in.flac`.
package enum LyricsFile {
  /// What stands in the place of the sound's extension, the one that counts first.
  package static let endings = [".lrc", ".LRC", ".Lrc", ".txt", ".TXT"]
  /// Larger ones are not read.
  package static let largestByteCount: Int64 = 1 << 20

  /// Whether a file may hold lyrics, judging by the end of its name.
  package static func canBe(_ name: BytePath) -> Bool {
    // Most names are of sounds: their last byte is looked at first.
    guard let last = name.bytes.last, lastBytes.contains(last) else { return false }
    return endings.contains { name.bytes.suffix($0.utf8.count).elementsEqual($0.utf8) }
  }

  private static let lastBytes = Set(endings.compactMap(\.utf8.last))
}

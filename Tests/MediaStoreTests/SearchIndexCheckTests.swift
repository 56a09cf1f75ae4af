import LibraryRecovery
import LibraryScanning
import Testing

/// The search index is compared with the texts as SQLite reads them, whatever tags hold.
struct SearchIndexCheckTests {
  @Test(arguments: [
    "a\u{FFFF}b\u{FFFE}c", "\u{FFFF}\u{FFFF}\u{FFFF}\u{FFFF}", "\u{1FFFF}\u{1FFFE}xy",
    "\u{10FFFF}\u{10FFFE}z",
    "\u{FFFD}\u{FFFF}\u{FFFD}", "\u{0}ab", "a\nb", "\u{FEFF}bom", "\u{1F468}\u{200D}\u{1F469}",
  ])
  func `a library is sound with any characters in its tags`(title: String) throws {
    let library = try TemporaryLibrary()
    try library.store.scans.apply([.extracted(Sample.record("a.flac", Sample.extraction(title: title)))])
    #expect(try library.store.check(isDeep: true).searchProblemCount == 0)
  }
}

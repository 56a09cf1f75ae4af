import Base
import Foundation
import LibraryScanning
import LibraryTracks
import MediaStore
import Testing

struct TemporaryLibraryTests {
  @Test func `a temporary library can be written and read, and leaves no file`() throws {
    let store = try MediaStore.temporary()
    #expect(store.isTemporary)
    let folder = URL(filePath: store.path.displayString).deletingLastPathComponent()
    #expect(!FileManager.default.fileExists(atPath: folder.path))
    for number in 0..<100 { _ = try store.roots.add(BytePath("/music/\(number)"), volume: nil) }
    #expect(try store.roots.all().count == 100)
    try store.close()
    #expect(!FileManager.default.fileExists(atPath: folder.path))
  }
}

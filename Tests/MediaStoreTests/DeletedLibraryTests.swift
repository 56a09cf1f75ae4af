import Base
import Foundation
import LibraryScanning
import MediaStore
import Testing

struct DeletedLibraryTests {
  @Test(arguments: [true, false])
  func `a process that has a deleted or renamed library open is told`(isDeleted: Bool) throws {
    let library = try TemporaryLibrary()
    let path = library.path.displayString
    if isDeleted {
      try FileManager.default.removeItem(atPath: path)
    } else {
      try FileManager.default.moveItem(atPath: path, toPath: path + ".before")
    }
    let reason = "deleted or renamed in the meantime; nothing was changed"
    #expect(throws: StoreError.inputOutput(library.path, reason: reason)) {
      try library.store.scans.apply([.extracted(Sample.record("a"))])
    }
    #expect(try library.files().isEmpty)
  }
}

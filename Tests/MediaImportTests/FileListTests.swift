import Base
import MediaImport
import Testing

/// Lists of files that other programs write.
struct FileListTests {
  private let folders = [BytePath("/music"), BytePath("/link")]

  private func reasons(_ text: String) throws -> [BytePath: String] {
    try FileList.reasons(Array(text.utf8), below: folders)
  }

  @Test func `paths are relative to the folder, whichever of its names they have`() throws {
    let list = "a/b.wav\0./c.wav\0/music/d.wav\0/link/e//f.wav\0"
    let paths = try FileList.paths(Array(list.utf8), below: folders)
    #expect(paths == ["a/b.wav", "c.wav", "d.wav", "e/f.wav"].map { BytePath($0) })
  }

  @Test(arguments: ["../a.wav\0", "a/../b.wav\0", "/other/a.wav\0"])
  func `a path that is not in the folder is refused`(list: String) {
    #expect(throws: FileList.Failure.self) { try FileList.paths(Array(list.utf8), below: folders) }
    #expect(throws: FileList.Failure.self) { try reasons(list + "reason\0") }
  }

  @Test func `the folder itself is left out of a list, and has no reason`() throws {
    for name in ["/music", "/link/", ".", "./", "/music/."] {
      #expect(try FileList.paths(Array("a.wav\0\(name)\0b.wav\0".utf8), below: folders).count == 2)
      #expect(throws: FileList.Failure.self) { try reasons(name + "\0reason\0") }
    }
  }

  @Test func `a reason follows each path`() throws {
    let found = try reasons("a/b.wav\0ended by SIGKILL\0/music/c.wav\0\0")
    #expect(found == [BytePath("a/b.wav"): "ended by SIGKILL", BytePath("c.wav"): ""])
    #expect(try reasons("").isEmpty)
  }

  @Test func `a path without a reason is refused, with its number`() {
    do {
      _ = try reasons("a.wav\0why\0b.wav\0")
      Issue.record("it was accepted")
    } catch {
      #expect("\(error)" == "path 2: b.wav: without a reason")
    }
  }
}

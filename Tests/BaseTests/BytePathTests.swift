import Base
import Testing

struct BytePathTests {
  @Test(arguments: [
    ("a/b.c/x.tar.GZ", "gz", "x.tar"), ("/x", "", "x"), ("/a/.hidden", "", ".hidden"), ("a.b/c", "", "c"),
    ("x.", "", "x."),
    ("", "", ""), ("/", "", ""),
  ])
  func `a name has a stem and an ending`(path: String, ending: String, stem: String) {
    #expect(BytePath(path).pathExtension == ending && BytePath(path).stem == BytePath(stem))
  }

  @Test(arguments: [
    ("/a/b", "/a", "/a/b"), ("/a", "/", "/a"), ("/", "/", "/"), ("/a//", "/a/", "/a"), ("//", "/", "/"), ("", "/", ""),
  ])
  func `a path has a folder, and may end in slashes`(path: String, folder: String, bare: String) {
    #expect(BytePath(path).folder == BytePath(folder) && BytePath(path).withoutTrailingSlashes == BytePath(bare))
  }

  @Test func `a stem keeps its bytes`() {
    #expect(BytePath([0x2F, 0xFF, 0x2E, 0x61]).stem == BytePath([0xFF]))
  }
}

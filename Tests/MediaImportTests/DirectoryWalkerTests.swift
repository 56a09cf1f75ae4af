import Base
import Foundation
import MediaImport
import Testing
import TestSupport

struct DirectoryWalkerTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func walk(_ rules: IgnoreRules = IgnoreRules(), followsLinks: Bool = false) throws -> DirectoryWalker.Result {
    DirectoryWalker(root: try FolderDescriptor(opening: folder.path), rules: rules, followsLinks: followsLinks).walk()
  }

  private func names(_ result: DirectoryWalker.Result) -> [String] { result.files.map(\.path.displayString) }

  @Test func `files are found at any depth, in bytewise order of each folder`() throws {
    for name in ["b.mp3", "a/2.mp3", "a/1.mp3", "a/x/y/z.mp3"] { try folder.write([], to: name) }
    #expect(try names(walk()) == ["b.mp3", "a/1.mp3", "a/2.mp3", "a/x/y/z.mp3"])
  }

  @Test func `hidden names, pictures and texts are skipped, unknown names are not`() throws {
    for name in [".hidden.mp3", ".git/x.mp3", "cover.JPG", "a.cue", "noextension", "x.bin"] {
      try folder.write([], to: name)
    }
    #expect(try names(walk()) == ["noextension", "x.bin"])
  }

  @Test func `files have lyrics beside them if a text has their name, and is neither empty, huge nor elsewhere`() throws
  {
    for name in ["a.mp3", "b.flac", "c.mp3", "d.mp3", "e.mp3", "x/a.mp3", "f.mp3", "g.h.mp3", "i.mp3"] {
      try folder.write([], to: name)
    }
    for name in ["a.lrc", "b.TXT", "C.lrc", "x/b.txt", "x/readme.txt", "g.h.Lrc", "i.lrc.txt", ".f.lrc"] {
      try folder.write([0x61], to: name)
    }
    try folder.write([], to: "d.lrc")
    try folder.write([UInt8](repeating: 0x61, count: 1 << 20 | 1), to: "e.txt")
    let result = try walk()
    #expect(result.filesWithLyrics == Set(["a.mp3", "b.flac", "g.h.mp3"].map { BytePath($0) }))
    #expect(result.files.count == 9 && result.skippedSpecialFiles.isEmpty)
  }

  @Test func `names that are not UTF-8, or only look alike, stay as they are`() throws {
    let strange: [[UInt8]] = [
      Array("caf\u{E9}.mp3".utf8), Array("cafe\u{301}.mp3".utf8), [0xFF, 0xFE] + Array(".mp3".utf8),
      Array("new\nline.mp3".utf8),
      Array("-rf.mp3".utf8), Array("trailing .mp3 ".utf8), [UInt8](repeating: 0x61, count: 255),
    ]
    for name in strange {
      let descriptor = open(folder.url.path + "/", O_RDONLY)
      let file = openat(descriptor, name.map { CChar(bitPattern: $0) } + [0], O_CREAT | O_WRONLY, 0o600)
      #expect(file >= 0)
      close(file)
      close(descriptor)
    }
    #expect(try Set(walk().files.map(\.path.bytes)) == Set(strange))
  }

  @Test func `a file that is not regular is reported and never opened`() throws {
    #expect(mkfifo(folder.url.path + "/fifo.mp3", 0o600) == 0)
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "folder.mp3"), withIntermediateDirectories: true)
    let result = try walk()
    #expect(result.files.isEmpty)
    #expect(result.skippedSpecialFiles == [BytePath("fifo.mp3")])
    let root = try FolderDescriptor(opening: folder.path)
    for name in ["fifo.mp3", "folder.mp3"] {
      #expect(throws: SystemError.self) { try root.openRegularFile(BytePath(name)) }
    }
  }

  // Faults: 61
  @Test func `links are counted, followed only on request, and never in circles`() throws {
    try folder.write([], to: "a/1.mp3")
    for (link, target) in [
      ("a/loop", ".."), ("self", "self"), ("dangling.mp3", "nowhere"), ("b", "a"), ("2.mp3", "a/1.mp3"),
    ] {
      #expect(symlink(target, folder.url.path + "/" + link) == 0)
    }
    let kept = try walk()
    #expect(names(kept) == ["a/1.mp3"])
    #expect(kept.skippedLinkCount == 5)
    let followed = try walk(followsLinks: true)
    #expect(names(followed) == ["2.mp3", "a/1.mp3"])
  }

  @Test func `a folder below the root is found at its own place, not through a link that comes first`() throws {
    try folder.write([], to: "real/deep/1.mp3")
    let other = try TemporaryFolder()
    try other.write([], to: "x/2.mp3")
    for (link, target) in [("A", "real"), ("B", "real/deep"), ("C", other.url.path), ("D", other.url.path)] {
      #expect(symlink(target, folder.url.path + "/" + link) == 0)
    }
    #expect(names(try walk(followsLinks: true)) == ["real/deep/1.mp3", "C/x/2.mp3"])
  }

  @Test(.enabled(if: getuid() != 0, "root may read every folder"))
  func `a folder that may not be read is incomplete, not empty`() throws {
    try folder.write([], to: "closed/1.mp3")
    #expect(chmod(folder.url.path + "/closed", 0) == 0)
    #expect(try walk().incompleteFolders.map(\.path) == [BytePath("closed")])
  }

  @Test func `ignore files count below their folder, also for a walk that starts deeper`() throws {
    try folder.write(Array("*.wav\nstems/\n".utf8), to: ".deadwaxignore")
    for name in ["1.wav", "a/2.wav", "a/3.mp3", "stems/4.mp3", "a/stems/5.mp3"] { try folder.write([], to: name) }
    #expect(try names(walk()) == ["a/3.mp3"])
    let deeper = DirectoryWalker(root: try FolderDescriptor(opening: folder.path), rules: IgnoreRules()).walk(
      from: BytePath("a"))
    #expect(names(deeper) == ["a/3.mp3"])
  }

  @Test func `an ignore file may be a link, and if it cannot be read the folder is not walked`() throws {
    for name in ["a/1.wav", "a/2.mp3", "b/3.mp3", "c/4.mp3"] { try folder.write([], to: name) }
    try folder.write(Array("*.wav\n".utf8), to: "rules")
    func link(_ name: String, to target: String) throws {
      try FileManager.default.createSymbolicLink(
        atPath: folder.url.path + "/" + name, withDestinationPath: target)
    }
    try link("a/.deadwaxignore", to: "../rules")
    // A link to itself; the other one leads nowhere.
    try link("b/.deadwaxignore", to: ".deadwaxignore")
    try link("c/.deadwaxignore", to: "none")
    let result = try walk()
    #expect(names(result) == ["rules", "a/2.mp3", "c/4.mp3"])
    #expect(result.incompleteFolders.map(\.path) == [BytePath("b")])
    #expect(result.incompleteFolders.first?.reason.description.contains(".deadwaxignore") == true)
    let deeper = DirectoryWalker(root: try FolderDescriptor(opening: folder.path), rules: IgnoreRules())
    try folder.write([], to: "b/deep/5.mp3")
    let below = deeper.walk(from: BytePath("b/deep"))
    #expect(below.files.isEmpty && below.incompleteFolders.map(\.path) == [BytePath("b/deep")])
  }

  // Faults: 65
  @Test func `paths that are too long for one system call are walked and opened`() throws {
    var parent = open(folder.url.path, O_RDONLY)
    let component = String(repeating: "d", count: 250)
    for _ in 0..<20 {
      #expect(mkdirat(parent, component, 0o700) == 0)
      let next = openat(parent, component, O_RDONLY)
      close(parent)
      parent = next
    }
    close(openat(parent, "deep.mp3", O_CREAT | O_WRONLY, 0o600))
    close(parent)
    let result = try walk()
    #expect(result.files.count == 1)
    let path = try #require(result.files.first).path
    #expect(path.bytes.count == 20 * 251 + 8)
    let opened = try FolderDescriptor(opening: folder.path).openRegularFile(path)
    close(opened.descriptor)
    #expect(opened.status == result.files.first?.status)
  }
}

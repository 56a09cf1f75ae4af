import Base
import Foundation
import Glibc
import Testing

struct OutputFileTests {
  /// Runs a body in a folder of its own.
  private func inFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "deadwax-output-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
  }

  private func make(_ path: String, _ bytes: [UInt8]) throws {
    try Data(bytes).write(to: URL(filePath: path))
  }

  private func names(in folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  @Test func `a new file holds the bytes and nothing else is left`() throws {
    try inFolder { folder in
      try OutputFile(BytePath(folder.path + "/x.dat")).write([1, 2, 3])
      #expect(try Array(Data(contentsOf: folder.appending(path: "x.dat"))) == [1, 2, 3])
      #expect(try names(in: folder) == ["x.dat"])
    }
  }

  @Test(arguments: [0o640, 0o666, 0o600])
  func `an existing file is replaced and keeps its mode`(mode: Int) throws {
    try inFolder { folder in
      let path = folder.path + "/x.dat"
      try make(path, [9, 9, 9, 9])
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
      try OutputFile(BytePath(path)).write([1])
      #expect(try Array(Data(contentsOf: URL(filePath: path))) == [1])
      #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == mode)
    }
  }

  @Test func `a file that must not be replaced stays, even if it appears while the new one is written`() throws {
    try inFolder { folder in
      let path = folder.path + "/x.dat"
      let output = OutputFile(BytePath(path), replaces: false)
      let pending = try output.begin()
      try pending.append([1])
      try make(path, [9])
      #expect(throws: OutputError.exists(path: path)) { try pending.commit() }
      #expect(throws: OutputError.exists(path: path)) { try output.write([1]) }
      #expect(try Array(Data(contentsOf: URL(filePath: path))) == [9])
      try FileManager.default.removeItem(atPath: path)
      try output.write([1, 2])
      #expect(try Array(Data(contentsOf: URL(filePath: path))) == [1, 2])
    }
  }

  @Test func `a link is followed, not replaced`() throws {
    try inFolder { folder in
      let (real, link) = (folder.path + "/real", folder.path + "/link")
      try make(real, [9])
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: real)
      try OutputFile(BytePath(link)).write([1])
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == real)
      #expect(try Array(Data(contentsOf: URL(filePath: real))) == [1])
    }
  }

  @Test(arguments: ["/dev/fd/%d", "/proc/self/fd/%d", "link"])
  func `an open descriptor is written to, and its file is not replaced`(form: String) throws {
    try inFolder { folder in
      let path = folder.path + "/x"
      try make(path, [9])
      let before = FileIdentity(of: BytePath(path))
      let descriptor = open(path, O_WRONLY | O_APPEND)
      defer { close(descriptor) }
      var name = String(format: form, descriptor)
      if form == "link" {
        name = folder.path + "/link"
        try FileManager.default.createSymbolicLink(atPath: name, withDestinationPath: "/dev/fd/\(descriptor)")
      }
      try OutputFile(BytePath(name)).write([1, 2])
      try OutputFile(BytePath(name)).write([3])
      #expect(try Array(Data(contentsOf: URL(filePath: path))) == [9, 1, 2, 3])
      #expect(FileIdentity(of: BytePath(path)) == before && before != nil)
    }
  }

  @Test func `a pipe that a descriptor leads to is written to`() throws {
    let pipe = Pipe()
    try OutputFile(BytePath("/dev/fd/\(pipe.fileHandleForWriting.fileDescriptor)")).write([1, 2, 3])
    try pipe.fileHandleForWriting.close()
    #expect(try pipe.fileHandleForReading.readToEnd().map(Array.init) == [1, 2, 3])
  }

  @Test func `an input is not written to through a descriptor either`() throws {
    try inFolder { folder in
      let path = folder.path + "/x"
      try make(path, [9])
      let descriptor = open(path, O_WRONLY)
      defer { close(descriptor) }
      let name = "/dev/fd/\(descriptor)"
      #expect(throws: OutputError.wouldReplaceInput(path: name)) {
        try OutputFile(BytePath(name)).write([1], protecting: [BytePath(path)])
      }
      #expect(try Array(Data(contentsOf: URL(filePath: path))) == [9])
    }
  }

  @Test(arguments: ["real", "./sub/real"])
  func `a link to nothing is followed, too`(target: String) throws {
    try inFolder { folder in
      try FileManager.default.createDirectory(at: folder.appending(path: "sub"), withIntermediateDirectories: false)
      let link = folder.path + "/link"
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
      try OutputFile(BytePath(link)).write([1])
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == target)
      #expect(try Array(Data(contentsOf: folder.appending(path: target))) == [1])
    }
  }

  @Test func `a link to itself is an error, and stays`() throws {
    try inFolder { folder in
      let link = folder.path + "/link"
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "link")
      _ = try? OutputFile(BytePath(link)).write([1])
      #expect(try names(in: folder) == ["link"])
    }
  }

  @Test(arguments: ["input", "hard", "soft"])
  func `an input is never written, whatever it is called`(name: String) throws {
    try inFolder { folder in
      let input = folder.path + "/input"
      try make(input, [7])
      try FileManager.default.linkItem(atPath: input, toPath: folder.path + "/hard")
      try FileManager.default.createSymbolicLink(atPath: folder.path + "/soft", withDestinationPath: input)
      let output = folder.path + "/" + name
      #expect(throws: OutputError.wouldReplaceInput(path: output)) {
        try OutputFile(BytePath(output)).write([1], protecting: [BytePath("/nowhere"), BytePath(input)])
      }
      #expect(try Array(Data(contentsOf: URL(filePath: input))) == [7])
    }
  }

  @Test func `pieces of any size become one file`() throws {
    try inFolder { folder in
      let pieces = [0, 1, 70_000, 65_535, 1].map { [UInt8](repeating: UInt8($0 % 251), count: $0) }
      let output = try OutputFile(BytePath(folder.path + "/x")).begin()
      for piece in pieces { try output.append(piece) }
      try output.commit()
      #expect(try Array(Data(contentsOf: folder.appending(path: "x"))) == pieces.flatMap { $0 })
    }
  }

  @Test(arguments: [3, 70_000])
  func `the start can be replaced at the end`(byteCount: Int) throws {
    try inFolder { folder in
      let output = try OutputFile(BytePath(folder.path + "/x")).begin()
      try output.append([UInt8](repeating: 9, count: byteCount))
      try output.replaceStart(with: [1, 2])
      try output.append([3])
      try output.commit()
      #expect(
        try Array(Data(contentsOf: folder.appending(path: "x")))
          == [1, 2] + [UInt8](repeating: 9, count: byteCount - 2) + [3])
    }
  }

  @Test func `without a commit the file stays as it was and nothing else is left`() throws {
    try inFolder { folder in
      try make(folder.path + "/x", [7])
      func begin() throws {
        try OutputFile(BytePath(folder.path + "/x")).begin().append([UInt8](repeating: 1, count: 100_000))
      }
      try begin()
      #expect(try Array(Data(contentsOf: folder.appending(path: "x"))) == [7])
      let left = try names(in: folder)
      #expect(left == ["x"])
    }
  }

  @Test func `a folder that is not there is named with the reason`() throws {
    try inFolder { folder in
      let path = folder.path + "/none/x"
      let error = #expect(throws: OutputError.self) { try OutputFile(BytePath(path)).write([1]) }
      #expect(error?.description == "\(path): No such file or directory")
    }
  }

  @Test func `a full device is an error and stays a device`() throws {
    let error = #expect(throws: OutputError.self) { try OutputFile(BytePath("/dev/full")).write([1]) }
    #expect(error?.description == "/dev/full: No space left on device")
    #expect(FileManager.default.fileExists(atPath: "/dev/full"))
  }

  @Test func `a folder is not replaced`() throws {
    try inFolder { folder in
      #expect(throws: OutputError.self) { try OutputFile(BytePath(folder.path)).write([1]) }
      let left = try names(in: folder)
      #expect(left.isEmpty)
    }
  }

  @Test func `bytes without a name come back as they went in, with another start`() throws {
    let spool = try SpooledOutput()
    let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
    try spool.append(bytes)
    try spool.replaceStart(with: [77, 78])
    var result: [UInt8] = []
    try spool.forEachPiece { result += $0 }
    #expect(result == [77, 78] + bytes.dropFirst(2))
  }
}

import Base
import Foundation
import Testing
import TestSupport

@testable import Scrobbling

struct ListenQueueTests {
  private let folder: TemporaryFolder
  private var path: BytePath { folder.file("listens") }

  init() throws { folder = try TemporaryFolder() }

  private static func listen(_ number: Int64) -> Listen {
    Listen(
      stored: .object([
        "listened_at": .integer(number), "track_metadata": .object(["track_name": .string("\"é\n")]),
      ]))
  }

  @Test func `what was added comes out in its order, for each person, also in another process`() throws {
    let queue = ListenQueue(path)
    #expect(try queue.counts().isEmpty && queue.first(5, of: "ana").isEmpty)
    for number in 1...5 { try queue.add([Self.listen(Int64(number))], of: number == 2 ? "ben" : "ana") }
    let other = ListenQueue(path)
    #expect(try other.counts() == ["ana": 4, "ben": 1])
    #expect(try other.first(2, of: "ana") == [Self.listen(1), Self.listen(3)])
    try other.remove([Self.listen(1), Self.listen(3)], of: "ana")
    #expect(try queue.first(9, of: "ana") == [Self.listen(4), Self.listen(5)])
    #expect(try queue.first(9, of: "ben") == [Self.listen(2)])
    try queue.removeAll(of: "ana")
    #expect(try other.counts() == ["ben": 1])
  }

  @Test func `nobody else can read it`() throws {
    try ListenQueue(path).add([Self.listen(1)], of: "ana")
    let mode = try FileManager.default.attributesOfItem(atPath: folder.appending("listens").path)
    #expect(mode[.posixPermissions] as? Int == 0o600)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: folder.appending("listens").path)
    #expect(throws: SystemError.self) { try ListenQueue(path).add([Self.listen(2)], of: "ana") }
    #expect(throws: SystemError.self) { try ListenQueue(path).counts() }
  }

  @Test func `wherever a power failure cuts the last line, the others stay, and so does what comes after`() throws {
    for number in 1...2 { try ListenQueue(path).add([Self.listen(Int64(number))], of: "ana") }
    let bytes = try folder.bytes(of: "listens")
    for count in stride(from: bytes.count - 1, to: bytes.count / 2 + 1, by: -7) {
      try folder.write(Array(bytes.prefix(count)), to: "listens")
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder.appending("listens").path)
      let queue = ListenQueue(path)
      let isWhole = count == bytes.count - 1
      #expect(try queue.first(9, of: "ana").count == (isWhole ? 2 : 1), "\(count) bytes")
      try queue.add([Self.listen(3)], of: "ana")
      #expect(try queue.first(9, of: "ana").last == Self.listen(3))
    }
  }
}

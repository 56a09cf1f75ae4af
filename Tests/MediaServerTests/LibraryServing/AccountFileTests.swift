import Base
import Foundation
import Testing
import TestSupport
@testable import LibraryServing
@testable import MediaServer
import UserData

struct AccountFileTests {
  private let folder: TemporaryFolder
  private var file: AccountFile { AccountFile(folder.file("serve-users")) }

  init() throws { folder = try TemporaryFolder() }

  private func add(_ purpose: String, to file: AccountFile) throws -> Account {
    try file.change {
      try $0.add(user: "ana", purpose: purpose, right: .rate, hearing: .presets, gain: .track, isOwner: true)
    }
  }

  @Test func `what is written is read by others, and by nobody else`() throws {
    let (writer, reader) = (file, file)
    #expect(try reader.accounts().all.isEmpty)
    let account = try add("phone", to: writer)
    #expect(try reader.accounts().all == [account])
    let mode = try FileManager.default.attributesOfItem(atPath: folder.appending("serve-users").path)
    #expect(mode[.posixPermissions] as? Int == 0o600)
    _ = try writer.change { $0.remove(user: "ana", purpose: "phone") }
    #expect(try reader.accounts().all.isEmpty)
  }

  @Test func `a password of before there was a jukebox may not use it`() throws {
    let account = try file.change {
      try $0.add(
        user: "ana", purpose: "hall", right: .rate, hearing: .presets, gain: .off, mayUseJukebox: true, isOwner: false)
    }
    #expect(try file.accounts().all.map(\.mayUseJukebox) == [true])
    let path = folder.appending("serve-users").path
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let older = text.split(separator: "\n").filter { !$0.contains("jukebox") }.joined(separator: "\n")
    try #require(older != text)
    try Data(older.utf8).write(to: URL(filePath: path))
    #expect(try AccountFile(folder.file("serve-users")).accounts().all.map(\.mayUseJukebox) == [false])
    #expect(account.mayUseJukebox)
  }

  @Test func `a token for ListenBrainz belongs to a person, and goes with the last password`() throws {
    _ = try add("phone", to: file)
    _ = try file.change {
      try $0.add(user: "ben", purpose: "car", right: .rate, hearing: .raw, gain: .off, isOwner: false)
    }
    #expect(throws: AccountError.noPassword(user: "cleo", purpose: nil)) {
      try file.change { try $0.setListenBrainzToken("one", of: "cleo") }
    }
    for text in ["", "two words", "é", String(repeating: "x", count: 201)] {
      #expect(throws: AccountError.invalidToken) { try file.change { try $0.setListenBrainzToken(text, of: "ana") } }
    }
    try file.change { try $0.setListenBrainzToken("one", of: "ana") }
    let token = try #require(try file.accounts().listenBrainzToken(of: .owner))
    #expect(token == ListenBrainzToken(user: "ana", token: "one"))
    let ben = try #require(try file.accounts().all.last?.listener)
    #expect(try file.accounts().listenBrainzToken(of: ben) == nil)
    try file.change { $0.noteRefused(token) }
    #expect(try file.accounts().listenBrainzToken(of: .owner)?.isRefused == true)
    try file.change { try $0.setListenBrainzToken("two", of: "ana") }
    try file.change { $0.noteRefused(token) }
    #expect(try file.accounts().listenBrainzToken(of: .owner)?.isRefused == false, "it is another one now")
    _ = try file.change { $0.remove(user: "ana", purpose: "phone") }
    #expect(try file.accounts().listenBrainzTokens.isEmpty)
  }

  @Test func `a file that others can read is refused`() throws {
    _ = try add("phone", to: file)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o640], ofItemAtPath: folder.appending("serve-users").path)
    #expect(throws: SystemError.self) { try file.accounts() }
  }

  @Test func `a file with something else is left as it is`() throws {
    try folder.write(Array("{}".utf8), to: "serve-users")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: folder.appending("serve-users").path)
    #expect(throws: AccountError.self) { try add("phone", to: file) }
    #expect(try folder.bytes(of: "serve-users") == Array("{}".utf8))
  }

  @Test func `changes of several threads are all kept`() async throws {
    let path = folder.file("serve-users")
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      for number in 0..<8 {
        tasks.addTask {
          _ = try AccountFile(path).change {
            try $0.add(
              user: "ana", purpose: "\(number)", right: .listen, hearing: .raw, gain: .off, isOwner: false)
          }
        }
      }
      try await tasks.waitForAll()
    }
    #expect(try file.accounts().all.count == 8)
  }
}

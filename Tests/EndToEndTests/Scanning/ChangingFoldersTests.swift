import Foundation
import Glibc
import Testing
import TestSupport

/// Folders change between scans: files move, vanish and come back, and names are any bytes.
struct ChangingFoldersTests {
  private let deadwax: DeadwaxCommand
  private let music: MusicFolder

  init() throws {
    deadwax = try DeadwaxCommand()
    music = try MusicFolder("audio/The Locked Grooves")
  }

  private func scan() async throws -> ScanDocument { try await deadwax.run(["scan", "--json", music.path]).document() }

  private func track(titled title: String) async throws -> TrackRow? {
    try await deadwax.run(["ls", "--format", "jsonl", "--fields", TrackRow.fields]).lines(TrackRow.self)
      .first { $0.title == title }
  }

  @Test func `a moved file keeps its number and is not decoded again`() async throws {
    _ = try await scan()
    let before = try #require(try await track(titled: "Kick"))
    try music.move("The Locked Grooves/Thirty-Three and a Third/01 Kick.wav", to: "renamed.wav")
    let report = try await scan()
    let after = try #require(try await track(titled: "Kick"))
    #expect(report.moved == 1)
    #expect(report.missing == 0)
    #expect(report.decoded_files == 0)
    #expect(after.id == before.id)
    #expect(after.path == music.url.appending(path: "renamed.wav").path)
  }

  @Test func `a vanished file is missing, and itself again when it returns`() async throws {
    _ = try await scan()
    let elsewhere = try TemporaryFolder()
    let kick = music.url.appending(path: "The Locked Grooves/Thirty-Three and a Third/01 Kick.wav")
    let before = try #require(try await track(titled: "Kick"))
    try FileManager.default.moveItem(at: kick, to: elsewhere.appending("kick.wav"))
    #expect(try await scan().missing == 1)
    #expect(try await track(titled: "Kick")?.state == "missing")
    try FileManager.default.moveItem(at: elsewhere.appending("kick.wav"), to: kick)
    #expect(try await scan().decoded_files == 0)
    let after = try #require(try await track(titled: "Kick"))
    #expect(after.state == "ok")
    #expect(after.id == before.id)
  }

  @Test func `a root that is gone stops the scan for safety`() async throws {
    _ = try await scan()
    try FileManager.default.removeItem(at: music.url)
    let outcome = try await deadwax.run(["scan", music.path])
    #expect(outcome.status == 4)
    #expect(outcome.errorText.contains(music.path))
    #expect(try await track(titled: "Kick")?.state == "ok")
  }

  @Test func `an emptied root stops the scan for safety`() async throws {
    _ = try await scan()
    try music.remove("The Locked Grooves")
    #expect(try await deadwax.run(["scan", music.path]).status == 4)
    #expect(try await track(titled: "Kick")?.state == "ok")
  }

  // Faults: 63
  @Test(.timeLimit(.minutes(1))) func `what is not a regular file is skipped`() async throws {
    #expect(mkfifo(music.url.appending(path: "pipe.wav").path, 0o600) == 0)
    try FileManager.default.createDirectory(
      at: music.url.appending(path: "folder.mp3"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      at: music.url.appending(path: "loop"), withDestinationURL: music.url)
    try FileManager.default.createSymbolicLink(
      atPath: music.url.appending(path: "dangling.wav").path, withDestinationPath: "nowhere.wav")
    try makeSocket("socket.flac")
    let zero = music.url.appending(path: "device.mp3").path
    // Only the administrator may make one.
    let hasDevice = mknod(zero, S_IFCHR | 0o600, dev_t(1 << 8 | 5)) == 0
    let outcome = try await deadwax.run(["scan", "--json", "-v", music.path])
    #expect(outcome.status == 0, "\(outcome)")
    #expect(try outcome.document(ScanDocument.self).found == 8)
    for name in ["pipe.wav", "socket.flac"] + (hasDevice ? ["device.mp3"] : []) {
      #expect(outcome.errorText.contains("\(name): not a regular file"), "\(outcome.errorText)")
    }
  }

  private func makeSocket(_ name: String) throws {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: music.file(name).path.utf8) }
    let length = socklen_t(MemoryLayout<sockaddr_un>.size)
    let code = withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
    }
    try #require(code == 0)
  }

  // Faults: 69
  /// Seconds since 1970: far in the future, the very first, long before, and the last before a clock of 32 bits ends.
  @Test(arguments: [7_258_118_400, 0, -315_619_200, 2_147_483_647])
  func `a file of any time is scanned once, and again when it changes`(seconds: Int) async throws {
    let name = "The Locked Grooves/Thirty-Three and a Third/01 Kick.wav"
    func setTime() {
      let times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)]
      #expect(utimensat(AT_FDCWD, music.file(name).path, times, 0) == 0)
    }
    setTime()
    #expect(try await scan().decoded_files == 8)
    let users = try await deadwax.decide()
    // A time of whole seconds may be that of another write a moment later, so one more look is allowed; not a third.
    _ = try await scan()
    #expect(try await scan().decoded_files == 0)
    // Another recording with the old size and time: the change time differs.
    var bytes = try Data(contentsOf: music.file(name))
    bytes[bytes.count / 2] ^= 1
    try bytes.write(to: music.file(name))
    setTime()
    #expect(try await scan().decoded_files == 1)
    try await Invariants(music.url).check(deadwax, users: users)
  }

  // Faults: 64
  @Test func `names are bytes: any of them is listed as it is and scanned without doubles`() async throws {
    let folder = try MusicFolder()
    let prefix = Array((folder.path + "/").utf8)
    let content = Array(try Data(contentsOf: Corpora.fixtures.appending(path: "damaged/one-sample.wav")))
    let names: [[UInt8]] = [
      Array("new\nline.wav".utf8), Array("-dash.wav".utf8), Array("quote\"'.wav".utf8), Array("trailing .wav".utf8),
      Array("\u{E9}.wav".utf8), Array("e\u{301}.wav".utf8), [0xE9, 0xFF] + Array(".wav".utf8),
      Array("🎵.wav".utf8), Array(String(repeating: "x", count: 251).utf8) + Array(".wav".utf8),
    ]
    // Each is a recording of its own, or they would be one track.
    for (index, name) in names.enumerated() {
      try write(content.dropLast() + [UInt8(index)], to: prefix + name)
    }

    _ = try await deadwax.run(["scan", folder.path])
    let again = try await deadwax.run(["scan", "--json", folder.path]).document(ScanDocument.self)
    #expect(again.unchanged == names.count)
    #expect(again.found == names.count)

    let list = try await deadwax.run(["ls", "--format", "paths", "-0"])
    let listed = Set(list.standardOutput.split(separator: 0).map { Array($0) })
    #expect(listed == Set(names.map { prefix + $0 }))
  }

  /// Writes below a path that need not be text.
  private func write(_ content: [UInt8], to path: [UInt8]) throws {
    let descriptor = (path + [0]).map { CChar(bitPattern: $0) }.withUnsafeBufferPointer { path in
      path.baseAddress.map { open($0, O_CREAT | O_WRONLY | O_EXCL, 0o600) } ?? -1
    }
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    #expect(Glibc.write(descriptor, content, content.count) == content.count)
  }
}

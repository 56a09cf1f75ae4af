import Foundation
import Glibc
import TestSupport
import Testing

/// Lyrics in files beside sounds, as scans and watches find them for `has:lyrics`.
@Suite(.timeLimit(.minutes(5)))
struct LyricsBesideTests {
  private let deadwax: DeadwaxCommand
  private let music: MusicFolder

  init() throws {
    deadwax = try DeadwaxCommand()
    music = try MusicFolder("damaged/clean.mp3", "damaged/length-unknown.flac")
  }

  /// The names of the files that a query finds.
  private func names(_ query: String = "has:lyrics") async throws -> [String] {
    let listed = try await deadwax.must(["ls", "--format", "paths", "--", query]).text
    return listed.split(separator: "\n").map { URL(filePath: String($0)).lastPathComponent }
  }

  private func scan(_ options: String...) async throws {
    try await deadwax.must(["scan", "-q", music.path] + options)
  }

  private static let text = Array("[00:01.00]Slowly\n".utf8)

  @Test func `a scan finds them, and notices when they come, go and move along`() async throws {
    try await scan()
    #expect(try await names().isEmpty)
    try music.write(Self.text, to: "clean.lrc")
    // An empty one holds nothing, and another name belongs to nothing.
    try music.write([], to: "length-unknown.txt")
    try music.write(Self.text, to: "other.txt")
    try await scan()
    #expect(try await names() == ["clean.mp3"])
    try music.write(Self.text, to: "length-unknown.txt")
    try await scan()
    #expect(try await names().sorted() == ["clean.mp3", "length-unknown.flac"])
    #expect(try await names("-has:lyrics").isEmpty)
    try music.move("clean.mp3", to: "moved.mp3")
    try await scan("--accept-missing")
    #expect(try await names() == ["length-unknown.flac"])
    try music.move("clean.lrc", to: "moved.lrc")
    try await scan()
    #expect(try await names().sorted() == ["length-unknown.flac", "moved.mp3"])
    try music.remove("length-unknown.txt")
    try await scan()
    #expect(try await names() == ["moved.mp3"])
  }

  @Test func `a scan of another folder changes nothing, and what is missing keeps what was known`() async throws {
    try music.add(fixture: "damaged/hole.ogg", as: "Other/hole.ogg")
    try music.write(Self.text, to: "Other/hole.txt")
    try music.write(Self.text, to: "clean.txt")
    try await scan()
    #expect(try await names().sorted() == ["clean.mp3", "hole.ogg"])
    try await deadwax.must(["scan", "-q", music.file("Other").path])
    #expect(try await names().sorted() == ["clean.mp3", "hole.ogg"])
    try music.remove("Other/hole.ogg")
    try await scan("--accept-missing")
    #expect(try await names("has:lyrics state:missing") == ["hole.ogg"])
  }

  @Test func `a watch notices lyrics that come`() async throws {
    let watch = try deadwax.start(["watch", music.path, "--jobs", "1"])
    while try !String(decoding: watch.output(), as: UTF8.self).contains("Watching") {
      try #require(watch.isRunning)
      try await Task.sleep(for: .milliseconds(50))
    }
    try music.write(Self.text, to: "clean.lrc")
    while try await names() != ["clean.mp3"] {
      try #require(watch.isRunning)
      try await Task.sleep(for: .milliseconds(100))
    }
    watch.send(SIGTERM)
    _ = try await watch.outcome()
  }
}

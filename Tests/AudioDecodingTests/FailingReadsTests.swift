import AudioDecoding
import Foundation
import Glibc
import MediaModel
import Testing
import TestSupport

/// Files whose bytes the system does not give any more, as on a disk that dies or a server that went away.
struct FailingReadsTests {
  /// One file of each kind that has tags: by TagLib, by libsndfile, and with streams that are told apart first.
  private static let files = [
    "Lathe & Lantern/Run-out Groove/01 Lead-in.mp3", "Émilie Søndergård/Les Échos/01 Marée lente.flac",
    "Émilie Søndergård/Les Échos/05 Marée haute.oga", "星屑電機/夜の配線/01 真空管.ogg",
    "Public Address/Announcements/02 Auslaufrille.opus", "Public Address/Announcements/03 Sillon de sortie.m4a",
    "The Locked Grooves/Thirty-Three and a Third/01 Kick.wav",
    "The Locked Grooves/Thirty-Three and a Third/04 Long Side.rf64",
    "The Locked Grooves/Thirty-Three and a Third/06 Big End.aiff",
    "The Locked Grooves/Thirty-Three and a Third/07 Core.caf",
  ]

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: files)
  func `tags that cannot be read are not taken for none`(_ path: String) throws {
    let file = try OpenFile(Corpora.fixtures.appending(path: "audio").appending(path: path))
    let media = try file.mediaFile()
    try file.replace(with: folder.url)
    do throws(DecodingError) {
      let reading = try media.readTags()
      Issue.record("\(reading.tags.properties.count) tags")
    } catch {
      guard case .unreadable(EISDIR, _) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(error.state == .unreadable)
    }
  }

  @Test(arguments: files)
  func `a file that became shorter has the tags that are left`(_ path: String) throws {
    let original = Corpora.fixtures.appending(path: "audio").appending(path: path)
    try folder.write(try Data(contentsOf: original), to: original.lastPathComponent)
    let copy = folder.appending(original.lastPathComponent)
    let file = try OpenFile(copy)
    let media = try file.mediaFile()
    try #require(truncate(copy.path, 64) == 0)
    _ = try media.readTags()
  }
}

extension OpenFile {
  /// Lets the descriptor be that of something else; a folder can be opened, but no byte of it can be read.
  fileprivate func replace(with url: URL) throws {
    let other = open(url.path, O_RDONLY | O_CLOEXEC)
    defer { close(other) }
    try #require(dup2(other, descriptor) == descriptor)
  }
}

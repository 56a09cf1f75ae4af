@testable import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

/// TagLib as a second opinion: what it reads of intact files is read here, too, under the same names.
struct TagLibComparisonTests {
  private static let formats: [String: TagLibFormat] = [
    "mp3": .mpeg, "mp2": .mpeg, "flac": .flac, "ogg": .vorbis, "oga": .oggFLAC, "opus": .opus, "spx": .speex,
    "wav": .wav, "aiff": .aiff, "m4a": .mp4, "m4b": .mp4, "wma": .asf, "wv": .wavPack, "mpc": .musepack,
    "tta": .trueAudio,
  ]

  /// Properties that have other names here: an extended attribute `Author` of Windows Media is an artist.
  private static let otherNames: Set<String> = ["AUTHOR"]

  private static let files: [URL] = ["audio", "formats"].flatMap { name -> [URL] in
    let folder = Corpora.fixtures.appending(path: name)
    return (FileManager.default.subpaths(atPath: folder.path) ?? []).map { folder.appending(path: $0) }
  }.filter { formats[$0.pathExtension] != nil }.sorted { $0.path < $1.path }

  @Test func `what TagLib reads of the fixtures is read here`() throws {
    var comparedCount = 0
    for url in Self.files {
      let format = try #require(Self.formats[url.pathExtension])
      let file = try OpenFile(url)
      let bytes = BufferedBytes(FileBytes(descriptor: file.descriptor, byteCount: file.byteCount))
      let theirs = try withExtendedLifetime(file) { try TagReader(bytes: bytes).read(as: format) }
      let ours = try file.tags()
      let values = Dictionary(uniqueKeysWithValues: ours.tags.properties.map { ($0.name, $0.values) })
      for property in theirs.tags.properties where !Self.otherNames.contains(property.name) {
        comparedCount += 1
        #expect(values[property.name] == property.values, "\(url.lastPathComponent): \(property.name)")
      }
      #expect(theirs.artwork.allSatisfy { picture in ours.artwork.contains { $0.bytes == picture.bytes } })
    }
    #expect(comparedCount > 150)
  }
}

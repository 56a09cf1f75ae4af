import AudioDecoding
import Foundation
import MediaModel
import TestSupport

/// Files that are read in full: by identity, and by a decode.
struct SyntheticFiles {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  func identity(_ bytes: [UInt8]) throws -> StreamIdentity {
    try folder.write(bytes, to: "a")
    return try OpenFile(folder.appending("a")).identity()
  }

  func decode(_ bytes: [UInt8], verifiesChecksum: Bool = false) throws -> DecodedFile {
    try folder.write(bytes, to: "a")
    return try DecodedFile(folder.appending("a"), verifiesChecksum: verifiesChecksum)
  }
}

/// Fixtures whose streams the tests take apart.
enum StreamFixture {
  static let audio = Corpora.fixtures.appending(path: "audio")
  static let vorbis = audio.appending(path: "星屑電機/夜の配線/02 配線図.ogg")
  static let opus = audio.appending(path: "Public Address/Announcements/02 Auslaufrille.opus")
  static let flac = audio.appending(path: "Émilie Søndergård/Les Échos/02 Balayage.flac")
  static let flacInOgg = audio.appending(path: "Émilie Søndergård/Les Échos/05 Marée haute.oga")

  static func vorbisStream() throws -> OggStream { try OggStream(vorbis, headerCount: 3) }
  static func opusStream() throws -> OggStream { try OggStream(opus, headerCount: 2) }
}

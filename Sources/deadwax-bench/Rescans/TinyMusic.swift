internal import Foundation
internal import MediaModel

/// A large folder of tiny files with plausible names: artists, albums of ten, each file a sound of its own.
enum TinyMusic {
  private static let filesPerAlbum = 10
  private static let albumsPerArtist = 5

  static func make(fileCount: Int, in folder: URL) throws {
    var names = NameGenerator()
    var artist = ""
    var album = folder
    for index in 0..<fileCount {
      if index.isMultiple(of: filesPerAlbum * albumsPerArtist) {
        artist = "\(names.phrase(1...3)) \(index / (filesPerAlbum * albumsPerArtist))"
      }
      if index.isMultiple(of: filesPerAlbum) {
        album = folder.appending(path: artist).appending(path: "\(names.year()) - \(names.phrase(1...4)) \(index)")
        try FileManager.default.createDirectory(at: album, withIntermediateDirectories: true)
      }
      let number = String(index % filesPerAlbum + 101).dropFirst()
      let file = album.appending(path: "\(number) - \(names.phrase(1...5)).wav", directoryHint: .notDirectory)
      guard FileManager.default.createFile(atPath: file.path, contents: Data(waveFile(index))) else {
        throw BenchFailure("cannot write \(file.path)")
      }
    }
  }

  /// Four samples of 16 bit in mono that no other number has.
  private static func waveFile(_ number: Int) -> [UInt8] {
    var writer: [UInt8] = []
    func append(_ integer: some FixedWidthInteger) {
      withUnsafeBytes(of: integer.littleEndian) { writer.append(contentsOf: $0) }
    }
    writer += Array("RIFF".utf8)
    append(UInt32(36 + 8))
    writer += Array("WAVEfmt ".utf8)
    append(UInt32(16))
    append(UInt16(1))
    append(UInt16(1))
    append(UInt32(44_100))
    append(UInt32(88_200))
    append(UInt16(2))
    append(UInt16(16))
    writer += Array("data".utf8)
    append(UInt32(8))
    append(UInt64(number))
    return writer
  }
}

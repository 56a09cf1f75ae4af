package import Foundation

/// A folder of copies of fixtures that a test may change.
package struct MusicFolder: Sendable {
  private let folder: TemporaryFolder
  package let url: URL

  package var path: String { url.path }

  package init() throws {
    folder = try TemporaryFolder()
    url = try folder.makeFolder("music")
  }

  /// Copies files or folders of fixtures/, such as `audio/Lathe & Lantern` or `damaged/clean.mp3`, under their last name.
  package init(_ fixtures: String...) throws {
    try self.init()
    for fixture in fixtures {
      let source = Corpora.fixtures.appending(path: fixture)
      try FileManager.default.copyItem(at: source, to: url.appending(path: source.lastPathComponent))
    }
  }

  package func move(_ old: String, to new: String) throws {
    try FileManager.default.moveItem(at: url.appending(path: old), to: url.appending(path: new))
  }

  package func remove(_ name: String) throws { try FileManager.default.removeItem(at: url.appending(path: name)) }

  package func file(_ name: String) -> URL { url.appending(path: name) }

  /// Copies a file from anywhere, as writable by its owner, with the folders on the way to it.
  package func add(_ source: URL, as name: String) throws {
    let target = file(name)
    try FileManager.default.createDirectory(at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.copyItem(at: source, to: target)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: target.path)
  }

  /// Copies one of fixtures/.
  package func add(fixture: String, as name: String) throws {
    try add(Corpora.fixtures.appending(path: fixture), as: name)
  }

  package func write(_ bytes: some Sequence<UInt8>, to name: String) throws {
    let target = file(name)
    try FileManager.default.createDirectory(at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: target)
  }

  /// Writes a sparse WAV file of silence: 16 bit, stereo, 44.1 kHz.
  package func addSilence(seconds: Int, as name: String) throws {
    try Self.writeSilence(seconds: seconds, to: file(name))
  }

  /// The same anywhere.
  package static func writeSilence(seconds: Int, to file: URL) throws {
    let byteCount = seconds * 44_100 * 4
    func number(_ value: Int, _ size: Int) -> [UInt8] {
      (0..<size).map { UInt8(truncatingIfNeeded: min(value, Int(UInt32.max)) >> (8 * $0)) }
    }
    // Sizes beyond 32 bits are written as their maximum, which means "to the end of the file".
    let header: [UInt8] =
      Array("RIFF".utf8) + number(byteCount + 36, 4) + Array("WAVEfmt ".utf8) + number(16, 4) + number(1, 2)
      + number(2, 2) + number(44_100, 4) + number(44_100 * 4, 4) + number(4, 2) + number(16, 2) + Array("data".utf8)
      + number(byteCount, 4)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(header).write(to: file)
    let handle = try FileHandle(forWritingTo: file)
    try handle.truncate(atOffset: UInt64(header.count + byteCount))
    try handle.close()
  }
}

import Foundation
import TestSupport

/// A folder of copies of fixtures that a test may change.
struct MusicFolder: Sendable {
  private let folder: TemporaryFolder
  let url: URL

  var path: String { url.path }

  init() throws {
    folder = try TemporaryFolder()
    url = try folder.makeFolder("music")
  }

  /// Copies files or folders of fixtures/, such as `audio/Lathe & Lantern` or `damaged/clean.mp3`, under their last name.
  init(_ fixtures: String...) throws {
    try self.init()
    for fixture in fixtures {
      let source = Corpora.fixtures.appending(path: fixture)
      try FileManager.default.copyItem(at: source, to: url.appending(path: source.lastPathComponent))
    }
  }

  func move(_ old: String, to new: String) throws {
    try FileManager.default.moveItem(at: url.appending(path: old), to: url.appending(path: new))
  }

  func remove(_ name: String) throws { try FileManager.default.removeItem(at: url.appending(path: name)) }

  /// Path, time and content of everything in the folder; equal values mean that nobody wrote to it.
  func inventory() throws -> [String: String] {
    var inventory: [String: String] = [:]
    let contents = FileManager.default.enumerator(atPath: url.path)
    while let name = contents?.nextObject() as? String {
      let file = url.appending(path: name)
      let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
      let time = (attributes[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
      let isFile = attributes[.type] as? FileAttributeType == .typeRegular
      inventory[name] = "\(time) \(isFile ? try Data(contentsOf: file).base64EncodedString() : "")"
    }
    return inventory
  }
}

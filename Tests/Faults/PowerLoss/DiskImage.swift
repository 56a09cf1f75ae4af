internal import Foundation
internal import TestSupport

/// The files of a library on a disk whose power may fail: what was synced is there, of the rest any part.
struct DiskImage: Sendable {
  /// What of the writes since the last sync has reached the disk.
  enum Survival: CaseIterable, Sendable {
    /// Each, in order.
    case all
    case none
    /// Some, in sectors of 512 bytes.
    case some
  }

  private struct File {
    var durable: [UInt8] = []
    var pending: [DiskEvent] = []
  }

  private var files: [String: File]
  /// Files whose removal may not have reached the disk.
  private var removed: [String: File] = [:]

  init(library: [UInt8]) { files = ["library.sqlite": File(durable: library)] }

  /// The shared memory is not among them: after a power failure nobody believes it.
  mutating func apply(_ event: DiskEvent) {
    switch event {
    case .write(let name, _, _), .truncate(let name, _):
      guard name == "library.sqlite" || name == "library.sqlite-wal" else { return }
      files[name, default: File()].pending.append(event)
    case .sync(let name):
      guard files[name] != nil else { return }
      let content = content(of: name, .all) { true }
      files[name] = File(durable: content)
      // SQLite syncs the folder with the first sync of a file that it made.
      removed[name] = nil
    case .remove(let name):
      removed[name] = files.removeValue(forKey: name)
    }
  }

  /// Writes what a reader finds after a power failure at this moment.
  func write(to folder: URL, _ survival: Survival, random: inout RepeatableRandom) throws {
    for name in ["library.sqlite", "library.sqlite-wal"] {
      let isBack = survival == .none || (survival == .some && Bool.random(using: &random))
      var content: [UInt8]?
      if isBack, let file = removed[name] {
        content = file.durable
      } else if files[name] != nil {
        content = self.content(of: name, survival) { Bool.random(using: &random) }
      }
      if let content { try Data(content).write(to: folder.appending(path: name)) }
    }
  }

  private func content(of name: String, _ survival: Survival, coin: () -> Bool) -> [UInt8] {
    guard let file = files[name], survival != .none else { return files[name]?.durable ?? [] }
    var content = file.durable
    for event in file.pending {
      switch event {
      case .write(_, let bytes, let offset):
        for start in stride(from: 0, to: bytes.count, by: 512) where survival == .all || coin() {
          let end = min(start + 512, bytes.count)
          if content.count < offset + end { content += [UInt8](repeating: 0, count: offset + end - content.count) }
          content.replaceSubrange(offset + start..<offset + end, with: bytes[start..<end])
        }
      case .truncate(_, let count):
        if survival == .all || coin() {
          content = Array(content.prefix(count)) + [UInt8](repeating: 0, count: max(0, count - content.count))
        }
      case .sync, .remove: break
      }
    }
    return content
  }
}

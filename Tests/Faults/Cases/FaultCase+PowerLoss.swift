import Foundation
import TestSupport

extension FaultCase {
  /// Records what commands write, and lets the power fail after each write.
  static let powerLoss = FaultCase(89, named: "the power fails after each write") { trial in
    try Injection.requireTracer()
    let stage = try await Stage.shared.value
    let deadwax = try stage.copy()
    var image = DiskImage(library: [UInt8](try Data(contentsOf: deadwax.library)))
    var random = RepeatableRandom(seed: 89)
    var acknowledged = -2.0
    for number in 0..<trial.count(20) {
      // Between the user's decisions something else is written, which may be lost.
      let gain = number % 5 == 4 ? acknowledged : -Double(number) / 10
      let arguments =
        number % 5 == 4 ? ["reanalyze", "--force", "--restart"] : ["preset", "edit", "mine", "--gain", "\(gain)"]
      let log = deadwax.home.appending("strace.log")
      let outcome = try await deadwax.run(
        executable: URL(filePath: "/usr/bin/strace"),
        DiskEvent.tracing + ["-o", log.path, DeadwaxCommand.executable.path] + arguments)
      guard outcome.status == 0 else { throw UnexpectedOutcome(outcome) }
      let events = try DiskEvent.events(in: log)
      trial.expect(!events.isEmpty, "strace saw no write of \(arguments)")
      for event in events {
        image.apply(event)
        for survival in DiskImage.Survival.allCases {
          try await check(image, survival, [acknowledged, gain], trial, &random)
        }
      }
      acknowledged = gain
      for survival in DiskImage.Survival.allCases { try await check(image, survival, [gain], trial, &random) }
    }
  }

  private static func check(
    _ image: DiskImage, _ survival: DiskImage.Survival, _ gains: Set<Double>, _ trial: Trial,
    _ random: inout RepeatableRandom
  ) async throws {
    let after = try DeadwaxCommand()
    try image.write(to: after.home.url, survival, random: &random)
    trial.countAttempt()
    let shown = try await after.run(["preset", "show", "mine", "--json"])
    let gain = try? shown.document(PresetDocument.self).gain_db
    trial.expect(gain.map(gains.contains) == true, "\(survival) of what was not synced: \(shown), not one of \(gains)")
    let check = try await after.run(
      executable: URL(filePath: "/usr/bin/sqlite3"),
      [after.library.path, "PRAGMA integrity_check; PRAGMA foreign_key_check"])
    trial.expect(check.text == "ok\n", "\(survival) of what was not synced: \(check)")
  }

}

/// The files of a library on a disk that may lose power: what was synced is there, and any part of the rest.
struct DiskImage: Sendable {
  /// Which writes since the last sync have reached the disk.
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

  /// Shared memory is left out: after a power failure SQLite does not use it.
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

/// What a process did to a file of the library, as strace reports it.
enum DiskEvent: Sendable {
  case write(file: String, bytes: [UInt8], offset: Int)
  case truncate(file: String, byteCount: Int)
  /// Everything written to the file before is on the disk.
  case sync(file: String)
  case remove(file: String)

  /// Options of strace whose log ``events(in:)`` reads: every byte in hexadecimal.
  static let tracing = [
    "-qq", "-y", "-xx", "-s", "16777216", "-e", "trace=pwrite64,fsync,fdatasync,ftruncate,unlink", "-e", "signal=none",
  ]

  /// The events of a log, with the names of files in one folder.
  static func events(in log: URL) throws -> [DiskEvent] {
    try Data(contentsOf: log).split(separator: UInt8(ascii: "\n")).compactMap { event($0) }
  }

  private static func event(_ line: Data) -> DiskEvent? {
    guard let open = line.firstIndex(of: UInt8(ascii: "(")), let end = line.lastIndex(of: UInt8(ascii: ")")),
      line[end...].starts(with: ") = ".utf8), !line[end...].starts(with: ") = -1".utf8)
    else { return nil }
    let call = String(decoding: line[..<open], as: UTF8.self)
    let fields = line[line.index(after: open)..<end].split(separator: UInt8(ascii: ","))
    // The first argument is a descriptor with its path, or a path.
    guard let first = fields.first else { return nil }
    let file = String(decoding: bytes(first), as: UTF8.self).split(separator: "/").last.map(String.init) ?? ""
    let numbers = fields.dropFirst().map {
      Int(String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespaces))
    }
    switch call {
    case "pwrite64":
      guard fields.count == 4, let offset = numbers[2] else { return nil }
      return .write(file: file, bytes: bytes(fields[1]), offset: offset)
    case "ftruncate": return numbers.first.flatMap { $0 }.map { .truncate(file: file, byteCount: $0) }
    case "fsync", "fdatasync": return .sync(file: file)
    case "unlink": return .remove(file: file)
    default: return nil
    }
  }

  /// The bytes of a field that has them as `\x2f`.
  private static func bytes(_ field: Data) -> [UInt8] {
    func digit(_ byte: UInt8) -> UInt8 { byte < 0x3A ? byte - 0x30 : byte - 0x57 }
    var bytes: [UInt8] = []
    var index = field.startIndex
    while index + 3 < field.endIndex {
      if field[index] == UInt8(ascii: "\\"), field[index + 1] == UInt8(ascii: "x") {
        bytes.append(digit(field[index + 2]) << 4 | digit(field[index + 3]))
        index += 4
      } else {
        index += 1
      }
    }
    return bytes
  }
}

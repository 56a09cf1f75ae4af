package import Base
internal import Synchronization

/// What ListenBrainz has not taken yet, in a file of the user's state folder: no restart, crash or absent network loses it.
///
/// Each line is a JSON object of `user` and `listen`, the oldest first. Several servers may add to one file. It is on the
/// disk when a call that changes it returns. It is not in the library, whose copies would tell everything once more.
package final class ListenQueue: Sendable {
  /// Some months of a person without a network. What comes after is counted in the library alone.
  private static let largestCount = 50_000
  /// What one person may take of it.
  private static let largestCountOfUser = 25_000
  private static let largestByteCount = 600 << 20

  private struct Line: Hashable {
    let user: String
    let listen: Listen

    init(user: String, listen: Listen) { (self.user, self.listen) = (user, listen) }

    /// nil for a line that a power failure has cut off.
    init?(_ bytes: ArraySlice<UInt8>) {
      guard let value = try? JSONValue(parsing: Array(bytes)), let user = value["user"]?.string,
        let listen = value["listen"]
      else { return nil }
      self.init(user: user, listen: Listen(stored: listen))
    }

    var text: String { JSONValue.object(["user": .string(user), "listen": listen.document]).text + "\n" }
  }

  private let file: PrivateFile
  private let known = Mutex<(stamp: PrivateFile.Stamp, lines: [Line])?>(nil)

  package init(_ path: BytePath) { file = PrivateFile(path) }

  func add(_ listens: [Listen], of user: String) throws {
    try file.locked {
      let known = try lines()
      let own = known.count { $0.user == user }
      let room = max(0, min(Self.largestCount - known.count, Self.largestCountOfUser - own))
      guard room > 0, !listens.isEmpty else { return }
      // A line that was cut off ends before the new ones.
      let added = listens.prefix(room).map { Line(user: user, listen: $0).text }
      try file.append(Array(("\n" + added.joined()).utf8))
    }
  }

  /// The oldest ones of a person.
  func first(_ count: Int, of user: String) throws -> [Listen] {
    try Array(lines().lazy.filter { $0.user == user }.map(\.listen).prefix(count))
  }

  /// What waits of each person.
  package func counts() throws -> [String: Int] {
    try lines().reduce(into: [:]) { $0[$1.user, default: 0] += 1 }
  }

  func remove(_ listens: [Listen], of user: String) throws {
    let removed = Set(listens.map { Line(user: user, listen: $0) })
    try rewrite { !removed.contains($0) }
  }

  /// Forgets what waits of a person.
  package func removeAll(of user: String) throws { try rewrite { $0.user != user } }

  private func rewrite(keeping isKept: (Line) -> Bool) throws {
    try file.locked {
      let before = try lines()
      let after = before.filter(isKept)
      guard after.count < before.count else { return }
      try file.replace(with: Array(after.map(\.text).joined().utf8))
    }
  }

  private func lines() throws -> [Line] {
    guard let stamp = try file.stamp() else { return [] }
    if let known = known.withLock({ $0 }), known.stamp == stamp { return known.lines }
    let (bytes, readStamp) = try file.read(limit: Self.largestByteCount)
    let lines = bytes.split(separator: UInt8(ascii: "\n")).compactMap { Line($0) }
    known.withLock { $0 = (readStamp, lines) }
    return lines
  }
}

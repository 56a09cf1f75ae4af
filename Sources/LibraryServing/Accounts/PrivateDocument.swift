internal import Base
internal import Synchronization

/// What a private file of the server holds.
protocol PrivateContents: Hashable, Sendable {
  /// What is there without a file.
  init()
  /// nil for what ``document`` did not write.
  init?(json: JSONValue)
  var document: JSONValue { get }
}

/// A private file of JSON, which is read again when it was replaced.
final class PrivateDocument<Contents: PrivateContents>: Sendable {
  private static var largest: Int { 1 << 20 }

  let file: PrivateFile
  private let known = Mutex<(stamp: PrivateFile.Stamp, contents: Contents)?>(nil)

  init(_ path: BytePath) { file = PrivateFile(path) }

  /// What it holds now. Costs one system call if nothing has changed.
  ///
  /// - Throws: ``SystemError``, ``AccountError/unreadable(_:)``.
  func contents() throws -> Contents {
    guard let stamp = try file.stamp() else { return Contents() }
    if let known = known.withLock({ $0 }), known.stamp == stamp { return known.contents }
    let (bytes, readStamp) = try file.read(limit: Self.largest)
    guard let document = try? JSONValue(parsing: bytes), let contents = Contents(json: document) else {
      throw AccountError.unreadable(file.path)
    }
    known.withLock { $0 = (readStamp, contents) }
    return contents
  }

  /// Changes what it holds; that is on the disk when this returns. Two changes at once wait for each other.
  ///
  /// - Throws: the same, and what `body` throws.
  func change<Value>(_ body: (inout Contents) throws -> Value) throws -> Value {
    try file.locked {
      let before = try contents()
      var contents = before
      let value = try body(&contents)
      if contents != before { try file.replace(with: Array((contents.document.prettyText + "\n").utf8)) }
      return value
    }
  }
}

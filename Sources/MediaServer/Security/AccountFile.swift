package import Base
internal import Synchronization

/// The file with the passwords of the server, which is read again when it was replaced.
package final class AccountFile: Sendable {
  private static let largest = 1 << 20

  private let file: PrivateFile
  private let known = Mutex<(stamp: PrivateFile.Stamp, accounts: Accounts)?>(nil)

  package init(_ path: BytePath) { file = PrivateFile(path) }

  /// The passwords as they are now; none if there is no file. Costs one system call if nothing has changed.
  ///
  /// - Throws: ``SystemError``, ``AccountError/unreadable(_:)``.
  package func accounts() throws -> Accounts {
    guard let stamp = try file.stamp() else { return Accounts() }
    if let known = known.withLock({ $0 }), known.stamp == stamp { return known.accounts }
    let (bytes, readStamp) = try file.read(limit: Self.largest)
    guard let document = try? JSONValue(parsing: bytes), let accounts = Accounts(json: document) else {
      throw AccountError.unreadable(file.path)
    }
    known.withLock { $0 = (readStamp, accounts) }
    return accounts
  }

  /// Changes the passwords; the file is on the disk when this returns. Two changes at once wait for each other.
  ///
  /// - Throws: the same, and what `body` throws.
  package func change<Value>(_ body: (inout Accounts) throws -> Value) throws -> Value {
    try file.locked {
      let before = try accounts()
      var accounts = before
      let value = try body(&accounts)
      if accounts != before { try file.replace(with: Array((accounts.document.prettyText + "\n").utf8)) }
      return value
    }
  }
}

package import Base
internal import Foundation
package import HTTPServing
internal import Glibc

/// A browser in which a person has signed in with a password.
package struct Session: Hashable, Sendable {
  /// By which lists name it; it is no secret.
  package fileprivate(set) var id: Int64
  /// SHA-256 of the secret that the browser has, in hexadecimal digits.
  fileprivate var digest: String
  package fileprivate(set) var user: String
  /// What the password is for.
  package fileprivate(set) var purpose: String
  /// SHA-256 of the password: another one for the same purpose revives no session.
  fileprivate var passwordDigest: String
  /// Seconds since 1970.
  package fileprivate(set) var madeAt: Int64
  package fileprivate(set) var usedAt: Int64
  /// From which it was used last.
  package fileprivate(set) var address: String
  /// As the browser named itself.
  package fileprivate(set) var browser: String

  package static let lifetimeInSeconds: Int64 = 90 * 86_400

  /// Seconds since 1970.
  package var endsAt: Int64 { madeAt + Self.lifetimeInSeconds }

  /// The account with whose password it began; nil if it has ended, because of its age or with the password.
  fileprivate func account(among accounts: Accounts, at now: Int64) -> Account? {
    guard now < endsAt else { return nil }
    return accounts.all.first {
      $0.user == user && $0.purpose == purpose && Self.digest(of: $0.password) == passwordDigest
    }
  }

  fileprivate static func digest(of secret: String) -> String {
    var digest = SHA256()
    digest.consume(Array(secret.utf8))
    return digest.finishAsHexadecimal()
  }
}

/// All sessions, as their file has them.
struct Sessions: PrivateContents {
  fileprivate var latestID: Int64 = 0
  fileprivate var all: [Session] = []

  init() {}

  init?(json: JSONValue) {
    guard case .integer(let latest)? = json["latest_id"], let values = json["sessions"]?.array else { return nil }
    latestID = latest
    for value in values {
      guard case .integer(let id)? = value["id"], let digest = value["digest"]?.string,
        let user = value["user"]?.string, let purpose = value["for"]?.string,
        let passwordDigest = value["password_digest"]?.string, case .integer(let madeAt)? = value["made_at"],
        case .integer(let usedAt)? = value["used_at"], let address = value["address"]?.string,
        let browser = value["browser"]?.string
      else { return nil }
      all.append(
        Session(
          id: id, digest: digest, user: user, purpose: purpose, passwordDigest: passwordDigest, madeAt: madeAt,
          usedAt: usedAt, address: address, browser: browser))
    }
  }

  var document: JSONValue {
    .object([
      "schema": .integer(1), "latest_id": .integer(latestID),
      "sessions": .array(
        all.map { session in
          .object([
            "id": .integer(session.id), "digest": .string(session.digest), "user": .string(session.user),
            "for": .string(session.purpose), "password_digest": .string(session.passwordDigest),
            "made_at": .integer(session.madeAt), "used_at": .integer(session.usedAt),
            "address": .string(session.address), "browser": .string(session.browser),
          ])
        }),
    ])
  }
}

/// The file with the sessions of the page, beside that with the passwords on which they depend.
package final class SessionFile: Sendable {
  /// Of one person; the one that was not used for the longest time makes room.
  private static let mostOfUser = 50
  /// A use is written down if the one that was written last is older.
  private static let useStepInSeconds: Int64 = 300

  package let accounts: AccountFile
  private let file: PrivateDocument<Sessions>
  private let now: @Sendable () -> Int64

  /// - Parameter now: Seconds since 1970.
  package init(
    _ path: BytePath, of accounts: AccountFile, now: @escaping @Sendable () -> Int64 = { Int64(time(nil)) }
  ) {
    file = PrivateDocument(path)
    self.accounts = accounts
    self.now = now
  }

  /// Begins a session; it is on the disk when this returns.
  ///
  /// - Throws: ``SystemError``, ``AccountError``.
  /// - Returns: its secret of 256 bits, which nobody else ever knows.
  package func begin(with account: Account, from address: NetworkAddress, browser: String) throws -> String {
    let secret = RandomSecret.hexadecimal(byteCount: 32)
    let (now, known) = (now(), try accounts.accounts())
    try file.change { sessions in
      sessions.all.removeAll { $0.account(among: known, at: now) == nil }
      let own = sessions.all.filter { $0.user == account.user }.sorted { ($0.usedAt, $0.id) < ($1.usedAt, $1.id) }
      let crowdedOut = own.dropLast(Self.mostOfUser - 1)
      sessions.all.removeAll(where: crowdedOut.contains)
      sessions.latestID += 1
      sessions.all.append(
        Session(
          id: sessions.latestID, digest: Session.digest(of: secret), user: account.user, purpose: account.purpose,
          passwordDigest: Session.digest(of: account.password), madeAt: now, usedAt: now,
          address: address.description, browser: Self.printable(browser)))
    }
    return secret
  }

  private static func printable(_ browser: String) -> String {
    let scalars = browser.unicodeScalars.filter { !TerminalText.mustBeEscaped($0) }
    return String(String.UnicodeScalarView(scalars)).cut(toByteCount: 300)
  }

  /// The session of a secret and the account that it stands for; nil if there is none, or none any more.
  package func session(of secret: String) throws -> (session: Session, account: Account)? {
    let digest = Session.digest(of: secret)
    guard let session = try file.contents().all.first(where: { $0.digest.isEqualInConstantTime(to: digest) }),
      let account = session.account(among: try accounts.accounts(), at: now())
    else { return nil }
    return (session, account)
  }

  /// Writes down that a session is used, and from where, unless that is known.
  package func noteUse(of session: Session, from address: NetworkAddress) throws {
    let (now, address) = (now(), address.description)
    guard now - session.usedAt >= Self.useStepInSeconds || session.address != address else { return }
    try file.change { sessions in
      guard let index = sessions.all.firstIndex(where: { $0.id == session.id }) else { return }
      (sessions.all[index].usedAt, sessions.all[index].address) = (now, address)
    }
  }

  /// The sessions that have not ended, that which was used last first.
  ///
  /// - Parameter user: nil for those of everybody.
  package func all(of user: String?) throws -> [Session] {
    let (now, known) = (now(), try accounts.accounts())
    return try file.contents().all
      .filter { (user == nil || $0.user == user) && $0.account(among: known, at: now) != nil }
      .sorted { ($0.usedAt, $0.id) > ($1.usedAt, $1.id) }
  }

  /// Ends a session at once.
  ///
  /// - Parameter user: whose it must be; nil for anybody's.
  /// - Returns: whether there was one.
  package func end(_ id: Int64, of user: String?) throws -> Bool {
    guard try all(of: user).contains(where: { $0.id == id }) else { return false }
    return try file.change { sessions in
      let count = sessions.all.count
      sessions.all.removeAll { $0.id == id }
      return sessions.all.count < count
    }
  }
}

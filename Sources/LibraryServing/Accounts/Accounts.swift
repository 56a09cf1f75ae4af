package import Base
internal import Foundation
internal import Glibc
package import HTTPServing
import MediaStore
package import UserData

/// What a password of the server may do. The right to manage includes that to rate, which includes that to listen.
package enum AccountRight: String, CaseIterable, Sendable {
  case listen, rate, manage

  package func includes(_ other: AccountRight) -> Bool {
    let order = Self.allCases
    return (order.firstIndex(of: self) ?? 0) >= (order.firstIndex(of: other) ?? 0)
  }
}

/// How tracks sound for a password.
package enum AccountHearing: String, CaseIterable, Sendable {
  /// Through the presets that apply to them.
  case presets
  /// As they are in their files.
  case raw
}

/// Which loudness is brought to -18 LUFS.
package enum ReplayGain: String, CaseIterable, Sendable {
  case off, track, album
}

/// A password that the program made for one client of one person.
package struct Account: Hashable, Sendable {
  package var user: String
  /// What the password is for, such as `phone`: a name that is unique for the person.
  package var purpose: String
  /// 119 random bits; the secret itself, because clients prove with a digest of it that they know it.
  package var password: String
  package var right: AccountRight
  package var hearing: AccountHearing
  package var gain: ReplayGain
  /// Whether it may play on the sound device of the server.
  package var mayUseJukebox: Bool
  /// Whether it acts as the owner of the library, who also uses the command.
  package var isOwner: Bool
  /// 16 random bytes, by which libraries know the person.
  package var personKey: [UInt8]
  /// Seconds since 1970.
  package var madeAt: Int64

  /// As whom the server knows who calls with it.
  package var client: Client { isOwner ? .owner : .person(user) }

  /// The person for a library.
  package var listener: Listener { isOwner ? .owner : .person(key: personKey, name: user) }
}

/// With what a person's plays are told to ListenBrainz.
package struct ListenBrainzToken: Hashable, Sendable {
  package var user: String
  /// The secret itself.
  package var token: String
  /// Whether the service has refused it.
  package var isRefused = false
}

/// The passwords of the server and what else is secret of people, in a file of the user that is never part of a library.
package struct Accounts: Hashable, Sendable {
  package private(set) var all: [Account] = []
  /// At most one for each user.
  package private(set) var listenBrainzTokens: [ListenBrainzToken] = []

  package init() {}

  /// What is between the groups of a password is part of it. No character looks like another one.
  private static let letters = Array("abcdefghjkmnpqrstuvwxyz23456789")

  /// Makes a password.
  ///
  /// - Throws: ``AccountError``.
  package mutating func add(
    user: String, purpose: String, right: AccountRight, hearing: AccountHearing, gain: ReplayGain,
    mayUseJukebox: Bool = false, isOwner: Bool
  ) throws(AccountError) -> Account {
    for (kind, name) in [("user", user), ("purpose", purpose)] {
      guard (1...100).contains(name.utf8.count), !name.unicodeScalars.contains(where: TerminalText.mustBeEscaped) else {
        throw .invalidName(kind: kind)
      }
    }
    let others = all.filter { $0.user == user }
    guard !others.contains(where: { $0.purpose == purpose }) else { throw .exists(user: user, purpose: purpose) }
    guard others.allSatisfy({ $0.isOwner == isOwner }) else { throw .otherPerson(user: user, isOwner: !isOwner) }
    let groups = (0..<4).map { _ in String((0..<6).map { _ in Self.letters[Int.random(in: 0..<Self.letters.count)] }) }
    let account = Account(
      user: user, purpose: purpose, password: groups.joined(separator: "-"), right: right, hearing: hearing, gain: gain,
      mayUseJukebox: mayUseJukebox, isOwner: isOwner,
      personKey: others.first?.personKey ?? (0..<16).map { _ in UInt8.random(in: 0...255) },
      madeAt: Int64(time(nil)))
    all.append(account)
    return account
  }

  /// Removes the passwords of a user, or the one for a purpose; with the last one goes the token for ListenBrainz.
  ///
  /// - Returns: the removed ones.
  package mutating func remove(user: String, purpose: String?) -> [Account] {
    let removed = all.filter { $0.user == user && (purpose == nil || $0.purpose == purpose) }
    all.removeAll(where: removed.contains)
    let users = Set(all.map(\.user))
    listenBrainzTokens.removeAll { !users.contains($0.user) }
    return removed
  }

  // MARK: - ListenBrainz

  /// That of a person, under whichever of their names.
  package func listenBrainzToken(of listener: Listener) -> ListenBrainzToken? {
    listenBrainzTokens.first { token in all.contains { $0.user == token.user && $0.listener == listener } }
  }

  /// - Parameter token: nil if the person's plays are to be told to nobody.
  /// - Throws: ``AccountError``.
  package mutating func setListenBrainzToken(_ token: String?, of user: String) throws(AccountError) {
    guard all.contains(where: { $0.user == user }) else { throw .noPassword(user: user, purpose: nil) }
    listenBrainzTokens.removeAll { $0.user == user }
    guard let token else { return }
    guard (1...200).contains(token.utf8.count), token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw .invalidToken
    }
    listenBrainzTokens.append(ListenBrainzToken(user: user, token: token))
  }

  /// Remembers that a token was refused, if it is still the one that is used.
  package mutating func noteRefused(_ refused: ListenBrainzToken) {
    for index in listenBrainzTokens.indices where listenBrainzTokens[index].token == refused.token {
      listenBrainzTokens[index].isRefused = true
    }
  }
}

/// Why passwords cannot be made or read.
package enum AccountError: Error, Hashable, Sendable, CustomStringConvertible {
  case invalidName(kind: String)
  case exists(user: String, purpose: String)
  /// The other passwords of the user are the owner's, and this one is not to be, or the other way round.
  case otherPerson(user: String, isOwner: Bool)
  /// There is none to revoke.
  case noPassword(user: String, purpose: String?)
  /// What was given as a token for ListenBrainz.
  case invalidToken
  /// The file holds something else.
  case unreadable(BytePath)

  package var description: String {
    switch self {
    case .invalidName(let kind): "a \(kind) must have 1 to 100 bytes and no control characters"
    case .exists(let user, let purpose): "\(user) already has a password for \(purpose)"
    case .otherPerson(let user, let isOwner):
      isOwner
        ? "\(user) is the owner with the other passwords; add --owner for another one"
        : "\(user) is not the owner with the other passwords; revoke these first, or leave out --owner"
    case .noPassword(let user, let purpose): "\(user) has no password" + (purpose.map { " for \($0)" } ?? "")
    case .invalidToken: "a token for ListenBrainz is one word of at most 200 characters"
    case .unreadable(let path):
      "\(path.displayString) contains no Deadwax passwords or sessions; delete it and create new ones"
    }
  }
}

extension Accounts: PrivateContents {
  var document: JSONValue {
    .object([
      "schema": .integer(1),
      "passwords": .array(
        all.map { account in
          .object([
            "user": .string(account.user), "for": .string(account.purpose), "password": .string(account.password),
            "right": .string(account.right.rawValue), "hears": .string(account.hearing.rawValue),
            "gain": .string(account.gain.rawValue), "jukebox": .bool(account.mayUseJukebox),
            "owner": .bool(account.isOwner), "person": .string(Data(account.personKey).base64EncodedString()),
            "made_at": .integer(account.madeAt),
          ])
        }),
      "listenbrainz": .array(
        listenBrainzTokens.map {
          .object(["user": .string($0.user), "token": .string($0.token), "refused": .bool($0.isRefused)])
        }),
    ])
  }

  init?(json: JSONValue) {
    guard let values = json["passwords"]?.array else { return nil }
    for value in values {
      guard let user = value["user"]?.string, let purpose = value["for"]?.string,
        let password = value["password"]?.string, password.utf8.count >= 16,
        let right = value["right"]?.string.flatMap(AccountRight.init(rawValue:)),
        let hearing = value["hears"]?.string.flatMap(AccountHearing.init(rawValue:)),
        let gain = value["gain"]?.string.flatMap(ReplayGain.init(rawValue:)), let isOwner = value["owner"]?.bool,
        let key = value["person"]?.string.flatMap({ Data(base64Encoded: $0) }), key.count == 16,
        case .integer(let madeAt) = value["made_at"]
      else { return nil }
      all.append(
        Account(
          user: user, purpose: purpose, password: password, right: right, hearing: hearing, gain: gain,
          // Files of before there was one do not say.
          mayUseJukebox: value["jukebox"]?.bool ?? false, isOwner: isOwner, personKey: Array(key), madeAt: madeAt))
    }
    // Files of before there were any have none.
    for value in json["listenbrainz"]?.array ?? [] {
      guard let user = value["user"]?.string, let token = value["token"]?.string else { return nil }
      listenBrainzTokens.append(
        ListenBrainzToken(user: user, token: token, isRefused: value["refused"]?.bool ?? false))
    }
  }
}

/// The file with the passwords of the server, which is read again when it was replaced.
package final class AccountFile: Sendable {
  private let file: PrivateDocument<Accounts>

  package init(_ path: BytePath) { file = PrivateDocument(path) }

  /// The passwords as they are now; none if there is no file. Costs one system call if nothing has changed.
  ///
  /// - Throws: ``SystemError``, ``AccountError/unreadable(_:)``.
  package func accounts() throws -> Accounts { try file.contents() }

  /// Changes the passwords; the file is on the disk when this returns. Two changes at once wait for each other.
  ///
  /// - Throws: the same, and what `body` throws.
  package func change<Value>(_ body: (inout Accounts) throws -> Value) throws -> Value { try file.change(body) }
}

internal import Base
internal import Glibc
internal import LibraryServing
internal import Scrobbling

/// The folder for what the program remembers of a user beside the library, readable only by that user.
enum StateFolder {
  /// `$XDG_STATE_HOME/deadwax`, else `~/.local/state/deadwax`.
  static func path() throws -> BytePath {
    if let state = LibraryOptions.environment("XDG_STATE_HOME"), state.bytes.first == UInt8(ascii: "/") {
      return state.appending(BytePath("deadwax"))
    }
    guard let home = LibraryOptions.homeFolder() else {
      throw SystemError(call: "getenv", code: ENOENT, detail: "there is no home folder to keep state in")
    }
    return home.appending(BytePath(".local/state/deadwax"))
  }

  /// The same, created if it does not exist.
  static func made() throws -> BytePath {
    let folder = try path()
    try make(folder)
    return folder
  }

  /// Covers in the sizes that were asked for, and those that are drawn: in `$XDG_CACHE_HOME/deadwax/covers`, else
  /// `~/.cache/deadwax/covers`; nil without a home folder.
  static var covers: CacheFolder? {
    let named = LibraryOptions.environment("XDG_CACHE_HOME").flatMap { $0.bytes.first == UInt8(ascii: "/") ? $0 : nil }
    let folder = named ?? LibraryOptions.homeFolder()?.appending(BytePath(".cache"))
    return folder.map { CacheFolder($0.appending(BytePath("deadwax/covers")), capacityInBytes: 256 << 20) }
  }

  /// The file with the passwords of `serve`.
  static func accounts(makingFolder: Bool) throws -> AccountFile {
    AccountFile((try makingFolder ? made() : path()).appending(BytePath("serve-users")))
  }

  /// The file with the sessions of people who have signed in on the page, beside the passwords.
  static func sessions(of accounts: AccountFile) throws -> SessionFile {
    SessionFile(try path().appending(BytePath("serve-sessions")), of: accounts)
  }

  /// What ListenBrainz has not taken yet, beside the passwords.
  static func listenQueue() throws -> ListenQueue { ListenQueue(try path().appending(BytePath("serve-listens"))) }

  private static func make(_ path: BytePath) throws {
    guard path.withCString({ access($0, F_OK) }) != 0 else { return }
    if !path.parent.bytes.isEmpty { try make(path.parent) }
    guard path.withCString({ mkdir($0, 0o700) }) == 0 || errno == EEXIST else {
      throw SystemError(call: "mkdir", detail: "\(path.displayString) cannot be created")
    }
  }
}

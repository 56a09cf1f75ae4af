internal import Base
internal import Glibc
internal import MediaServer

/// The token of `serve`, which stays the same so that browsers need to log in only once.
///
/// It is in the user's state folder, readable only by the user, and never in the library, which is copied and merged.
enum ServeToken {
  /// The stored token; a new one if there is none.
  static func stored() throws -> AccessToken {
    let folder = try stateFolder()
    try makeFolders(folder)
    let path = folder.appending(BytePath("serve-token"))
    let created = path.withCString { Glibc.open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600) }
    if created >= 0 {
      defer { close(created) }
      let token = AccessToken.random()
      try DescriptorBytes.write(Array("\(token.text)\n".utf8), to: created)
      return token
    }
    guard errno == EEXIST else { throw SystemError(call: "open", detail: "\(path.displayString) cannot be written") }
    let known = path.withCString { Glibc.open($0, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) }
    guard known >= 0 else { throw SystemError(call: "open", detail: "\(path.displayString) cannot be read") }
    defer { close(known) }
    var status = stat()
    guard fstat(known, &status) == 0, status.st_mode & 0o077 == 0, status.st_uid == getuid() else {
      throw SystemError(
        call: "fstat", code: EPERM, detail: "\(path.displayString) is open to others; `chmod 600` it, or delete it")
    }
    let text = String(decoding: try DescriptorBytes.bytes(from: known, count: 200), as: UTF8.self)
    let token = String(text.prefix { $0 != "\n" })
    guard token.utf8.count >= 16 else {
      throw SystemError(call: "read", code: EINVAL, detail: "\(path.displayString) holds no token; delete it")
    }
    return AccessToken(token)
  }

  /// `$XDG_STATE_HOME/deadwax`, else `~/.local/state/deadwax`.
  private static func stateFolder() throws -> BytePath {
    if let state = LibraryOptions.environment("XDG_STATE_HOME"), state.bytes.first == UInt8(ascii: "/") {
      return state.appending(BytePath("deadwax"))
    }
    guard let home = LibraryOptions.homeFolder() else {
      throw SystemError(call: "getenv", code: ENOENT, detail: "there is no home folder for the token")
    }
    return home.appending(BytePath(".local/state/deadwax"))
  }

  private static func makeFolders(_ path: BytePath) throws {
    guard path.withCString({ access($0, F_OK) }) != 0 else { return }
    if !path.parent.bytes.isEmpty { try makeFolders(path.parent) }
    guard path.withCString({ mkdir($0, 0o700) }) == 0 || errno == EEXIST else {
      throw SystemError(call: "mkdir", detail: "\(path.displayString) cannot be created")
    }
  }
}

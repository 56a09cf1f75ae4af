internal import Base
internal import Glibc
internal import MediaServer

/// The token of `serve`, which stays the same so that browsers need to log in only once.
///
/// It is in the user's state folder, readable only by the user, and never in the library, which is copied and merged.
enum ServeToken {
  /// The stored token; a new one if there is none.
  ///
  /// - Parameter needsTLS: Whether browsers may send it by TLS only.
  static func stored(needsTLS: Bool) throws -> AccessToken {
    let path = try StateFolder.made().appending(BytePath("serve-token"))
    let created = path.withCString { Glibc.open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600) }
    if created >= 0 {
      defer { close(created) }
      let token = AccessToken.random(needsTLS: needsTLS)
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
    return AccessToken(token, needsTLS: needsTLS)
  }
}

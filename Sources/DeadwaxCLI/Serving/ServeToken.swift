internal import Base
internal import Glibc
internal import WebAPI

/// The token of `serve`, which stays the same so that browsers need to log in only once.
///
/// It is in the user's state folder, readable only by the user, and never in the library, which is copied and merged. The
/// first line of the file is the token, the second one the secret of the cookie.
enum ServeToken {
  private static let largestByteCount = 200

  /// The stored token; a new one if there is none.
  ///
  /// - Parameter needsTLS: Whether browsers may send the cookie by TLS only.
  static func stored(needsTLS: Bool) throws -> AccessToken {
    let file = PrivateFile(try StateFolder.made().appending(BytePath("serve-token")))
    if let token = try known(file, needsTLS: needsTLS) { return token }
    return try file.locked {
      if let token = try known(file, needsTLS: needsTLS) { return token }
      // A file of before the cookie had a secret keeps its token.
      let text = try lines(of: file).first ?? AccessToken.randomText()
      let reader = AccessToken.randomText()
      try file.replace(with: Array("\(text)\n\(reader)\n".utf8))
      return AccessToken(text, reader: reader, needsTLS: needsTLS)
    }
  }

  /// nil if the file is missing or has no second line.
  private static func known(_ file: PrivateFile, needsTLS: Bool) throws -> AccessToken? {
    let lines = try lines(of: file)
    return lines.count < 2 ? nil : AccessToken(lines[0], reader: lines[1], needsTLS: needsTLS)
  }

  private static func lines(of file: PrivateFile) throws -> [String] {
    guard try file.stamp() != nil else { return [] }
    let bytes = try file.read(limit: largestByteCount).bytes
    let lines = bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    guard !lines.isEmpty, lines.allSatisfy({ $0.utf8.count >= 16 }) else {
      throw SystemError(call: "read", code: EINVAL, detail: "\(file.path.displayString) contains no token; delete it")
    }
    return lines
  }
}

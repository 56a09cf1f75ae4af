internal import Base
internal import HTTPServing
internal import LibraryServing

/// How a call of the protocol proves who makes it: with a name and a password, with a name and a digest of the password, or
/// with the password alone as an API key.
enum SubsonicProof: Equatable {
  case password(user: String, String)
  /// The digest is MD5 of the password followed by the salt, in hexadecimal digits.
  case token(user: String, digest: String, salt: String)
  case apiKey(String)

  /// - Throws: ``SubsonicError`` if there is no proof, or more than one.
  init(_ parameters: Fields) throws(SubsonicError) {
    if let key = parameters["apiKey"] {
      guard !["u", "p", "t", "s"].contains(where: parameters.has) else {
        throw SubsonicError(.conflictingAuthentication, "apiKey comes without u, p, t and s")
      }
      self = .apiKey(key)
      return
    }
    let user = try parameters.required("u")
    switch (parameters["p"], parameters["t"], parameters["s"]) {
    case (let password?, nil, nil): self = .password(user: user, try Self.decoded(password))
    case (nil, let digest?, let salt?): self = .token(user: user, digest: digest.lowercased(), salt: salt)
    case (nil, _?, nil): throw .missing("s")
    case (nil, nil, _): throw .missing("p, or t and s, or apiKey")
    case (_?, _, _): throw SubsonicError(.conflictingAuthentication, "p comes without t and s")
    }
  }

  /// `enc:` is followed by the hexadecimal digits of the bytes.
  private static func decoded(_ password: String) throws(SubsonicError) -> String {
    guard password.hasPrefix("enc:") else { return password }
    let digits = Array(password.utf8.dropFirst(4))
    let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
      UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
    }
    guard digits.count.isMultiple(of: 2), bytes.count == digits.count / 2,
      let text = String(validating: bytes, as: UTF8.self)
    else { throw SubsonicError(.wrongPassword, "the password behind enc: is not hexadecimal") }
    return text
  }

  /// The account to which the proof leads; nil if it is wrong.
  func account(among accounts: Accounts) -> Account? {
    accounts.all.first { account in
      switch self {
      case .password(let user, let password):
        account.user == user && account.password.isEqualInConstantTime(to: password)
      case .token(let user, let digest, let salt):
        account.user == user && MD5.hexadecimal(of: account.password + salt).isEqualInConstantTime(to: digest)
      case .apiKey(let key): account.password.isEqualInConstantTime(to: key)
      }
    }
  }

  /// Who it says to come from; nil for an API key.
  var user: String? {
    switch self {
    case .password(let user, _), .token(let user, _, _): user
    case .apiKey: nil
    }
  }

  var refusal: SubsonicError {
    if case .apiKey = self { return SubsonicError(.invalidAPIKey, "this API key is not valid") }
    return SubsonicError(
      .wrongPassword, "wrong user or password; `deadwax serve user add` makes passwords for clients")
  }
}

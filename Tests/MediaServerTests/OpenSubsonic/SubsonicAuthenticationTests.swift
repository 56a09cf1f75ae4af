import Base
import Testing

@testable import HTTPServing
@testable import LibraryServing
@testable import OpenSubsonic

struct SubsonicAuthenticationTests {
  private static func accounts() throws -> (Accounts, Account) {
    var accounts = Accounts()
    _ = try accounts.add(
      user: "bo", purpose: "car", right: .listen, hearing: .raw, gain: .off, isOwner: false)
    let ana = try accounts.add(
      user: "ana", purpose: "phone", right: .rate, hearing: .presets, gain: .off, isOwner: false)
    return (accounts, ana)
  }

  private static func proof(_ parameters: KeyValuePairs<String, String>) throws(SubsonicError) -> SubsonicProof {
    try SubsonicProof(Fields(parameters.map { ($0.key, $0.value) }))
  }

  @Test func `a password works in each form, and only for its user`() throws {
    let (accounts, ana) = try Self.accounts()
    let digits = ana.password.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    let token = MD5.hexadecimal(of: ana.password + "c19b2d")
    #expect(try Self.proof(["u": "ana", "p": ana.password]).account(among: accounts) == ana)
    #expect(try Self.proof(["u": "ana", "p": "enc:\(digits)"]).account(among: accounts) == ana)
    #expect(try Self.proof(["u": "ana", "t": token, "s": "c19b2d"]).account(among: accounts) == ana)
    #expect(try Self.proof(["u": "ana", "t": token.uppercased(), "s": "c19b2d"]).account(among: accounts) == ana)
    #expect(try Self.proof(["apiKey": ana.password]).account(among: accounts) == ana)
    #expect(try Self.proof(["u": "bo", "p": ana.password]).account(among: accounts) == nil)
    #expect(try Self.proof(["u": "ana", "t": token, "s": "other1"]).account(among: accounts) == nil)
    #expect(try Self.proof(["apiKey": String(ana.password.dropLast())]).account(among: accounts) == nil)
  }

  /// The example of the protocol's own documentation.
  @Test func `a token is MD5 of the password and the salt`() {
    #expect(MD5.hexadecimal(of: "sesame" + "c19b2d") == "26719a1196d2a940705a59634eb18eab")
  }

  @Test(
    arguments: [
      (["u": "ana"], SubsonicError.Code.missingParameter), (["p": "x"], .missingParameter),
      (["u": "ana", "t": "0"], .missingParameter), (["u": "ana", "s": "salt12"], .missingParameter),
      (["u": "ana", "apiKey": "x"], .conflictingAuthentication),
      (["apiKey": "x", "t": "1"], .conflictingAuthentication),
      (["u": "ana", "p": "x", "t": "1", "s": "2"], .conflictingAuthentication),
      (["u": "ana", "p": "enc:zz"], .wrongPassword), (["u": "ana", "p": "enc:abc"], .wrongPassword),
    ] as [([String: String], SubsonicError.Code)])
  func `anything else is refused with its code`(parameters: [String: String], code: SubsonicError.Code) {
    let error = #expect(throws: SubsonicError.self) {
      try SubsonicProof(Fields(parameters.map { ($0.key, $0.value) }))
    }
    #expect(error?.code == code)
  }

  @Test func `passwords are long, and no two are the same`() throws {
    var accounts = Accounts()
    for number in 0..<50 {
      _ = try accounts.add(
        user: "ana", purpose: "\(number)", right: .rate, hearing: .presets, gain: .off, isOwner: false)
    }
    #expect(Set(accounts.all.map(\.password)).count == 50)
    #expect(accounts.all.allSatisfy { $0.password.utf8.count == 27 })
    // One person, whatever the number of passwords.
    #expect(Set(accounts.all.map(\.personKey)).count == 1)
    #expect(throws: AccountError.exists(user: "ana", purpose: "7")) {
      try accounts.add(user: "ana", purpose: "7", right: .rate, hearing: .raw, gain: .off, isOwner: false)
    }
    #expect(accounts.remove(user: "ana", purpose: "7").count == 1 && accounts.all.count == 49)
    #expect(accounts.remove(user: "ana", purpose: nil).count == 49 && accounts.all.isEmpty)
  }

  @Test func `rights include the smaller ones`() {
    #expect(AccountRight.manage.includes(.rate) && AccountRight.rate.includes(.listen))
    #expect(!AccountRight.listen.includes(.rate) && !AccountRight.rate.includes(.manage))
  }
}

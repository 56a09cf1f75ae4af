import Base
import Testing

struct SHA256Tests {
  /// The examples of FIPS 180-2, appendix B, and the empty message.
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func `the examples of the standard have their digests`(message: String, digest: String) {
    var hash = SHA256()
    hash.consume(Array(message.utf8))
    #expect(hash.finishAsHexadecimal() == digest)
  }

  @Test func `a million letters have the digest of the standard, wherever they are cut`() {
    var hash = SHA256()
    var left = 1_000_000
    for length in [1, 63, 64, 65, 127, 128, 1_000, 4_096].cycled(times: 200) where left > 0 {
      hash.consume([UInt8](repeating: 0x61, count: min(length, left)))
      left -= min(length, left)
    }
    #expect(left == 0)
    #expect(hash.finishAsHexadecimal() == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }
}

extension [Int] {
  fileprivate func cycled(times: Int) -> [Int] { (0..<times).flatMap { _ in self } }
}

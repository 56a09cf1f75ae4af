import Base
import Testing
import TestSupport

struct MD5Tests {
  /// RFC 1321, section A.5.
  @Test(arguments: [
    ("", "d41d8cd98f00b204e9800998ecf8427e"), ("a", "0cc175b9c0f1b6a831c399e269772661"),
    ("abc", "900150983cd24fb0d6963f7d28e17f72"), ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
    ("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"),
    (
      "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
      "57edf4a22be3c955ac49da2e2107b67a"
    ),
  ])
  func `the digests of the standard`(message: String, digest: String) {
    #expect(Base.MD5.hexadecimal(of: message) == digest)
  }

  @Test func `messages of every length around a block have the digests of another implementation`() {
    for count in 0...200 {
      let message = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37) }
      #expect(Base.MD5.digest(of: message) == TestSupport.MD5.digest(of: message))
    }
  }
}

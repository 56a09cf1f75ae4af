/// What nobody can guess: tokens of the owner, secrets of sessions.
package enum RandomSecret {
  /// - Returns: two hexadecimal digits for each byte.
  package static func hexadecimal(byteCount: Int) -> String {
    (0..<byteCount).map { _ in
      let byte = UInt8.random(in: 0...255)
      return (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }
}

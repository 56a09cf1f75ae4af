extension BytePath {
  /// The bytes as the system's calls want them, ended by NUL.
  package func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    let terminated = bytes.map { CChar(bitPattern: $0) } + [0]
    return terminated.withUnsafeBufferPointer { buffer in
      // An array that was just given an element has an address.
      buffer.baseAddress.map(body) ?? body("")
    }
  }
}

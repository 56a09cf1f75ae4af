internal import CXXHash

extension ContentHash {
  /// XXH3 with 128 bits of some bytes.
  package init(of bytes: [UInt8]) {
    let hash = bytes.withUnsafeBytes { XXH3_128bits($0.baseAddress, $0.count) }
    self.init(high: hash.high64, low: hash.low64)
  }
}

/// By what files and pictures of one folder find each other, fast.
enum FolderHash {
  /// FNV-1a, 64 bits.
  static func hash(rootID: Int64, _ folder: some StringProtocol) -> Int64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in "\(rootID)/\(folder)".utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return Int64(bitPattern: hash)
  }

  /// The folder of a file by its path below the root; empty in the root itself.
  static func folder(ofFile path: String) -> Substring {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[..<$0] } ?? ""
  }
}

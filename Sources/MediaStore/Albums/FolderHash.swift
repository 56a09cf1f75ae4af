internal import Base

/// By what files and pictures of one folder find each other, fast.
enum FolderHash {
  /// FNV-1a, 64 bits.
  static func hash(rootID: Int64, _ folder: some Sequence<UInt8>) -> Int64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in "\(rootID)/".utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    for byte in folder { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return Int64(bitPattern: hash)
  }

  /// Of the folder of a file, by its path below the root: by its bytes, because two that are no text may look the same.
  static func hash(rootID: Int64, folderOf path: BytePath) -> Int64 { hash(rootID: rootID, path.parent.bytes) }
}

import Foundation

/// The digest of RFC 1321, to compare decoded audio with the checksums in files.
package struct MD5 {
  private static let shifts: [UInt32] = [
    7, 12, 17, 22, 7, 12, 17, 22, 7, 12, 17, 22, 7, 12, 17, 22, 5, 9, 14, 20, 5, 9, 14, 20, 5, 9, 14, 20, 5, 9, 14, 20,
    4, 11, 16, 23, 4, 11, 16, 23, 4, 11, 16, 23, 4, 11, 16, 23, 6, 10, 15, 21, 6, 10, 15, 21, 6, 10, 15, 21, 6, 10, 15,
    21,
  ]
  private static let sines = (0..<64).map { UInt32((abs(sin(Double($0 + 1))) * 4_294_967_296).rounded(.down)) }

  /// 16 bytes.
  package static func digest(of message: [UInt8]) -> [UInt8] {
    var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476]
    var tail = Array(message.suffix(message.count % 64))
    tail.append(0x80)
    tail.append(contentsOf: repeatElement(0, count: (120 - tail.count) % 64))
    withUnsafeBytes(of: (UInt64(message.count) &* 8).littleEndian) { tail.append(contentsOf: $0) }
    message.withUnsafeBytes { bytes in
      for start in stride(from: 0, to: message.count / 64 * 64, by: 64) { mix(&state, bytes, at: start) }
    }
    tail.withUnsafeBytes { bytes in
      for start in stride(from: 0, to: tail.count, by: 64) { mix(&state, bytes, at: start) }
    }
    return state.flatMap { word in withUnsafeBytes(of: word.littleEndian) { Array($0) } }
  }

  private static func mix(_ state: inout [UInt32], _ bytes: UnsafeRawBufferPointer, at start: Int) {
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    sines.withUnsafeBufferPointer { sines in
      shifts.withUnsafeBufferPointer { shifts in
        for step in 0..<64 {
          let choice: UInt32
          let word: Int
          switch step / 16 {
          case 0: (choice, word) = (b & c | ~b & d, step)
          case 1: (choice, word) = (d & b | ~d & c, (5 * step + 1) % 16)
          case 2: (choice, word) = (b ^ c ^ d, (3 * step + 5) % 16)
          default: (choice, word) = (c ^ (b | ~d), 7 * step % 16)
          }
          let part = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: start + 4 * word, as: UInt32.self))
          let sum = a &+ choice &+ sines[step] &+ part
          (a, d, c) = (d, c, b)
          b = b &+ (sum << shifts[step] | sum >> (32 - shifts[step]))
        }
      }
    }
    state[0] &+= a
    state[1] &+= b
    state[2] &+= c
    state[3] &+= d
  }
}

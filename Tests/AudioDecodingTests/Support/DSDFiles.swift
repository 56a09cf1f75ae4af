import Foundation
import TestSupport

/// Made-up DSD: a sigma-delta modulator, and the containers around its bits.
enum DSDFiles {
  /// Bits of a signal in `-0.5...0.5`, the earliest one of each byte highest, by a modulator of second order.
  static func bits(byteCount: Int, signal: (Int) -> Double) -> [UInt8] {
    // Each error is fed back to the next two samples: 1 - 2/z + 1/z² shapes the noise, the signal is not changed.
    var (last, former) = (0.0, 0.0)
    return (0..<byteCount).map { byte in
      var result: UInt8 = 0
      for bit in 0..<8 {
        let wanted = signal(8 * byte + bit) - 2 * last + former
        result = result << 1 | (wanted >= 0 ? 1 : 0)
        (last, former) = ((wanted >= 0 ? 1 : -1) - wanted, last)
      }
      return result
    }
  }

  /// A tone with an amplitude in `0...0.5`.
  static func tone(byteCount: Int, rate: Int, frequencyInHz: Double, amplitude: Double) -> [UInt8] {
    bits(byteCount: byteCount) { amplitude * sin(2 * .pi * frequencyInHz * Double($0) / Double(rate)) }
  }

  /// A DSF file (Sony, DSF File Format Specification 1.01); `channels` are equally long.
  static func dsf(_ channels: [[UInt8]], rate: Int, isLowestFirst: Bool = true, blockByteCount: Int = 4096) -> [UInt8] {
    let count = channels[0].count
    var data: [UInt8] = []
    for start in stride(from: 0, to: count, by: blockByteCount) {
      for channel in channels {
        let block = channel[start..<min(count, start + blockByteCount)].map { isLowestFirst ? reversed($0) : $0 }
        data += block + [UInt8](repeating: 0, count: blockByteCount - block.count)
      }
    }
    let numbers = [1, 0, channels.count, channels.count, rate, isLowestFirst ? 1 : 8].map { littleEndian(UInt32($0)) }
    let format = numbers.flatMap(\.self) + littleEndian(UInt64(8 * count)) + littleEndian(UInt32(blockByteCount))
    return Array("DSD ".utf8) + littleEndian(UInt64(28)) + littleEndian(UInt64(92 + data.count))
      + [UInt8](repeating: 0, count: 8)
      + Array("fmt ".utf8) + littleEndian(UInt64(52)) + format + [0, 0, 0, 0] + Array("data".utf8)
      + littleEndian(UInt64(12 + data.count)) + data
  }

  /// A DSDIFF file (Philips, DSDIFF File Format 1.5).
  static func dsdiff(_ channels: [[UInt8]], rate: Int, compression: String = "DSD ") -> [UInt8] {
    let names = ["SLFT", "SRGT"].prefix(channels.count).joined()
    let properties =
      Array("SND ".utf8) + chunk("FS  ", bigEndian(UInt32(rate)))
      + chunk("CHNL", bigEndian(UInt16(channels.count)) + Array(names.utf8))
      + chunk("CMPR", Array(compression.utf8) + [14] + Array("not compressed".utf8))
    let data = channels[0].indices.flatMap { index in channels.map { $0[index] } }
    let body =
      Array("DSD ".utf8) + chunk("FVER", [1, 5, 0, 0]) + chunk("PROP", properties) + chunk(compression, data)
    return Array("FRM8".utf8) + bigEndian(UInt64(body.count)) + body
  }

  private static func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
    Array(name.utf8) + bigEndian(UInt64(body.count)) + body + [UInt8](repeating: 0, count: body.count % 2)
  }

  private static func reversed(_ byte: UInt8) -> UInt8 {
    (0..<8).reduce(UInt8(0)) { $0 << 1 | byte >> UInt8($1) & 1 }
  }
}

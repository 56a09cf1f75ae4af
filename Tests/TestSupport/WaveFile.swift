package import Foundation

/// The 16-bit samples of a plain WAV file, read without the project's own decoders.
package struct WaveFile {
  package let sampleRateInHz: Int
  package let channelCount: Int
  /// Interleaved.
  package let samples: [Int16]

  package enum Failure: Error {
    case notPlainPCM(URL)
  }

  package init(_ url: URL) throws {
    let bytes = [UInt8](try Data(contentsOf: url))
    func number(_ offset: Int, _ size: Int) -> Int {
      (0..<size).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
    }
    guard bytes.count > 44, bytes.prefix(4).elementsEqual("RIFF".utf8) else { throw Failure.notPlainPCM(url) }
    var format: (rate: Int, channels: Int)?
    var samples: [Int16]?
    var offset = 12
    while offset + 8 <= bytes.count, samples == nil {
      let size = number(offset + 4, 4)
      let body = offset + 8
      if bytes[offset..<body - 4].elementsEqual("fmt ".utf8), number(body, 2) == 1, number(body + 14, 2) == 16 {
        format = (number(body + 4, 4), number(body + 2, 2))
      } else if bytes[offset..<body - 4].elementsEqual("data".utf8) {
        samples = stride(from: body, to: min(body + size, bytes.count) - 1, by: 2).map {
          Int16(truncatingIfNeeded: number($0, 2))
        }
      }
      offset = body + size + size % 2
    }
    guard let format, let samples else { throw Failure.notPlainPCM(url) }
    sampleRateInHz = format.rate
    channelCount = format.channels
    self.samples = samples
  }

  /// The samples as a decoder of integers gives them.
  package var floats: [Float] { samples.map { Float($0) / 32_768 } }
}

extension WaveFile {
  /// The bytes of a WAV file of interleaved 16-bit samples.
  package static func bytes(_ samples: [Int16], sampleRateInHz: Int, channelCount: Int) -> [UInt8] {
    func number(_ value: Int, _ size: Int) -> [UInt8] {
      (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let byteCount = 2 * samples.count
    return Array("RIFF".utf8) + number(byteCount + 36, 4) + Array("WAVEfmt ".utf8) + number(16, 4) + number(1, 2)
      + number(channelCount, 2) + number(sampleRateInHz, 4) + number(2 * channelCount * sampleRateInHz, 4)
      + number(2 * channelCount, 2) + number(16, 2) + Array("data".utf8) + number(byteCount, 4)
      + samples.flatMap { number(Int($0), 2) }
  }
}

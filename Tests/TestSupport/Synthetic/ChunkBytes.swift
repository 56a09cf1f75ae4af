/// RIFF and similar containers, with any chunks in any order.
package enum ChunkBytes {
  package static func riff(_ chunks: [UInt8]...) -> [UInt8] {
    let body = Array("WAVE".utf8) + chunks.flatMap { $0 }
    return Array("RIFF".utf8) + littleEndian(UInt32(body.count)) + body
  }

  /// - Parameter claimedByteCount: The length in its header, instead of the true one.
  package static func chunk(_ name: String, _ body: [UInt8], claiming claimedByteCount: UInt32? = nil) -> [UInt8] {
    Array(name.utf8) + littleEndian(claimedByteCount ?? UInt32(body.count)) + body
      + [UInt8](repeating: 0, count: body.count & 1)
  }

  /// The body of a `fmt ` chunk of uncompressed samples.
  package static func format(
    isFloat: Bool = false, channelCount: Int = 1, sampleRateInHz: Int = 8000, bitsPerSample: Int = 16
  ) -> [UInt8] {
    let bytesPerFrame = channelCount * bitsPerSample / 8
    return littleEndian(UInt16(isFloat ? 3 : 1)) + littleEndian(UInt16(channelCount))
      + littleEndian(UInt32(sampleRateInHz)) + littleEndian(UInt32(truncatingIfNeeded: sampleRateInHz * bytesPerFrame))
      + littleEndian(UInt16(bytesPerFrame)) + littleEndian(UInt16(bitsPerSample))
  }

  /// A whole WAV file of 32-bit floats, mono.
  package static func wav(floats: [Float], sampleRateInHz: Int = 8000) -> [UInt8] {
    riff(
      chunk("fmt ", format(isFloat: true, sampleRateInHz: sampleRateInHz, bitsPerSample: 32)),
      chunk("data", floats.flatMap { littleEndian($0.bitPattern) }))
  }

  /// What comes before the samples of an RF64 file (EBU Tech 3306).
  package static func rf64Header(dataByteCount: Int, format: [UInt8]) -> [UInt8] {
    Array("RF64".utf8) + littleEndian(UInt32.max) + Array("WAVE".utf8)
      + chunk(
        "ds64",
        littleEndian(UInt64(dataByteCount + 72)) + littleEndian(UInt64(dataByteCount)) + littleEndian(UInt64(0))
          + littleEndian(UInt32(0)))
      + chunk("fmt ", format) + Array("data".utf8) + littleEndian(UInt32.max)
  }

  /// The same of Sony's Wave64.
  package static func wave64Header(dataByteCount: Int, format: [UInt8]) -> [UInt8] {
    // The rest of each identifier is not read.
    func identifier(_ name: String) -> [UInt8] { Array(name.utf8) + [UInt8](repeating: 0, count: 16 - name.utf8.count) }
    return identifier("riff") + littleEndian(UInt64(dataByteCount + 104)) + identifier("wave") + identifier("fmt ")
      + littleEndian(UInt64(24 + format.count)) + format + identifier("data") + littleEndian(UInt64(24 + dataByteCount))
  }
}

/// The bytes of a number, lowest first.
package func littleEndian(_ number: some FixedWidthInteger) -> [UInt8] {
  withUnsafeBytes(of: number.littleEndian) { Array($0) }
}

/// The bytes of a number, highest first.
package func bigEndian(_ number: some FixedWidthInteger) -> [UInt8] {
  withUnsafeBytes(of: number.bigEndian) { Array($0) }
}

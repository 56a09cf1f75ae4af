package import Base

/// The stored spectrogram: the mean power of the mono mix in the standard bands, for each column.
package struct SpectrumGrid: Hashable, Sendable {
  package var columnsPerSecond: Double
  package var bandCount: Int
  /// Column by column, each from the lowest band to the highest, in the steps of ``DecibelStep``.
  package var steps: [UInt8]

  package init(columnsPerSecond: Double, bandCount: Int, steps: [UInt8]) {
    precondition(bandCount > 0 && steps.count.isMultiple(of: bandCount), "each column has one step per band")
    self.columnsPerSecond = columnsPerSecond
    self.bandCount = bandCount
    self.steps = steps
  }

  package var columnCount: Int { steps.count / bandCount }

  /// Layout 1: `f64` columns per second, `u32` bands, `u32` columns, then one byte per band, column by column.
  package var blob: [UInt8] {
    var writer = ByteWriter(capacity: 16 + steps.count)
    writer.append(columnsPerSecond)
    writer.append(UInt32(bandCount))
    writer.append(UInt32(columnCount))
    writer.append(raw: steps)
    return writer.bytes
  }

  package init(blob: [UInt8]) throws(ByteReader.Failure) {
    var reader = ByteReader(blob)
    let columnsPerSecond = try reader.readDouble()
    let bandCount = Int(try reader.read(UInt32.self))
    let columnCount = Int(try reader.read(UInt32.self))
    guard columnsPerSecond > 0, (1...4096).contains(bandCount) else {
      throw reader.failure("not the header of a spectrogram")
    }
    let steps = Array(try reader.readBytes(columnCount * bandCount))
    self.init(columnsPerSecond: columnsPerSecond, bandCount: bandCount, steps: steps)
  }
}

/// A spectrogram that is computed from samples: which section, column spacing and bands.
package struct SpectrogramRecipe: Hashable, Sendable {
  /// The shortest and longest window; windows are powers of two.
  package static let windowFrameCounts = 64...32_768

  /// The start of the first column.
  package var firstFrame: Int64
  package var framesPerColumn: Int
  package var columnCount: Int
  /// The edges of the bands, ascending and positive; one more than there are bands.
  package var edgesInHz: [Double]
  /// One window for all bands; nil to choose it by each band and the column spacing.
  package var windowFrameCount: Int?

  /// - Precondition: `framesPerColumn` is positive, there are at least two edges, and a window is a power of two in
  ///   ``windowFrameCounts``.
  package init(
    firstFrame: Int64, framesPerColumn: Int, columnCount: Int, edgesInHz: [Double], windowFrameCount: Int? = nil
  ) {
    precondition(framesPerColumn > 0 && edgesInHz.count > 1, "columns have a length and bands")
    precondition(
      windowFrameCount.map { Self.windowFrameCounts.contains($0) && $0 & ($0 - 1) == 0 } ?? true,
      "a window is a power of two")
    self.firstFrame = max(0, firstFrame)
    self.framesPerColumn = framesPerColumn
    self.columnCount = max(0, columnCount)
    self.edgesInHz = edgesInHz
    self.windowFrameCount = windowFrameCount
  }

  package var bandCount: Int { edgesInHz.count - 1 }
}

/// Measured levels of bands over time.
package struct SpectrogramLevels: Hashable, Sendable {
  package var sampleRateInHz: Int
  package var firstFrame: Int64
  package var framesPerColumn: Int
  package var edgesInHz: [Double]
  /// In dB relative to a full-scale sine; column by column, each from the lowest band to the highest.
  package var levelsInDB: [Float]

  package init(
    sampleRateInHz: Int, firstFrame: Int64, framesPerColumn: Int, edgesInHz: [Double], levelsInDB: [Float]
  ) {
    self.sampleRateInHz = sampleRateInHz
    self.firstFrame = firstFrame
    self.framesPerColumn = framesPerColumn
    self.edgesInHz = edgesInHz
    self.levelsInDB = levelsInDB
  }
}

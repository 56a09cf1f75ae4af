/// Logarithmic bands over time: the mono mix in the standard bands, as mean power of each column.
package struct SpectrumGrid: Hashable, Sendable {
  package var columnsPerSecond: Double
  package var bandCount: Int
  /// Column after column, each from the lowest band to the highest, in the steps of ``DecibelStep``.
  package var steps: [UInt8]

  package init(columnsPerSecond: Double, bandCount: Int, steps: [UInt8]) {
    precondition(bandCount > 0 && steps.count.isMultiple(of: bandCount), "a column has a step a band")
    self.columnsPerSecond = columnsPerSecond
    self.bandCount = bandCount
    self.steps = steps
  }

  package var columnCount: Int { steps.count / bandCount }

  /// Layout 1: `f64` columns per second, `u32` bands, `u32` columns, then one byte a band, column after column.
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
      throw reader.failure("not a spectrogram's header")
    }
    let steps = Array(try reader.readBytes(columnCount * bandCount))
    self.init(columnsPerSecond: columnsPerSecond, bandCount: bandCount, steps: steps)
  }
}

import Base
import MediaModel
import Testing

struct SpectrumGridTests {
  private let grid = SpectrumGrid(columnsPerSecond: 4, bandCount: 3, steps: [1, 2, 3, 4, 5, 6])

  @Test func `what was written is read back`() throws {
    #expect(grid.columnCount == 2)
    #expect(try SpectrumGrid(blob: grid.blob) == grid)
  }

  @Test func `the layout is that of the format`() {
    #expect(grid.blob == [0, 0, 0, 0, 0, 0, 0x10, 0x40, 3, 0, 0, 0, 2, 0, 0, 0, 1, 2, 3, 4, 5, 6])
  }

  @Test func `a blob that ends early is refused at any length`() {
    for length in 0..<grid.blob.count {
      #expect(throws: ByteReader.Failure.self) { try SpectrumGrid(blob: Array(grid.blob.prefix(length))) }
    }
  }

  @Test func `a header without bands or rate is refused`() {
    let noBands: [UInt8] = [0, 0, 0, 0, 0, 0, 0x10, 0x40, 0, 0, 0, 0, 0, 0, 0, 0]
    let noRate: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0]
    #expect(throws: ByteReader.Failure.self) { try SpectrumGrid(blob: noBands) }
    #expect(throws: ByteReader.Failure.self) { try SpectrumGrid(blob: noRate) }
  }
}

import Base
import MediaModel
import Testing

struct WaveformEnergyTests {
  private let energy = WaveformEnergy(
    sampleRateInHz: 44_100, framesPerPoint: 1_024,
    points: [.init(rms: 200, low: 190, mid: 180, high: 170), .init(rms: 4, low: 3, mid: 2, high: 1)])

  @Test func `what was written is read back`() throws {
    #expect(try WaveformEnergy(blob: energy.blob) == energy)
  }

  @Test func `the layout is that of the format`() {
    #expect(energy.blob == [0x44, 0xac, 0, 0, 0, 4, 0, 0, 2, 0, 0, 0, 200, 190, 180, 170, 4, 3, 2, 1])
  }

  @Test func `a blob that ends early is refused at any length`() {
    for length in 0..<energy.blob.count {
      #expect(throws: ByteReader.Failure.self) { try WaveformEnergy(blob: Array(energy.blob.prefix(length))) }
    }
  }
}

import AudioAnalysis
import Foundation
import MediaModel
import Testing
import TestSupport

/// Recordings whose products would be too large, with small limits in place of long sounds.
struct CoarseProductsTests {
  private static let growingKinds: [ProductKind] = [.waveform, .channelWaveform, .waveformEnergy, .spectrogram]
  private let noise = Signal.whiteNoise(frameCount: 2 * 90_001, rms: 0.2)

  private func products(byteLimit: Int64, kinds: Set<ProductKind> = Set(ProductKind.allCases), blockSize: Int = .max)
    -> TrackAnalysis
  {
    analyze(
      noise, sampleRateInHz: 8_000, channelCount: 2, kinds: kinds, blockSize: blockSize, byteLimit: byteLimit)
  }

  // Faults: 32
  @Test(arguments: [(Int64(8_000), 1), (4_000, 2), (2_000, 4), (1_000, 8)])
  func `products that would be too large have longer points, and fit`(byteLimit: Int64, factor: Int) throws {
    let fine = products(byteLimit: .max)
    let coarse = products(byteLimit: byteLimit)
    // Without their headers.
    let size = try Self.growingKinds.map { try coarse.bytes($0).count }.reduce(0, +) - 20 - 24 - 12 - 16
    #expect(size <= Int(byteLimit) && (factor == 1 || size > Int(byteLimit) / 3))
    for kind in [ProductKind.waveform, .channelWaveform] {
      let peaks = try WaveformPeaks(datBytes: coarse.bytes(kind))
      let finePeaks = try WaveformPeaks(datBytes: fine.bytes(kind))
      #expect(peaks == finePeaks.rescaled(toFramesPerPoint: finePeaks.framesPerPoint * factor))
    }
    #expect(try coarse.energy.framesPerPoint == 1_024 * factor)
    #expect(try coarse.energy.points.count == (90_001 + 1_024 * factor - 1) / (1_024 * factor))
    #expect(try coarse.grid.columnsPerSecond == 4 / Double(factor))
    #expect(try coarse.grid.columnCount == (45 + factor - 1) / factor + (45 % factor == 0 ? 1 : 0))
    // Nothing else changes.
    let others = Set(ProductKind.allCases).subtracting(Self.growingKinds)
    for kind in others { #expect(try coarse.bytes(kind) == fine.bytes(kind)) }
    #expect(coarse.measures == fine.measures)
  }

  @Test(arguments: [Int64(4_000), 1_000])
  func `coarse levels are the mean powers of the fine ones`(byteLimit: Int64) throws {
    let (fine, coarse) = (products(byteLimit: .max), products(byteLimit: byteLimit))
    let factor = try coarse.energy.framesPerPoint / 1_024
    func mean(_ steps: [UInt8]) -> Double {
      let powers = steps.map { pow(10, Double(DecibelStep.decode($0)) / 10) }
      return 10 * log10(powers.reduce(0, +) / Double(powers.count))
    }
    let (fineEnergy, energy) = (try fine.energy.points, try coarse.energy.points)
    for point in 0..<energy.count - 1 {
      let parts = fineEnergy[point * factor..<(point + 1) * factor]
      // Half a step for each rounding.
      #expect(abs(mean(parts.map(\.rms)) - Double(DecibelStep.decode(energy[point].rms))) <= 0.5)
      #expect(abs(mean(parts.map(\.mid)) - Double(DecibelStep.decode(energy[point].mid))) <= 1)
    }
    // A column is the mean of its frames, and adjacent columns have unlike numbers of them: noise differs by that.
    let (fineGrid, grid) = (try fine.grid, try coarse.grid)
    var differences: [Double] = []
    for column in 0..<grid.columnCount - 1 {
      for band in 0..<70 {
        let parts = (0..<factor).map { fineGrid.steps[(column * factor + $0) * 80 + band] }
        differences.append(mean(parts) - Double(DecibelStep.decode(grid.steps[column * 80 + band])))
      }
    }
    #expect(differences.allSatisfy { abs($0) < 3 })
    #expect(abs(differences.reduce(0, +) / Double(differences.count)) < 0.2)
  }

  @Test(arguments: [1, 777, 4_096])
  func `where blocks are cut does not change coarse products`(blockSize: Int) {
    #expect(products(byteLimit: 1_000, blockSize: blockSize) == products(byteLimit: 1_000))
  }

  @Test(arguments: growingKinds)
  func `a coarse product that is made alone is the same as among others, and current`(kind: ProductKind) throws {
    let all = products(byteLimit: 2_000)
    let alone = products(byteLimit: 2_000, kinds: [kind])
    #expect(alone.products == all.products.filter { $0.kind == kind })
    let product = try #require(alone.products.first)
    let recipe = ProductRecipe.current(kind)
    #expect(product.parameters != recipe.parameters)
    #expect(recipe.accepts(version: product.version, parameters: product.parameters))
  }
}

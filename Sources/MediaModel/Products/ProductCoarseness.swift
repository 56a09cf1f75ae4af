internal import Base

/// How much coarser in time than usual the products of a very long recording are, so that they fit into a fixed size.
///
/// Peaks, energy and spectrogram grow with the length. If they would take more than ``byteLimit`` together, all of them
/// get points or columns that are twice as long, or four times, and so on. That depends on nothing but the length and
/// the format, so a product that is made alone is the same as among others.
package enum ProductCoarseness {
  package static let byteLimit: Int64 = 64 << 20
  /// Remark about a file whose recording has such products.
  package static let note = "coarse-products"
  /// The greatest factor that a stored product is accepted with.
  static let maximum = 1 << 12

  /// The least power of two by which points and columns are longer than usual.
  package static func factor(
    frameCount: Int64, sampleRateInHz: Int, channelCount: Int, byteLimit: Int64 = byteLimit
  ) -> Int {
    var factor = 1
    while factor < maximum,
      byteCount(frameCount, sampleRateInHz: sampleRateInHz, channelCount: channelCount, factor) > byteLimit
    { factor *= 2 }
    return factor
  }

  /// The size of the four products, without their headers.
  private static func byteCount(
    _ frameCount: Int64, sampleRateInHz: Int, channelCount: Int, _ factor: Int
  ) -> Int64 {
    let seconds = Double(frameCount) / Double(max(sampleRateInHz, 1))
    func bytes(_ byteCount: Int, everyFrames count: Int) -> Double {
      (Double(frameCount) / Double(count * factor)).rounded(.up) * Double(byteCount)
    }
    let lineCount = min(channelCount, StoredProducts.maximumChannelCount)
    let points =
      bytes(2, everyFrames: StoredProducts.framesPerMixPoint)
      + bytes(2 * lineCount, everyFrames: StoredProducts.framesPerChannelPoint)
      + bytes(4, everyFrames: StoredProducts.framesPerEnergyPoint)
    let columns = (seconds * Double(StoredProducts.columnsPerSecond) / Double(factor)).rounded(.up)
    return Int64(min(points + columns * Double(SpectrumBands.standard.count), 1e18))
  }
}

/// The usual resolutions of stored products.
package enum StoredProducts {
  package static let framesPerMixPoint = 256
  package static let framesPerChannelPoint = 512
  package static let framesPerEnergyPoint = 1_024
  package static let columnsPerSecond = 4
  /// Further channels are not stored separately.
  package static let maximumChannelCount = 8
}

extension ProductRecipe {
  /// The recipe with points and columns that are longer by a factor.
  package func coarsened(by factor: Int) -> ProductRecipe {
    guard factor > 1 else { return self }
    var recipe = self
    recipe.parameters = parameters.split(separator: " ").map { setting in
      let parts = setting.split(separator: "=")
      guard parts.count == 2, let value = Int(parts[1]) else { return String(setting) }
      switch parts[0] {
      case "frames_per_point": return "\(parts[0])=\(value * factor)"
      case "columns_per_second": return "\(parts[0])=\(DecimalText.number(Double(value) / Double(factor), places: 9))"
      default: return String(setting)
      }
    }.joined(separator: " ")
    return recipe
  }

  /// Whether parameters are those of this recipe, perhaps of a coarser product.
  func allows(_ parameters: String?) -> Bool {
    if parameters == self.parameters { return true }
    return sequence(first: 2) { $0 < ProductCoarseness.maximum ? $0 * 2 : nil }
      .contains { coarsened(by: $0).parameters == parameters }
  }
}

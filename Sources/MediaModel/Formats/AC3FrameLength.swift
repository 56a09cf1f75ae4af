/// The lengths of frames of AC-3 (ETSI TS 102 366, table 4.13).
package enum AC3FrameLength {
  private static let bitRatesInKilobits = [
    32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640,
  ]
  /// By their codes.
  package static let sampleRatesInHz = [48_000, 44_100, 32_000]

  /// In words of 16 bits; nil if there is no such frame.
  ///
  /// - Parameters:
  ///   - rateCode: of the sample rate.
  ///   - sizeCode: 0 to 37; odd ones have a word more at 44.1 kHz.
  package static func wordCount(rateCode: Int, sizeCode: Int) -> Int? {
    guard sampleRatesInHz.indices.contains(rateCode), bitRatesInKilobits.indices.contains(sizeCode / 2) else {
      return nil
    }
    let rate = sampleRatesInHz[rateCode]
    return bitRatesInKilobits[sizeCode / 2] * 96_000 / rate + (rate == 44_100 ? sizeCode & 1 : 0)
  }
}

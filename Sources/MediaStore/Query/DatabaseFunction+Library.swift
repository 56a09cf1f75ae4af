internal import Foundation
internal import GRDB
internal import MediaModel

extension DatabaseFunction {
  /// `fold(text)`: without case and accents.
  static let fold = DatabaseFunction("fold", argumentCount: 1, pure: true) { values in
    values.first.flatMap(String.fromDatabaseValue).map(TextFolding.fold)
  }

  /// `number(text)`: the number at the start of a tag, NULL where there is none.
  static let number = DatabaseFunction("number", argumentCount: 1, pure: true) { values in
    values.first.flatMap(String.fromDatabaseValue).flatMap(QueryNumber.leading)
  }

  /// `spectrum_level(bytes, band)`: the mean level of a band in dB, of the bytes of a spectrum.
  static let spectrumLevel = DatabaseFunction("spectrum_level", argumentCount: 2, pure: true) { values in
    guard let bytes = values.first.flatMap(Data.fromDatabaseValue), values.count == 2,
      let band = Int.fromDatabaseValue(values[1])
    else { return nil }
    return SpectrumSummary.meanLevel(ofBand: band, inBlob: bytes)
  }
}

internal import Base
internal import Foundation
package import GRDB
internal import MediaModel

/// The functions that SQL of this program calls.
extension DatabaseFunction {
  /// All that a connection to a library has.
  package static var all: [DatabaseFunction] {
    [fold, number, spectrumLevel, tempoInRange, editionFolder, artistNames, median, shuffled, crc32]
  }

  /// `listener()`: for whom the connection speaks, a `person.id`.
  package static func listener(_ id: @escaping @Sendable () -> Int64) -> DatabaseFunction {
    DatabaseFunction("listener", argumentCount: 0, pure: true) { _ in id() }
  }

  /// `fold(text)`: the text without case and accents.
  package static let fold = DatabaseFunction("fold", argumentCount: 1, pure: true) { values in
    values.first.flatMap(String.fromDatabaseValue).map(TextFolding.fold)
  }

  /// `number(text)`: the number at the start of a tag, NULL if there is none.
  package static let number = DatabaseFunction("number", argumentCount: 1, pure: true) { values in
    values.first.flatMap(String.fromDatabaseValue).flatMap(WrittenNumber.leading)
  }

  /// `edition_folder(path)`: the folder of a file, or the one around it if it is the folder of a disc.
  static let editionFolder = DatabaseFunction("edition_folder", argumentCount: 1, pure: true) { values in
    values.first.flatMap(String.fromDatabaseValue).map(AlbumEdition.folder)
  }

  /// `artist_names(artists, artist, ids, separators)`: a JSON list of the names, see ``ArtistCredit``, of the values of ARTISTS and
  /// ARTIST with the character 31 between them, the number of ids, and a JSON list of separators.
  static let artistNames = DatabaseFunction("artist_names", argumentCount: 4, pure: true) { values in
    func list(_ index: Int) -> [String] {
      (String.fromDatabaseValue(values[index]) ?? "").split(separator: "\u{1F}").map(String.init)
    }
    guard values.count == 4 else { return nil }
    let names = ArtistCredit.names(
      artists: list(0), artist: list(1), idCount: Int.fromDatabaseValue(values[2]) ?? 0,
      separators: String.fromDatabaseValue(values[3]).map(ArtistSeparators.parsed) ?? [])
    return JSONValue.array(names.map { .string($0) }).text
  }

  /// `spectrum_level(bytes, band)`: the mean level of a band in dB, of the bytes of a spectrum.
  static let spectrumLevel = DatabaseFunction("spectrum_level", argumentCount: 2, pure: true) { values in
    guard let bytes = values.first.flatMap(Data.fromDatabaseValue), values.count == 2,
      let band = Int.fromDatabaseValue(values[1])
    else { return nil }
    return SpectrumSummary.meanLevel(ofBand: band, inBlob: bytes)
  }

  /// `tempo_in_range(bpm, lowest, highest)`: see ``TempoRange/moved(_:)``.
  static let tempoInRange = DatabaseFunction("tempo_in_range", argumentCount: 3, pure: true) { values in
    let numbers = values.compactMap(Double.fromDatabaseValue)
    guard numbers.count == 3, let range = TempoRange(numbers[1], numbers[2]) else { return nil }
    return range.moved(numbers[0])
  }

  package static let median = DatabaseFunction("median", argumentCount: 1, pure: true, aggregate: Median.self)

  /// `shuffled(id, seed)`: a number that depends on both and seems random (SplitMix64), and differs for each id.
  package static let shuffled = DatabaseFunction("shuffled", argumentCount: 2, pure: true) { values in
    guard let id = values.first.flatMap(Int64.fromDatabaseValue),
      let seed = values.last.flatMap(Int64.fromDatabaseValue)
    else { return nil }
    func mixed(_ number: UInt64) -> UInt64 {
      var bits = number
      bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
      bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
      return bits ^ (bits >> 31)
    }
    return Int64(bitPattern: mixed(UInt64(bitPattern: id) &+ mixed(UInt64(bitPattern: seed) &+ 0x9E37_79B9_7F4A_7C15)))
  }

  /// `crc32(bytes)`: as in zlib, which `product_blob.checksum` holds.
  package static let crc32 = DatabaseFunction("crc32", argumentCount: 1, pure: true) { values in
    values.first.flatMap(Data.fromDatabaseValue).map { Int64(CRC32.checksum([UInt8]($0))) }
  }
}

/// SQL's `median(number)`: the middle value, or the mean of the two in the middle; NULL if there is none.
struct Median: DatabaseAggregate {
  private var numbers: [Double] = []

  init() {}

  mutating func step(_ values: [DatabaseValue]) {
    if let number = values.first.flatMap(Double.fromDatabaseValue) { numbers.append(number) }
  }

  func finalize() -> (any DatabaseValueConvertible)? {
    guard !numbers.isEmpty else { return nil }
    let sorted = numbers.sorted()
    let (low, high) = (sorted[(sorted.count - 1) / 2], sorted[sorted.count / 2])
    return (low + high) / 2
  }
}

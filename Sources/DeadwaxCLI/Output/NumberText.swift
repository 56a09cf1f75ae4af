internal import Base
internal import Foundation
internal import LibraryQueries
internal import QueryLanguage

/// Numbers for people.
enum NumberText {
  /// How much was decoded, and how fast.
  static func decoding(_ fileCount: Int, audioInSeconds: Double, elapsedInSeconds: Double) -> String {
    let pace = elapsedInSeconds > 0 ? Int(audioInSeconds / elapsedInSeconds) : 0
    return "\(count(fileCount, "file")) decoded, \(DurationText.clock(audioInSeconds)) of audio in "
      + "\(DurationText.seconds(elapsedInSeconds)) (\(pace) × real time)"
  }

  /// `812 B`, `3.4 MB`: powers of 1,000.
  static func size(_ bytes: Int64) -> String {
    var value = Double(bytes)
    var unit = "B"
    for larger in ["kB", "MB", "GB", "TB", "PB"] where abs(value) >= 999.5 {
      value /= 1000
      unit = larger
    }
    return unit == "B" ? "\(bytes) B" : "\(decimal(value, value < 10 ? 1 : 0)) \(unit)"
  }

  /// Empty if the number is not finite; a negative number that is rounded to zero has no sign.
  static func decimal(_ number: Double, _ places: Int) -> String {
    guard number.isFinite else { return "" }
    let text = String(format: "%.\(places)f", number)
    return text.first == "-" && text.allSatisfy { "-0.".contains($0) } ? String(text.dropFirst()) : text
  }

  /// Up to six decimal places, without trailing zeros.
  static func short(_ number: Double) -> String {
    var text = decimal(number, 6)
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text
  }

  /// `812 Hz`, `1.04 kHz`.
  static func frequency(_ hertz: Double) -> String {
    hertz < 1_000 ? "\(decimal(hertz, 0)) Hz" : "\(decimal(hertz / 1_000, 2)) kHz"
  }

  /// Local time, `2026-04-17 20:15`.
  static func moment(_ seconds: Int64) -> String {
    var time = time_t(seconds)
    var parts = tm()
    guard localtime_r(&time, &parts) != nil else { return "\(seconds)" }
    var buffer = [CChar](repeating: 0, count: 64)
    let count = strftime(&buffer, buffer.count, "%Y-%m-%d %H:%M", &parts)
    return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}

extension FieldValue {
  /// Decimal places of fields with small values.
  private static let places = ["dc": 5, "flatness": 4]

  /// The text for people; empty if there is no value.
  func readable(_ field: QueryField) -> String {
    switch (self, field.kind) {
    case (.integer(let bytes), .size): NumberText.size(bytes)
    case (.real(let seconds), .duration): DurationText.clock(seconds)
    case (.real(let number), _): NumberText.decimal(number, Self.places[String(field.measuredName)] ?? 2)
    case (.instant(let seconds), _): NumberText.moment(seconds)
    default: plain
    }
  }

  /// The text in a table for people: as ``readable(_:)``, with the unit if the number says little without it.
  func tabular(_ field: QueryField) -> String {
    let number: Double
    switch self {
    case .integer(let whole): number = Double(whole)
    case .real(let real): number = real
    case .none, .text, .path, .instant: return readable(field)
    }
    return switch field.measuredName {
    case "silence_start", "silence_end": NumberText.decimal(number, 2) + " s"
    case "bitrate": NumberText.decimal(number / 1_000, 0) + " kbit/s"
    case "rate": NumberText.short(number / 1_000) + " kHz"
    case "centroid", "rolloff", "rolloff95", "cutoff": NumberText.frequency(number)
    default: readable(field)
    }
  }

  /// The text for a cell of a table; numbers and times are never formulas.
  func cell(_ formulas: SpreadsheetCell.Formulas) -> String {
    switch self {
    case .text, .path: SpreadsheetCell.text(plain, formulas)
    case .none, .integer, .real, .instant: plain
    }
  }

  /// The text for programs: plain numbers, seconds, UTC.
  var plain: String {
    switch self {
    case .none: ""
    case .text(let text): text
    case .integer(let number): String(number)
    case .real(let number): NumberText.short(number)
    case .path(let path): path.displayString
    case .instant(let seconds): Timestamp(secondsSince1970: seconds).description
    }
  }
}

internal import Foundation
internal import MediaModel

/// Numbers as people read them.
enum PlainText {
  /// `3:30`, `1:02:03`.
  static func duration(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds >= 0, seconds < 1e12 else { return "" }
    let total = Int(seconds.rounded())
    let (hours, minutes, rest) = (total / 3600, total / 60 % 60, total % 60)
    func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return hours > 0 ? "\(hours):\(padded(minutes)):\(padded(rest))" : "\(minutes):\(padded(rest))"
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

  static func decimal(_ number: Double, _ places: Int) -> String {
    guard number.isFinite else { return "" }
    return String(format: "%.\(places)f", number)
  }

  /// Up to six places, without zeros at the end.
  static func short(_ number: Double) -> String {
    var text = decimal(number, 6)
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text == "-0" ? "0" : text
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

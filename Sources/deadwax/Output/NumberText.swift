internal import Foundation
internal import MediaModel

/// Numbers as people read them.
enum NumberText {
  /// What was decoded, and how fast.
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

  /// Empty for what is no number; a negative one that is rounded to zero is zero.
  static func decimal(_ number: Double, _ places: Int) -> String {
    guard number.isFinite else { return "" }
    let text = String(format: "%.\(places)f", number)
    return text.first == "-" && text.allSatisfy { "-0.".contains($0) } ? String(text.dropFirst()) : text
  }

  /// Up to six places, without zeros at the end.
  static func short(_ number: Double) -> String {
    var text = decimal(number, 6)
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text
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

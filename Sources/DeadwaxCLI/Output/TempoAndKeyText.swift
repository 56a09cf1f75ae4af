internal import Base
internal import LibraryQueries
internal import MediaModel

/// Tempo and key of a track, for people.
enum TempoAndKeyText {
  /// - Parameter range: where tempi are to be shown; nil for as they are.
  static func rows(_ values: TempoAndKey, in range: TempoRange?) -> [(String, String)] {
    var rows: [(String, String)] = []
    func tempo(_ bpm: Double) -> String { "\(NumberText.decimal(range?.moved(bpm) ?? bpm, 2)) BPM" }
    if let bpm = values.taggedBeatsPerMinute { rows.append(("Tempo", "\(tempo(bpm)), as tagged")) }
    if let measured = values.measuredTempo {
      let details = "confidence \(percent(measured.confidence))), stable in \(percent(measured.stability))"
      rows.append(
        (
          rows.isEmpty ? "Tempo" : "",
          "\(tempo(measured.beatsPerMinute)) measured, \(measured.strength.rawValue) (\(details)"
        ))
    }
    let tempoCount = rows.count
    if let key = values.taggedKey { rows.append(("Key", "\(text(key)), as tagged")) }
    if let measured = values.measuredKey {
      var details = "\(measured.strength.rawValue) (confidence \(percent(measured.confidence)))"
      if let cents = values.tuningInCents { details += ", tuned \(NumberText.decimal(cents, 0)) cents from 440 Hz" }
      rows.append((rows.count == tempoCount ? "Key" : "", "\(text(measured.key)) measured, \(details)"))
    }
    return rows
  }

  private static func text(_ key: MusicalKey) -> String {
    "\(key.name) (Camelot \(key.camelot), Open Key \(key.openKey))"
  }

  private static func percent(_ share: Double) -> String { "\(NumberText.decimal(100 * share, 0)) %" }
}

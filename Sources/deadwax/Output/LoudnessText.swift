internal import Foundation
internal import MediaModel
internal import MediaStore

/// Loudness of a track and of its album, as people read it.
enum LoudnessText {
  static func rows(_ measures: Measures?, album: AlbumLoudness?) -> [(String, String)] {
    var rows: [(String, String)] = []
    if let measures {
      let loudness = [
        level(measures.integratedLoudnessInLUFS, "LUFS"),
        level(measures.loudnessRangeInLU, "LU").map { "range \($0)" },
        level(measures.momentaryMaximumInLUFS, "LUFS").map { "momentary maximum \($0)" },
        level(measures.shortTermMaximumInLUFS, "LUFS").map { "short-term maximum \($0)" },
      ].compactMap { $0 }
      if !loudness.isEmpty { rows.append(("Loudness", loudness.joined(separator: ", "))) }
      let peak = peakText(measures.truePeakInDBTP)
      if !peak.isEmpty { rows.append((rows.isEmpty ? "Loudness" : "", peak.joined(separator: ", "))) }
      if let gain = level(measures.replayGainInDB, "dB") {
        let peak = measures.truePeakInDBTP.map { ", peak \(NumberText.decimal(pow(10, $0 / 20), 6))" } ?? ""
        rows.append(("ReplayGain", gain + peak))
      }
    }
    if let album { rows.append(("Album", text(album))) }
    return rows
  }

  private static func text(_ album: AlbumLoudness) -> String {
    var parts = [NumberText.count(album.trackCount, "track")]
    if album.measuredTrackCount < album.trackCount { parts[0] += " (\(album.measuredTrackCount) measured)" }
    if let loudness = level(album.loudnessInLUFS, "LUFS") { parts.append(loudness) }
    if let gain = level(album.replayGainInDB, "dB") { parts.append("ReplayGain \(gain)") }
    return (parts + peakText(album.truePeakInDBTP)).joined(separator: ", ")
  }

  private static func peakText(_ peak: Double?) -> [String] {
    level(peak, "dBTP").map { ["true peak \($0)"] } ?? []
  }

  private static func level(_ value: Double?, _ unit: String) -> String? {
    value.map { "\(NumberText.decimal($0, 2)) \(unit)" }
  }
}

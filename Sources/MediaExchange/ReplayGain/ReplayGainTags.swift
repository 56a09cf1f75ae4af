internal import Base
internal import Foundation
package import MediaModel

/// The loudness of a track and its album as the tags in which players look for it.
package struct ReplayGainTags: Hashable, Sendable {
  /// Of a track or an album.
  package struct Level: Hashable, Sendable {
    /// To -18 LUFS, the reference of ReplayGain 2.0.
    package let gainInDB: Double
    /// The true peak, 1 for full scale; nil if it is not known.
    package let peak: Double?

    package init(loudnessInLUFS: Double, truePeakInDBTP: Double?) {
      gainInDB = LoudnessScale.replayGain(ofLoudness: loudnessInLUFS)
      peak = truePeakInDBTP.map(Decibels.amplitude)
    }

    /// To -23 LUFS, the reference of Opus, in 256ths of a decibel (RFC 7845 section 5.2.1).
    fileprivate var opusGain: Int { Int(((gainInDB - 5) * 256).rounded().clamped(to: -32_768...32_767)) }
  }

  package let track: Level
  /// nil if the tags of the track name no album.
  package let album: Level?

  package init(track: Level, album: Level?) {
    self.track = track
    self.album = album
  }

  /// The names of all such tags, with those that other programs add. In Opus only those with `R128` are allowed.
  package static let names =
    ["TRACK_GAIN", "TRACK_PEAK", "TRACK_RANGE", "ALBUM_GAIN", "ALBUM_PEAK", "ALBUM_RANGE", "REFERENCE_LOUDNESS"]
    .map { "REPLAYGAIN_" + $0 } + ["R128_TRACK_GAIN", "R128_ALBUM_GAIN"]

  /// Names and values, for Opus or for all other formats.
  package func properties(isOpus: Bool) -> [Tags.Property] {
    let levels = [("TRACK", track)] + (album.map { [("ALBUM", $0)] } ?? [])
    let properties = levels.flatMap { subject, level in
      if isOpus { return [Tags.Property(name: "R128_\(subject)_GAIN", values: [String(level.opusGain)])] }
      let gain = Tags.Property(
        name: "REPLAYGAIN_\(subject)_GAIN", values: [Self.decimal(level.gainInDB, places: 2) + " dB"])
      let peak = level.peak.map {
        Tags.Property(name: "REPLAYGAIN_\(subject)_PEAK", values: [Self.decimal($0, places: 6)])
      }
      return [gain] + (peak.map { [$0] } ?? [])
    }
    return properties + (isOpus ? [] : [.init(name: "REPLAYGAIN_REFERENCE_LOUDNESS", values: ["-18.00 LUFS"])])
  }

  private static func decimal(_ number: Double, places: Int) -> String { String(format: "%.\(places)f", number) }
}

extension Double {
  fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
    Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
  }
}

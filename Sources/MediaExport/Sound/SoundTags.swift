package import MediaModel

/// What a sound file says about itself: texts and pictures.
package struct SoundTags: Hashable, Sendable {
  package static let none = SoundTags()

  package var tags = Tags()
  package var artwork: [Artwork] = []

  package init() {}

  /// What can be said of a new recording that was made from one with these tags: all but what describes the old sound, which
  /// is how loud and how long it was, its fingerprint, its loudspeakers, and the program that made it; and, where it plays
  /// faster or higher, its tempo and key.
  package init(carriedOver tags: Tags, artwork: [Artwork], through chain: EffectChain = .neutral) {
    let isOtherwiseHigh = chain.rate != 1 || chain.pitch != 0
    let untrue: Set = Set(chain.rate != 1 ? ["BPM"] : []).union(isOtherwiseHigh ? ["INITIALKEY", "KEY"] : [])
    self.tags = Tags(
      tags.properties.filter { !Self.describesSound($0.name) && !untrue.contains($0.name.uppercased()) })
    self.artwork = artwork
  }

  private static func describesSound(_ name: String) -> Bool {
    let name = name.uppercased()
    // What other programs keep in comments with a description comes as COMMENT:DESCRIPTION.
    let own = name.split(separator: ":", maxSplits: 1).last.map(String.init) ?? name
    let names: Set = [
      "ENCODER", "ENCODING", "ENCODERSETTINGS", "LENGTH", "CUESHEET", "ITUNSMPB", "ITUNNORM", "ACOUSTID_FINGERPRINT",
      "LOUDNESS_INTEGRATED", "LOUDNESS_RANGE", "LOUDNESS_PEAK", "WAVEFORMATEXTENSIBLE_CHANNEL_MASK",
    ]
    return names.contains(own) || ["REPLAYGAIN_", "R128_", "MP3GAIN_"].contains { own.hasPrefix($0) }
  }
}

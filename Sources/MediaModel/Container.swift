/// What holds the audio, as found in the bytes, never in the file's name.
package struct Container: RawRepresentable, Hashable, Sendable {
  package var rawValue: String

  package init(rawValue: String) { self.rawValue = rawValue }

  package static let wav = Container(rawValue: "wav")
  package static let rf64 = Container(rawValue: "rf64")
  package static let w64 = Container(rawValue: "w64")
  package static let aiff = Container(rawValue: "aiff")
  package static let caf = Container(rawValue: "caf")
  package static let au = Container(rawValue: "au")
  package static let flac = Container(rawValue: "flac")
  package static let ogg = Container(rawValue: "ogg")
  /// A bare stream of MPEG audio frames: layers I to III.
  package static let mpeg = Container(rawValue: "mpeg")
  package static let mp4 = Container(rawValue: "mp4")
  package static let adts = Container(rawValue: "adts")
  package static let asf = Container(rawValue: "asf")
  package static let ape = Container(rawValue: "ape")
  package static let wavpack = Container(rawValue: "wavpack")
  package static let musepack = Container(rawValue: "musepack")
  package static let trueAudio = Container(rawValue: "tta")
  package static let dsf = Container(rawValue: "dsf")
  package static let dsdiff = Container(rawValue: "dsdiff")
  package static let matroska = Container(rawValue: "matroska")
  package static let trackerModule = Container(rawValue: "module")
  package static let midi = Container(rawValue: "midi")
}

internal import CFLAC
internal import CMPG123
internal import COpus
internal import CSndFile
internal import CTagLib
internal import CVorbis

/// The libraries that decode and read tags, as they are on this machine.
package enum DecoderLibraries {
  /// Name and version of each, in order of their names.
  package static var versions: [(name: String, version: String)] {
    let tags = dw_tag_library_version()
    return [
      ("libFLAC", text(cflac_version())),
      ("libmpg123", "API \(cmpg123_api_version())"),
      ("libopus", withoutName(text(opus_get_version_string()))),
      ("libsndfile", withoutName(text(sf_version_string()))),
      ("libvorbis", withoutName(text(vorbis_version_string()))),
      ("TagLib", "\(tags >> 16).\(tags >> 8 & 255).\(tags & 255)"),
    ]
  }

  private static func text(_ text: UnsafePointer<CChar>?) -> String { text.map { String(cString: $0) } ?? "unknown" }

  /// `libopus 1.3.1` and `Xiph.Org libVorbis 1.3.7` end in what is wanted.
  private static func withoutName(_ text: String) -> String {
    text.split(whereSeparator: { $0 == " " || $0 == "-" }).last { $0.first?.isNumber == true }.map(String.init) ?? text
  }
}

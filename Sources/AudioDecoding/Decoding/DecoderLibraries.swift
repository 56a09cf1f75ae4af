internal import CFFmpeg
internal import CFLAC
internal import CMPG123
internal import COpus
internal import CSndFile
internal import CTagLib
internal import CVorbis

/// The libraries that decode and read tags, as they are on this machine. All but TagLib are loaded when they are first used.
package enum DecoderLibraries {
  /// Loads all of them. Call this in a process that may not open files later.
  ///
  /// - Returns: nil, or why one of them cannot be loaded.
  package static func load() -> String? {
    for load in [dw_flac_load, dw_mpg123_load, dw_opus_load, dw_sndfile_load, dw_vorbis_load] {
      if let problem = load() { return String(cString: problem) }
    }
    // Without it some formats are not decoded, and their files say so.
    _ = dw_ffmpeg_load()
    return nil
  }

  /// Whether those libraries are there without which only some formats are not decoded.
  package static var areComplete: Bool { dw_ffmpeg_load() == nil }

  /// Name and version of each, in order of their names; "not installed" instead of a version if it cannot be loaded.
  package static var versions: [(name: String, version: String)] {
    let tags = dw_tag_library_version()
    return [
      (
        "libavcodec",
        version(dw_ffmpeg_load) {
          let version = dw_ffmpeg_version()
          return "\(version >> 16).\(version >> 8 & 255).\(version & 255)"
        }
      ),
      ("libFLAC", version(dw_flac_load) { text(dw_flac_version()) }),
      ("libmpg123", version(dw_mpg123_load) { "API \(dw_mpg123_api_version())" }),
      ("libopus", version(dw_opus_load) { withoutName(text(opus_get_version_string())) }),
      ("libsndfile", version(dw_sndfile_load) { withoutName(text(sf_version_string())) }),
      ("libvorbis", version(dw_vorbis_load) { withoutName(text(vorbis_version_string())) }),
      ("TagLib", "\(tags >> 16).\(tags >> 8 & 255).\(tags & 255)"),
    ]
  }

  /// What `load` of a library has returned, as an error.
  static func check(_ problem: UnsafePointer<CChar>?) throws(DecodingError) {
    if let problem { throw .unsupported(reason: String(cString: problem)) }
  }

  private static func version(_ load: () -> UnsafePointer<CChar>?, _ version: () -> String) -> String {
    load() == nil ? version() : "not installed"
  }

  private static func text(_ text: UnsafePointer<CChar>?) -> String { text.map { String(cString: $0) } ?? "unknown" }

  /// The version at the end of `libopus 1.3.1` or `Xiph.Org libVorbis 1.3.7`.
  private static func withoutName(_ text: String) -> String {
    text.split(whereSeparator: { $0 == " " || $0 == "-" }).last { $0.first?.isNumber == true }.map(String.init) ?? text
  }
}

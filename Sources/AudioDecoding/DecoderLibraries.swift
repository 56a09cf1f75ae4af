package import Base
internal import CFFmpeg
internal import CFLAC
internal import CMPG123
internal import CMusepack
internal import COpenMPT
internal import COpus
internal import CSndFile
internal import CSpeex
internal import CTagLib
internal import CVorbis

/// The libraries that decode and read tags, as they are on this machine. All but TagLib are loaded when they are first
/// used.
package enum DecoderLibraries {
  /// Loads all of them, and the tables of text encodings. Call this in a process that may not open files later.
  ///
  /// - Returns: nil, or why one of them cannot be loaded.
  package static func load() -> String? {
    for load in [dw_flac_load, dw_mpg123_load, dw_opus_load, dw_sndfile_load, dw_vorbis_load] {
      if let problem = load() { return String(cString: problem) }
    }
    _ = optionalSet
    TextEncoding.load()
    return nil
  }

  /// Those without which only some formats are not decoded, and their files say so. New ones come at the end.
  private static let optional = [
    dw_ffmpeg_load, dw_musepack_load, dw_speex_load, dw_openmpt_load, dw_ffmpeg_demuxer_load,
  ]

  /// Which of the optional libraries are there: a bit for each, from the lowest on. Loads them.
  package static let optionalSet = optional.enumerated().reduce(0) { $1.element() == nil ? $0 | 1 << $1.offset : $0 }

  /// Each of them, in order of their names.
  package static var all: [SharedLibrary] {
    let nothing = "no file is read"
    let tags = dw_tag_library_version()
    return [
      SharedLibrary(
        "libavcodec", dw_ffmpeg_load(), version: dottedVersion(dw_ffmpeg_version()),
        without: "formats that it decodes, such as AAC and ALAC, are unsupported"),
      SharedLibrary(
        "libavformat", dw_ffmpeg_demuxer_load(), version: dottedVersion(dw_ffmpeg_demuxer_version()),
        without: "Windows Media, Monkey's Audio and TAK are unsupported"),
      SharedLibrary("libFLAC", dw_flac_load(), version: dw_flac_version(), without: nothing),
      SharedLibrary(
        "libmpcdec", dw_musepack_load(), version: "soname 6", without: "Musepack is unsupported"),
      SharedLibrary("libmpg123", dw_mpg123_load(), version: "API \(dw_mpg123_api_version())", without: nothing),
      SharedLibrary(
        "libopenmpt", dw_openmpt_load(), version: moduleVersion(dw_openmpt_version()),
        without: "tracker modules are unsupported"),
      SharedLibrary("libopus", dw_opus_load(), version: opus_get_version_string(), without: nothing),
      SharedLibrary("libsndfile", dw_sndfile_load(), version: sf_version_string(), without: nothing),
      SharedLibrary("libspeex", dw_speex_load(), version: dw_speex_version(), without: "Speex is unsupported"),
      SharedLibrary("libvorbis", dw_vorbis_load(), version: vorbis_version_string(), without: nothing),
      SharedLibrary(linked: "TagLib", version: dottedVersion(tags)),
    ]
  }

  /// Of three numbers of 8, 8 and 16 bits.
  private static func moduleVersion(_ version: UInt32) -> String {
    "\(version >> 24).\(version >> 16 & 255).\(version & 0xFFFF)"
  }

  /// Of three numbers of 16, 8 and 8 bits.
  private static func dottedVersion(_ version: UInt32) -> String {
    "\(version >> 16).\(version >> 8 & 255).\(version & 255)"
  }
}

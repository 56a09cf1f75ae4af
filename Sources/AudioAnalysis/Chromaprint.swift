internal import CChromaprint

/// The library that makes fingerprints.
///
/// It is not linked but loaded, because it brings FFmpeg's codecs along: see decision 0010.
package enum Chromaprint {
  /// Such as "1.5.1"; nil where the library is not installed, and no fingerprints are made.
  ///
  /// The first look loads it, for which files are opened: a process that limits itself must have looked before.
  package static let version: String? = dw_chromaprint_load().map { String(cString: $0) }

  /// Whether it is installed and cannot be loaded, as without memory or descriptors.
  package static var failedToLoad: Bool { dw_chromaprint_failed() != 0 }
}

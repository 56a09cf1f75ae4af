internal import Base
internal import Glibc
internal import MediaModel
internal import MediaRendering

/// Reads a `.dat` or `.json` of peaks that is converted instead of a track.
enum PeakFile {
  static var formats: [String] { PeakDocument.Format.allCases.map(\.rawValue) }

  /// 24 channels of an hour at 256 frames per point, as text, are 200 MB.
  private static let maximumByteCount = 1 << 30

  /// - Parameter format: One of ``formats``; nil to go by the path's extension.
  /// - Throws: ``InputFile/Failure`` with the offset of the first invalid byte.
  static func read(_ path: BytePath, format: String? = nil) throws(InputFile.Failure) -> PeakDocument {
    let bytes = try InputFile.bytes(of: path, limit: maximumByteCount)
    let document: PeakDocument
    do throws(ByteReader.Failure) {
      document = try PeakDocument(bytes, as: PeakDocument.Format(rawValue: format ?? path.pathExtension) ?? .dat)
    } catch {
      throw InputFile.Failure(path: path, reason: error.description)
    }
    if document.announcedPointCount != document.peaks.pointCount {
      StandardError.line(
        TerminalText.escaped(path.displayString)
          + ": has \(document.peaks.pointCount) points, but declares \(document.announcedPointCount)")
    }
    return document
  }

  /// Whether a path names such a file instead of a track of the library.
  static func isNamed(by path: BytePath) -> Bool {
    var status = stat()
    return formats.contains(path.pathExtension)
      && path.withCString { stat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFREG
  }
}

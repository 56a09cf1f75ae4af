internal import ArgumentParser
internal import Glibc
internal import MediaExport
internal import MediaModel

/// A `.dat` or `.json` of peaks, which is converted instead of a track.
struct PeakFile: WaveformSource {
  static let formats = ["dat", "json"]
  /// 24 channels of an hour at 256 frames a point, as text, are 200 MB.
  private static let largest = 1 << 30

  let inventory: WaveformInventory
  let inputs: [BytePath]
  private let peaks: WaveformPeaks

  /// - Parameter format: one of ``formats``; what the file's ending says without it.
  /// - Throws: ``InputFile/Failure`` with the offset of the first byte that cannot be.
  init(_ path: BytePath, format: String? = nil) throws(InputFile.Failure) {
    let bytes = try InputFile.bytes(of: path, limit: Self.largest)
    let announcedCount: Int
    do throws(ByteReader.Failure) {
      (peaks, announcedCount) =
        try (format ?? path.pathExtension) == "json"
        ? WaveformPeaks.read(json: bytes) : WaveformPeaks.read(dat: bytes)
    } catch {
      throw InputFile.Failure(path: path, reason: error.description)
    }
    if announcedCount != peaks.pointCount {
      StandardError.line(
        TerminalText.escaped(path.displayString)
          + ": \(peaks.pointCount) points are there, \(announcedCount) were announced")
    }
    inputs = [path]
    inventory = WaveformInventory(of: peaks)
  }

  /// Whether a path is to be converted rather than to be found in the library.
  static func isMeant(by path: BytePath) -> Bool {
    var status = stat()
    return formats.contains(path.pathExtension)
      && path.withCString { stat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  func energy() -> WaveformEnergy? { nil }

  var absenceOfEnergy: any Error {
    ValidationError("--style bands and --style rms are for tracks: files of peaks have no levels of bands")
  }

  func peaks(for selection: WaveformSelection) -> WaveformPeaks { peaks }
}

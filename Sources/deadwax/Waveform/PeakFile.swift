internal import Glibc
internal import MediaExport
internal import MediaModel

/// A `.dat` or `.json` of peaks, which is converted instead of a track.
struct PeakFile: WaveformSource {
  struct Failure: Error, CustomStringConvertible {
    let path: BytePath
    let reason: String
    var description: String { "\(path.displayString): \(reason)" }
  }

  static let formats = ["dat", "json"]
  /// 24 channels of an hour at 256 frames a point, as text, are 200 MB.
  private static let maximumByteCount = 1 << 30

  let inventory: WaveformInventory
  let inputs: [BytePath]
  private let peaks: WaveformPeaks

  /// - Parameter format: one of ``formats``; what the file's ending says without it.
  /// - Throws: ``Failure`` with the offset of the first byte that cannot be.
  init(_ path: BytePath, format: String? = nil) throws(Failure) {
    let bytes = try Self.bytes(of: path)
    let announcedCount: Int
    do throws(ByteReader.Failure) {
      (peaks, announcedCount) =
        try (format ?? path.pathExtension) == "json"
        ? WaveformPeaks.read(json: bytes) : WaveformPeaks.read(dat: bytes)
    } catch {
      throw Failure(path: path, reason: error.description)
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

  func peaks(for selection: WaveformSelection) -> WaveformPeaks { peaks }

  /// All of a file, or of standard input for `-`.
  static func bytes(of path: BytePath) throws(Failure) -> [UInt8] {
    func failure() -> Failure { Failure(path: path, reason: String(cString: strerror(errno))) }
    let isStandardInput = path == BytePath("-")
    let descriptor = isStandardInput ? STDIN_FILENO : path.withCString { open($0, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw failure() }
    defer { if !isStandardInput { close(descriptor) } }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count == 0 { return bytes }
      if count < 0 {
        if errno == EINTR { continue }
        throw failure()
      }
      guard bytes.count + count <= maximumByteCount else {
        throw Failure(path: path, reason: "is larger than \(maximumByteCount) bytes")
      }
      bytes.append(contentsOf: chunk.prefix(count))
    }
  }
}

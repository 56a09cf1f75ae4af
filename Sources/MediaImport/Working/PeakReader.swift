internal import Glibc
package import MediaModel

/// Peaks of a file that must be decoded for them, made in a worker as everything that touches untrusted bytes.
package enum PeakReader {
  package enum Failure: Error, CustomStringConvertible {
    case file(BytePath, reason: String)
    case worker(String)

    package var description: String {
      switch self {
      case .file(let path, let reason): "\(path.displayString): \(reason)"
      case .worker(let reason): "the worker failed: \(reason)"
      }
    }
  }

  private static let stallLimitInMilliseconds: Int32 = 20_000

  /// Decodes the frames asked for.
  ///
  /// - Returns: peaks that begin at the first frame of the request; fewer points where the file ends before.
  package static func peaks(
    of path: BytePath, _ request: PeakRequest, executable: String = "/proc/self/exe"
  ) throws(Failure) -> WaveformPeaks {
    do {
      let folder = try FolderDescriptor(opening: path.parent.bytes.isEmpty ? BytePath("/") : path.parent)
      let file = try folder.openRegularFile(path.lastComponent, followsLinks: true)
      defer { close(file.descriptor) }
      let process = try WorkerProcess(executable: executable, makesFingerprints: false)
      defer { _ = process.end() }
      try process.send(.peaks(byteCount: file.status.byteCount, request), descriptor: file.descriptor)
      return try peaks(from: process, path)
    } catch let error as SystemError {
      throw .file(path, reason: error.description)
    } catch let error as Failure {
      throw error
    } catch {
      throw .worker("\(error)")
    }
  }

  private static func peaks(from process: WorkerProcess, _ path: BytePath) throws -> WaveformPeaks {
    var result: WaveformPeaks?
    while true {
      var entry = pollfd(fd: process.descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&entry, 1, stallLimitInMilliseconds) > 0 else {
        throw Failure.file(path, reason: "no progress for 20 s")
      }
      for message in try process.receiveMessages() {
        switch message {
        case .peaks(let bytes): result = try WaveformPeaks(datBytes: bytes)
        case .finished(let extraction):
          if let result { return result }
          throw Failure.file(path, reason: extraction.problem?.reason ?? extraction.state.rawValue)
        default: break
        }
      }
    }
  }
}

internal import Base
internal import Dispatch
internal import Foundation
internal import Glibc

/// A folder for one measurement, removed with everything in it, also if the program is interrupted.
final class TemporaryFolder {
  let url: URL
  private let interruptions: [any DispatchSourceSignal]

  var path: BytePath { BytePath(url.path) }

  init() throws {
    let url = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appending(path: "deadwax-bench-\(UUID().uuidString)", directoryHint: .notDirectory)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    self.url = url
    interruptions = [SIGINT, SIGTERM, SIGHUP].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        try? FileManager.default.removeItem(at: url)
        _exit(128 + number)
      }
      source.resume()
      return source
    }
  }

  deinit {
    for source in interruptions { source.cancel() }
    try? FileManager.default.removeItem(at: url)
  }

  func appending(_ name: String) -> URL { url.appending(path: name, directoryHint: .notDirectory) }

  /// Makes a folder of symbolic links to files, so that nothing about the files themselves changes.
  func makeLinks(_ name: String, to files: [BytePath]) throws -> URL {
    let folder = appending(name)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (index, file) in files.enumerated() {
      let link = folder.appending(path: "\(index).\(file.pathExtension)", directoryHint: .notDirectory)
      try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: file.displayString)
    }
    return folder
  }
}

import Foundation
import TestSupport

/// A disk that ignores case, keeps other names, or fails when it is asked: a folder that `scripts/faulty-disk.py` shows
/// through FUSE. Unmounted with its last owner.
final class FaultyDisk: Sendable {
  private let folder: TemporaryFolder
  private let process: Process
  private let faults: URL
  /// Where the disk is mounted.
  let url: URL

  /// - Parameter rules: Options of the script.
  init(_ rules: [String] = []) async throws {
    try NotRun.unlessRoot()
    guard FileManager.default.fileExists(atPath: "/dev/fuse") else { throw NotRun("there is no /dev/fuse") }
    guard (try? Tool.run("env", "/usr/bin/python3", "-c", "import fusepy")) != nil else {
      throw NotRun("python3-fusepy is not installed")
    }
    folder = try TemporaryFolder()
    for name in ["kept", "disk"] { _ = try folder.makeFolder(name) }
    faults = folder.appending("faults")
    url = folder.appending("disk")
    process = Process()
    process.executableURL = URL(filePath: "/usr/bin/python3")
    process.arguments =
      [Corpora.projectRoot.appending(path: "scripts/faulty-disk.py").path] + rules
      + ["--faults", faults.path, folder.appending("kept").path, url.path]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    for _ in 0..<200 where !isMounted { try await Task.sleep(for: .milliseconds(50)) }
    guard isMounted else { throw NotRun("FUSE mounts nothing here") }
  }

  private var isMounted: Bool { (try? Tool.run("mountpoint", "-q", url.path)) != nil }

  deinit {
    _ = try? Tool.run("umount", "-l", url.path)
    if process.isRunning { process.terminate() }
    process.waitUntilExit()
  }

  /// Lets calls fail from now on; see the script for the form of a fault. None makes the disk whole again.
  func fail(_ lines: String...) throws {
    try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: faults, options: .atomic)
  }
}

internal import Foundation
internal import Glibc

/// Another program that reads the library in one transaction, for as long as this lives.
final class LongReader {
  private let process = Process()
  private let input = Pipe()

  /// - Parameter query: What it has read when this returns.
  init(_ library: URL, query: String = "SELECT count(*) FROM file") throws {
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/sqlite3")
    process.arguments = ["-bail", library.path]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data("BEGIN; \(query);\n".utf8))
    // Its first line says that the transaction has begun.
    _ = output.fileHandleForReading.availableData
  }

  deinit {
    // Started by a thread that blocks signals it would not hear a polite one.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}

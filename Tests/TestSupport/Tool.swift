package import Foundation

/// A program of the system that tests compare with or need.
package struct Tool: Sendable {
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  private let url: URL

  /// nil if the program is not installed.
  package init?(_ name: String) {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    let candidates = folders.map { URL(filePath: String($0)).appending(path: name) }
    guard let url = candidates.first(where: { FileManager.default.isExecutableFile(atPath: $0.path) }) else {
      return nil
    }
    self.url = url
  }

  /// Whether all of them are installed.
  package static func exist(_ names: String...) -> Bool { names.allSatisfy { Tool($0) != nil } }

  /// Runs it to its end, and returns its standard output.
  @discardableResult
  package func run(_ arguments: [String], acceptsFailure: Bool = false) throws -> Data {
    let process = Process()
    process.executableURL = url
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 || acceptsFailure else {
      throw Failure(description: "\(url.lastPathComponent) \(arguments) gave \(process.terminationStatus)")
    }
    return data
  }

  /// Runs a program that must be there.
  @discardableResult
  package static func run(_ name: String, _ arguments: String...) throws -> Data {
    try run(name, arguments: arguments)
  }

  /// Runs a program that must be there.
  @discardableResult
  package static func run(_ name: String, arguments: [String]) throws -> Data {
    guard let tool = Tool(name) else { throw Failure(description: "\(name) is not installed") }
    return try tool.run(arguments)
  }
}

/// `strace`, which lets system calls of another program fail.
package enum CallTracer {
  package static let executable = URL(filePath: "/usr/bin/strace")
  package static let absence = "strace is not installed, or may not trace"

  /// Whether calls can be made to fail here.
  package static let isPossible =
    Tool.exist("strace")
    && (try? Tool.run("strace", "-o", "/dev/null", "-e", "inject=getdents64:error=EIO", "/bin/true")) != nil
}

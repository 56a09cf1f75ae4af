package import Foundation

/// Runs the command in another way than as a process of its own.
package protocol CommandCaller: Sendable {
  /// - Parameter environment: The whole of it.
  func call(
    _ arguments: [String], environment: [String: String], currentFolder: URL, standardInput: Data
  ) async throws -> CommandOutcome
}

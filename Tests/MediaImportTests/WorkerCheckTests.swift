import Foundation
import MediaImport
import Testing
import TestSupport

/// Workers that are none: each is told, and none is waited for without an end.
struct WorkerCheckTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// What a check says of a program in the place of the command.
  private func problem(_ script: String) throws -> String {
    try folder.write(Array("#!/bin/sh\n\(script)\n".utf8), to: "worker")
    let worker = folder.appending("worker").path
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: worker)
    let error = #expect(throws: ScanError.self) {
      try WorkerCheck.run(executable: worker, patience: .milliseconds(100))
    }
    return try #require(error).description
  }

  @Test(arguments: ["exec sleep 600", "printf '\\100\\0\\0' >&3; exec sleep 600"])
  func `a worker that hangs at its start is told`(script: String) throws {
    #expect(try problem(script).contains("says nothing"))
  }

  @Test func `a worker that ends at once is told`() throws {
    #expect(try problem("exit 3").contains("ended at once"))
  }

  @Test func `a program that is not there is told`() throws {
    let error = #expect(throws: ScanError.self) { try WorkerCheck.run(executable: "/no/such/program") }
    #expect(try #require(error).description.contains("No such file"))
  }
}

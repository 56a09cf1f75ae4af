import DecodingService
import Foundation
import Testing
import TestSupport

/// Programs that are not workers: each is reported, and none is waited for forever.
struct WorkerCheckTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The error of a check with another program as the worker.
  private func problem(_ script: String) throws -> String {
    try folder.write(Array("#!/bin/sh\n\(script)\n".utf8), to: "worker")
    let worker = folder.appending("worker").path
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: worker)
    let error = #expect(throws: WorkerError.self) {
      try WorkerCheck.run(executable: worker, timeout: .milliseconds(100))
    }
    return try #require(error).description
  }

  // Faults: 78
  @Test(arguments: ["exec sleep 600", "printf '\\100\\0\\0' >&3; exec sleep 600"])
  func `a worker that hangs at its start is reported`(script: String) throws {
    #expect(try problem(script).contains("sent nothing"))
  }

  @Test func `a worker that ends at once is reported`() throws {
    #expect(try problem("exit 3").contains("exited immediately"))
  }

  @Test func `a program that is not there is reported`() throws {
    let error = #expect(throws: WorkerError.self) { try WorkerCheck.run(executable: "/no/such/program") }
    #expect(try #require(error).description.contains("No such file"))
  }
}

internal import Foundation

/// A fault, or a family of them, and the way to find out whether the program survives it.
struct FaultCase: Sendable {
  /// Rows of docs/reliability.md.
  let numbers: [Int]
  let name: String
  private let body: @Sendable (Trial) async throws -> Void

  init(_ numbers: Int..., named name: String, body: @escaping @Sendable (Trial) async throws -> Void) {
    self.numbers = numbers
    self.name = name
    self.body = body
  }

  var title: String { numbers.map(String.init).joined(separator: " ") + " " + name }

  func verdict(_ trial: Trial) async -> Verdict {
    do {
      try await body(trial)
    } catch let reason as NotRun {
      return .notRun(reason.why)
    } catch {
      trial.fail("\(error)")
    }
    return trial.failures.isEmpty ? .survived(trial.figures) : .failed(trial.failures, trial.figures)
  }
}

/// What came of a case.
enum Verdict: Sendable {
  case survived(_ figures: String)
  case failed(_ reasons: [String], _ figures: String)
  /// Something is not there that the case needs.
  case notRun(_ why: String)
}

/// Thrown by a case that this machine or user cannot run.
struct NotRun: Error {
  let why: String

  init(_ why: String) { self.why = why }

  /// Throws unless all programs are installed.
  static func unless(has programs: String...) throws {
    for program in programs
    where !["/usr/bin", "/bin", "/usr/sbin", "/sbin"].contains(where: {
      FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
    }) {
      throw NotRun("\(program) is not installed")
    }
  }

  static func unlessRoot() throws {
    if getuid() != 0 { throw NotRun("needs root") }
  }
}

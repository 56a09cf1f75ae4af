internal import ArgumentParser
internal import Foundation

/// Counts instructions with Valgrind's Callgrind, which simulates the processor: the same number in every run.
enum Callgrind {
  /// The end of the mangled name of ``countedRun(_:)``: a pattern that ends in an asterisk matches nothing.
  private static let pattern = "*countedRunyyyyXEF"

  /// Instructions of one run of each kernel, in their order.
  static func count(_ kernels: [BenchKernel]) throws -> [InstructionCounts.Entry] {
    let folder = try TemporaryFolder()
    let output = folder.appending("callgrind").path
    let program = try stripped(into: folder)
    try run(
      "valgrind",
      [
        "--tool=callgrind", "--toggle-collect=\(pattern)", "--dump-after=\(pattern)", "--callgrind-out-file=\(output)",
        "-q", program, "count",
      ])
    return try kernels.enumerated().map { index, kernel in
      // A dump for each call, numbered from 1.
      InstructionCounts.Entry(name: kernel.name, count: try total(of: "\(output).\(index + 1)"))
    }
  }

  /// A copy of this program without debug information: Valgrind 3.19 does not understand that of Swift and gives up.
  private static func stripped(into folder: TemporaryFolder) throws -> String {
    let copy = folder.appending("deadwax-bench").path
    try run("strip", ["--strip-debug", "-o", copy, CommandOptions.own.path])
    return copy
  }

  private static func run(_ program: String, _ arguments: [String]) throws {
    guard let path = ChildProcess.path(of: program) else { throw BenchFailure("\(program) is not installed") }
    let process = ChildProcess(executable: path, arguments: arguments, isQuiet: false)
    guard try process.run().hasSucceeded else { throw BenchFailure("\(program) failed") }
  }

  private static func total(of path: String) throws -> Int {
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").last { $0.hasPrefix("totals:") }
    guard let count = line?.split(separator: " ").last.flatMap({ Int($0) }), count > 0 else {
      throw BenchFailure("Callgrind counted nothing for \(path)")
    }
    return count
  }
}

/// `deadwax-bench count`: the part that runs under Callgrind.
struct CountCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "count", abstract: "Run every kernel once, to be counted by Callgrind.", shouldDisplay: false)

  func run() throws {
    for kernel in BenchKernel.all {
      let work = kernel.prepared()
      // The first run creates what is created at first use.
      work()
      countedRun(work)
    }
  }
}

/// Callgrind counts inside this function and writes a dump after it.
///
/// Found by its name, so it must not be inlined.
@inline(never)
func countedRun(_ work: () -> Void) { work() }

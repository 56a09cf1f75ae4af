internal import ArgumentParser
internal import Foundation

/// `deadwax-bench kernels`: the innermost loops, timed or counted.
struct KernelsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "kernels",
    abstract: "Time the innermost loops, or count their instructions and compare them with what is checked in.",
    discussion: """
      Without --check and --update the kernels are timed. Counting needs Valgrind; it depends on the compiler and on the \
      architecture, but not on other work of the machine. --check ends with status 1 when a count differs by more than \
      5 %, in either direction.
      """)

  @OptionGroup var report: ReportOptions

  @Option(help: ArgumentHelp("Count, and compare with this file.", valueName: "file"))
  var check: String?

  @Option(help: ArgumentHelp("Count, and write the counts into this file.", valueName: "file"))
  var update: String?

  func validate() throws {
    if check != nil && update != nil { throw ValidationError("--check and --update exclude each other") }
  }

  func run() throws {
    let kernels = BenchKernel.all
    let machine = Machine.current()
    if let update {
      let counts = InstructionCounts(
        architecture: machine.architecture, swift: machine.swift, entries: try Callgrind.count(kernels))
      try counts.text.write(toFile: update, atomically: true, encoding: .utf8)
    } else if let check {
      guard let text = try? String(contentsOfFile: check, encoding: .utf8) else {
        throw BenchFailure("cannot read \(check)")
      }
      let expected = try InstructionCounts(text: text)
      let comparison = CountComparison(counted: try Callgrind.count(kernels), expected: expected.entries)
      try report.write([Self.table(comparison)])
      guard comparison.isBreached else { return }
      if (expected.architecture, expected.swift) != (machine.architecture, machine.swift) {
        FileHandle.standardError.write(
          Data("The thresholds are of Swift \(expected.swift) on \(expected.architecture).\n".utf8))
      }
      throw ExitCode(1)
    } else {
      try report.write([Self.table(of: kernels)])
    }
  }

  private static func table(_ comparison: CountComparison) -> ResultTable {
    var table = ResultTable(
      "instructions", title: "Instructions of one run, against those checked in",
      columns: [
        .init("kernel", "kernel"), .init("expected", "expected"), .init("counted", "counted"), .init("ratio", "ratio"),
        .init("verdict", "verdict"),
      ])
    for line in comparison.lines {
      table.add([
        .text(line.name), .count(line.expected), .count(line.counted), .number(line.ratio, digits: 3),
        .text(line.verdict.rawValue),
      ])
    }
    return table
  }

  private static func table(of kernels: [BenchKernel]) -> ResultTable {
    var table = ResultTable(
      "kernels", title: "Kernels",
      columns: [
        .init("kernel", "kernel"), .init("ns_per_run", "ns per run"), .init("ns_per_sample", "ns per sample"),
      ])
    for kernel in kernels {
      let nanoseconds = KernelTimer.secondsPerRun(kernel) * 1e9
      table.add([
        .text(kernel.name), .number(nanoseconds, digits: 0),
        .number(nanoseconds / Double(kernel.sampleCount), digits: 3),
      ])
    }
    return table
  }
}

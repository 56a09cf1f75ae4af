import ArgumentParser
import Foundation

/// The faults that take too long for the tests: `make faults`.
@main
struct DeadwaxFaults: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "deadwax-faults",
    abstract:
      "Let calls fail, disks fill, processes die and clocks jump under the built command, and see what survives.",
    discussion: """
      The numbers are those of docs/reliability.md. After each fault the invariants of that page are checked. Ends with a \
      count by group, and with status 1 when anything failed. A case that this machine or user cannot run is reported as \
      not run, with the reason, and does not count as survived.
      """)

  @Option(help: ArgumentHelp("Only the cases of these numbers.", valueName: "74,82"))
  var cases: String = ""

  @Option(help: ArgumentHelp("Only cases whose name has this text.", valueName: "text"))
  var name: String = ""

  @Option(help: "How long and how often: 1 takes hours, 0.1 is a first look.")
  var scale = 1.0

  @Option(help: ArgumentHelp("Music for scans that must take long; without it, silence.", valueName: "folder"))
  var music: String = ""

  @Flag(help: "List the cases, and run none.")
  var list = false

  func validate() throws {
    if !(0.001...10).contains(scale) { throw ValidationError("--scale takes a number from 0.001 to 10") }
    if !cases.isEmpty, numbers.isEmpty { throw ValidationError("--cases takes numbers, separated by commas") }
  }

  private var numbers: Set<Int> { Set(cases.split(separator: ",").compactMap { Int($0) }) }

  func run() async throws {
    let (alone, sideBySide) = (chosen(of: FaultCase.alone), chosen(of: FaultCase.sideBySide))
    guard !(alone + sideBySide).isEmpty else { throw ValidationError("no case has such a number and name") }
    if list {
      for item in alone + sideBySide { FaultReport.write(item.title) }
      return
    }
    var report = FaultReport()
    await run(alone, atATime: 1, into: &report)
    await run(sideBySide, atATime: ProcessInfo.processInfo.activeProcessorCount, into: &report)
    FaultReport.write(report.summary)
    if report.hasFailures { throw ExitCode(1) }
  }

  private func chosen(of cases: [FaultCase]) -> [FaultCase] {
    cases.filter {
      (numbers.isEmpty || !numbers.isDisjoint(with: $0.numbers)) && (name.isEmpty || $0.name.contains(name))
    }
  }

  /// Reports each case as it ends.
  private func run(_ cases: [FaultCase], atATime count: Int, into report: inout FaultReport) async {
    var waiting = cases[...]
    await withTaskGroup(of: Ended.self) { group in
      for item in waiting.prefix(count) { group.addTask { await ended(item) } }
      waiting = waiting.dropFirst(count)
      while let end = await group.next() {
        report.add(end.item, end.verdict, end.seconds)
        if let item = waiting.popFirst() { group.addTask { await ended(item) } }
      }
    }
  }

  private struct Ended: Sendable {
    let item: FaultCase
    let verdict: Verdict
    let seconds: Double
  }

  private func ended(_ item: FaultCase) async -> Ended {
    let start = ContinuousClock.now
    let verdict = await item.verdict(Trial(scale: scale, music: music.isEmpty ? nil : URL(filePath: music)))
    return Ended(item: item, verdict: verdict, seconds: (ContinuousClock.now - start) / .seconds(1))
  }
}

extension FaultCase {
  /// Cases whose result does not depend on speed: as many run at the same time as there are processors.
  static var sideBySide: [FaultCase] { failingCalls + fullDisks + killsAtCalls + migrations + [powerLoss] }

  /// Cases that measure times or wait for moments: one after the other, with nothing beside them. Those that measure come
  /// first, so that in a run of everything the first minutes show whether the machine is quiet enough.
  static var alone: [FaultCase] {
    sameTime + [stress, mixedLoad] + killsAtMoments + migrationsBesideOthers + circumstances + workers + volumes
      + fileAliases + strangers + pauses + foldingDisks + failingDisks + hostileShards
  }
}

internal import Foundation

/// What the processors of this machine did since it was started; a load's figures mean little without it.
struct ProcessorTimes {
  /// In ticks, all processors together.
  private let total: Int
  private let idle: Int
  /// What the host of a virtual machine gave to others, while something here waited for it.
  private let stolen: Int

  /// proc(5), the first line of /proc/stat: user, nice, system, idle, iowait, irq, softirq, steal, and two that user and
  /// nice contain.
  init() throws {
    let text = try String(contentsOfFile: "/proc/stat", encoding: .utf8)
    let ticks = text.prefix { $0 != "\n" }.split(separator: " ").dropFirst().prefix(8).compactMap { Int($0) }
    guard ticks.count == 8 else { throw CocoaError(.fileReadCorruptFile) }
    total = ticks.reduce(0, +)
    idle = ticks[3] + ticks[4]
    stolen = ticks[7]
  }

  func figures(since start: ProcessorTimes) -> String {
    let elapsed = Double(max(total - start.total, 1))
    func percent(_ ticks: Int) -> String { "\(Int((100 * Double(ticks) / elapsed).rounded())) %" }
    let busy = total - start.total - (idle - start.idle) - (stolen - start.stolen)
    return "processors \(percent(busy)) busy, \(percent(stolen - start.stolen)) taken by the host"
  }
}

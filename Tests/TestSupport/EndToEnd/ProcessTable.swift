import Foundation
import Glibc

/// The processes of this machine, as /proc shows them.
package enum ProcessTable {
  /// A worker of a scan.
  package struct Entry: Sendable {
    package var processID: Int32
    /// The scan that started it.
    package var scanID: Int32
    /// User and system time so far.
    package var processorSeconds: Double
  }

  package static func workers() -> [Entry] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap(Int32.init).compactMap { id in
      let words = text("/proc/\(id)/cmdline").split(separator: "\0")
      guard words.count >= 4, words[0] == "deadwax", words[1] == "worker", let scanID = Int32(words[3]),
        let fields = status(id)
      else { return nil }
      // proc(5): utime and stime are the 14th and 15th, counted from the state, the 3rd.
      let ticks = (Double(fields[11]) ?? 0) + (Double(fields[12]) ?? 0)
      return Entry(
        processID: id, scanID: scanID, processorSeconds: ticks / Double(sysconf(Int32(_SC_CLK_TCK))))
    }
  }

  /// Whether a process exists and is not a zombie.
  package static func isRunning(_ id: Int32) -> Bool { status(id) != nil }

  /// The most memory that a process has ever held, in bytes; nil when it is gone, and until it executes its program: before
  /// that it shows the memory of this process, which starts it.
  package static func peakMemory(of id: Int32) -> Int? {
    guard let program = executable(of: "\(id)"), program != executable(of: "self") else { return nil }
    let line = text("/proc/\(id)/status").split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line?.split(separator: " ").compactMap { Int($0) }.first.map { $0 * 1024 }
  }

  private static func executable(of id: String) -> String? {
    try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(id)/exe")
  }

  /// How many descriptors a process has open; 0 when it is gone.
  package static func descriptorCount(of id: Int32) -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/fd").count) ?? 0
  }

  /// The fields of /proc/ID/stat from the state on; nil for a process that has ended.
  private static func status(_ id: Int32) -> [Substring]? {
    // The name before them is in parentheses and may hold anything.
    let fields = text("/proc/\(id)/stat").split(separator: ")").last?.split(separator: " ") ?? []
    guard fields.count > 12, fields[0] != "Z", fields[0] != "X" else { return nil }
    return fields
  }

  private static func text(_ path: String) -> String {
    guard let file = FileHandle(forReadingAtPath: path), let bytes = try? file.readToEnd() else { return "" }
    return String(decoding: bytes, as: UTF8.self)
  }
}

internal import Foundation
internal import Glibc

/// The high-water marks of a running process and of its children, read from /proc while they live.
///
/// The kernel keeps the marks, so looking now and then misses only what a process reaches between the last look and its
/// end. Pages of the program file count in every process that has them mapped.
struct MemoryWatch {
  private(set) var ownBytes = 0
  /// The largest of any child.
  private(set) var childBytes = 0

  mutating func look(at processID: pid_t) {
    ownBytes = max(ownBytes, Self.highWaterMark(of: processID))
    let children = Self.text("/proc/\(processID)/task/\(processID)/children").split(separator: " ")
    for child in children.compactMap({ pid_t($0) }) { childBytes = max(childBytes, Self.highWaterMark(of: child)) }
  }

  private static func highWaterMark(of processID: pid_t) -> Int {
    let line = text("/proc/\(processID)/status").split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    let kibibytes = line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0
    return kibibytes << 10
  }

  private static func text(_ path: String) -> String {
    guard let file = fopen(path, "r") else { return "" }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 16 << 10)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes[..<count], as: UTF8.self)
  }
}

internal import Base
internal import Foundation
internal import Glibc

/// What the numbers were measured on.
struct Machine {
  var processor: String
  var processorCount: Int
  var memoryInBytes: Int64
  var kernel: String
  var architecture: String
  var swift: String

  static func current() -> Machine {
    var system = utsname()
    uname(&system)
    return Machine(
      processor: field("model name", of: "/proc/cpuinfo") ?? "unknown",
      processorCount: max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))),
      memoryInBytes: Int64(sysconf(Int32(_SC_PHYS_PAGES))) * Int64(sysconf(Int32(_SC_PAGESIZE))),
      kernel: text(of: system.release), architecture: text(of: system.machine), swift: swiftVersion)
  }

  /// The version of the compiler that built this program.
  static var swiftVersion: String {
    #if compiler(>=6.5)
      "6.5 or newer"
    #elseif compiler(>=6.4)
      "6.4"
    #elseif compiler(>=6.3)
      "6.3"
    #else
      "6.2"
    #endif
  }

  var text: String {
    "\(processor), \(processorCount) processors, \(memoryInBytes >> 20) MiB, Linux \(kernel) \(architecture), Swift \(swift)"
  }

  var json: JSONValue {
    .object([
      "table": .string("machine"), "processor": .string(processor), "processors": .integer(processorCount),
      "memory_bytes": .integer(memoryInBytes), "kernel": .string(kernel), "architecture": .string(architecture),
      "swift": .string(swift), "time": .string(Timestamp(secondsSince1970: Int64(time(nil))).description),
    ])
  }

  private static func field(_ name: String, of path: String) -> String? {
    let lines = (try? String(contentsOfFile: path, encoding: .utf8))?.split(separator: "\n") ?? []
    return lines.first { $0.hasPrefix(name) }?.split(separator: ":").last?.trimmingCharacters(in: .whitespaces)
  }

  /// The text of a C array of characters that ends at a NUL.
  private static func text<Characters>(of characters: Characters) -> String {
    withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}

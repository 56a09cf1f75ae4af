/// The most that a process held of what it must not hold without bounds.
package struct ResourcePeak: Sendable, CustomStringConvertible {
  package var byteCount = 0
  package var descriptorCount = 0

  /// What a scan of any folder stays below.
  package var isBounded: Bool { byteCount < 256 << 20 && descriptorCount < 64 }

  package var description: String { "\(byteCount >> 20) MiB, \(descriptorCount) descriptors" }
}

extension RunningCommand {
  /// Looks at the process again and again until it has ended.
  package func resourcePeak() async throws -> ResourcePeak {
    var peak = ResourcePeak()
    while isRunning {
      if let byteCount = ProcessTable.peakMemory(of: processID) {
        peak.byteCount = max(peak.byteCount, byteCount)
        peak.descriptorCount = max(peak.descriptorCount, ProcessTable.descriptorCount(of: processID))
      }
      try await Task.sleep(for: .milliseconds(10))
    }
    return peak
  }
}

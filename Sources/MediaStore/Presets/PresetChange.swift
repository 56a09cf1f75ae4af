/// One command that changed presets or assignments.
package struct PresetChange: Hashable, Sendable {
  package var id: Int64
  /// Such as `assign Warm to 12 tracks`.
  package var summary: String
  /// Seconds since 1970.
  package var madeAt: Int64
  package var undoneAt: Int64?
}

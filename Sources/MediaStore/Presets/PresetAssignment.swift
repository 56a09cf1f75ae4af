/// A preset for a subject, or a subject that is switched off.
package struct PresetAssignment: Hashable, Sendable {
  package var subject: PresetSubject
  /// nil where nothing but the switch was set.
  package var presetName: String?
  /// Switched off, it silences all presets of what is below the subject, too.
  package var isOn: Bool
  /// Seconds since 1970.
  package var assignedAt: Int64
}

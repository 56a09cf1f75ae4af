/// Which preset a track is heard with, and why.
package struct PresetResolution: Hashable, Sendable {
  /// Every assignment that concerns the track, the most specific first.
  package var assignments: [PresetAssignment]

  /// The assignment whose preset applies.
  package var applied: PresetAssignment? { silenced == nil ? assignments.first { $0.presetName != nil } : nil }

  /// The most specific switch that is off; then no preset applies.
  package var silenced: PresetAssignment? { assignments.first { !$0.isOn } }

  package var presetName: String? { applied?.presetName }
}

package import MediaModel

/// What is particular to a room.
package struct RoomAcoustics: Hashable, Sendable {
  /// Seconds in which sound of up to 1 kHz dies away by 60 dB.
  package let reverberationTimeInSeconds: Double
  /// The time at 5 kHz, as a part of that.
  let trebleRatio: Double
  /// Between the sound and the first that comes back.
  let delayInSeconds: Double
  /// Of the shortest and the longest path.
  let pathsInSeconds: ClosedRange<Double>

  package init(_ room: Reverberation.Room) {
    let values: (time: Double, treble: Double, delay: Double, paths: ClosedRange<Double>) =
      switch room {
      case .smallRoom: (0.4, 0.6, 0.002, 0.005...0.017)
      case .mediumRoom: (0.7, 0.6, 0.005, 0.009...0.029)
      case .largeRoom: (1.0, 0.55, 0.009, 0.014...0.041)
      case .mediumChamber: (1.2, 0.65, 0.008, 0.012...0.037)
      case .largeChamber: (1.8, 0.65, 0.012, 0.017...0.047)
      case .plate: (1.5, 0.85, 0, 0.007...0.031)
      case .mediumHall: (1.8, 0.5, 0.018, 0.023...0.067)
      case .largeHall: (2.6, 0.45, 0.025, 0.031...0.089)
      case .cathedral: (5.0, 0.4, 0.035, 0.041...0.113)
      }
    (reverberationTimeInSeconds, trebleRatio, delayInSeconds, pathsInSeconds) =
      (values.time, values.treble, values.delay, values.paths)
  }

  /// How long is waited for silence: what is left then lies 90 dB below.
  package var tailInSeconds: Double { 1.5 * reverberationTimeInSeconds + delayInSeconds }
}

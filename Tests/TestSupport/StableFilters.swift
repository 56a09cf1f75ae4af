package import MediaModel

extension BiquadCoefficients {
  /// Whether both poles are inside the unit circle.
  package var isStable: Bool { abs(a2) < 1 && abs(a1) < 1 + a2 }
}

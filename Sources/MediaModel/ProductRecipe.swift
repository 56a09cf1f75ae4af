/// What this version of the program makes: the algorithm version and parameters of each kind of product.
package struct ProductRecipe: Hashable, Sendable {
  package var kind: ProductKind
  package var version: Int
  package var parameters: String

  package init(kind: ProductKind, version: Int, parameters: String) {
    self.kind = kind
    self.version = version
    self.parameters = parameters
  }

  /// Whether a stored product can stay; nil stands for one that was never made.
  package func accepts(version stored: Int?, parameters: String?) -> Bool {
    reasonToRedo(version: stored, parameters: parameters) == nil
  }

  /// Why a stored product must be made anew; nil where it can stay. A version of nil stands for one that was never made.
  package func reasonToRedo(version stored: Int?, parameters: String?) -> RedoReason? {
    guard let stored else { return .missing }
    if stored != version { return stored < version ? .olderVersion : .newerVersion }
    return parameters == self.parameters ? nil : .otherParameters
  }

  /// Whether a product of another library is worth more than a stored one: one that can stay is worth more than one that
  /// cannot, and then the newer one; of equals the stored one.
  package func prefers(version: Int, parameters: String, to stored: (version: Int, parameters: String)) -> Bool {
    let canStay = accepts(version: version, parameters: parameters)
    guard canStay == accepts(version: stored.version, parameters: stored.parameters) else { return canStay }
    return version > stored.version
  }

  /// The recipes in force, one for each kind.
  package static let current: [ProductRecipe] = [
    ProductRecipe(kind: .waveform, version: 1, parameters: "bits=8 frames_per_point=256"),
    ProductRecipe(kind: .channelWaveform, version: 1, parameters: "bits=8 frames_per_point=512"),
    ProductRecipe(kind: .waveformEnergy, version: 2, parameters: "frames_per_point=1024 split_hz=600,4000"),
    ProductRecipe(kind: .spectrum, version: 2, parameters: "bands=80 from_hz=100 to_hz=18000"),
    ProductRecipe(kind: .spectrogram, version: 2, parameters: "bands=80 columns_per_second=4 step_db=0.5"),
    ProductRecipe(kind: .loudness, version: 1, parameters: "bins_per_lu=10 floor_lufs=-70"),
    ProductRecipe(kind: .fingerprint, version: 1, parameters: "algorithm=2 length_s=120"),
    ProductRecipe(
      kind: .measures, version: 2,
      parameters: "silence_dbfs=-60 flatness_to_hz=20000 cutoff_gap_hz=500 cutoff_height_db=12,36"),
  ]

  package static func current(_ kind: ProductKind) -> ProductRecipe {
    current.first { $0.kind == kind } ?? ProductRecipe(kind: kind, version: 0, parameters: "")
  }
}

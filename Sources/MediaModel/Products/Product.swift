/// A stored analysis of a recording, with what is needed to decide whether it must be recomputed.
package struct Product: Hashable, Sendable {
  package var kind: ProductKind
  /// The version of the algorithm; a product of an older version is stale.
  package var version: Int
  /// The parameters of the algorithm, in the form `name=value name=value`.
  package var parameters: String
  /// In the layout for `kind` and `version` in docs/formats.md.
  package var bytes: [UInt8]

  package init(kind: ProductKind, version: Int, parameters: String, bytes: [UInt8]) {
    self.kind = kind
    self.version = version
    self.parameters = parameters
    self.bytes = bytes
  }
}

/// A kind of product; docs/formats.md has the layout of each.
package enum ProductKind: String, CaseIterable, Comparable, Sendable {
  /// Minimum and maximum of the mono mix, 8 bit, 256 frames per point.
  case waveform
  /// Minimum and maximum of each of the first eight channels, 8 bit, 512 frames per point.
  case channelWaveform = "waveform-channels"
  /// RMS and the energy of three bands of the mono mix, 1,024 frames per point.
  case waveformEnergy = "waveform-energy"
  /// Mean and maximum spectrum of the whole recording.
  case spectrum
  /// Logarithmic bands over time, four columns per second.
  case spectrogram
  /// A loudness histogram of 400 ms blocks, for the loudness of albums.
  case loudness
  /// The AcoustID fingerprint of the first two minutes.
  case fingerprint
  /// Peaks of the spectrum over time, by which excerpts and copies are found.
  case landmarks
  /// When something begins, and the tempi that suggests.
  case rhythm
  /// Which pitches sound, in tenths of semitones.
  case chroma
  /// Statistics by which recordings are compared.
  case similarity
  /// Single numbers: levels, loudness, offsets, silence.
  case measures

  package static func < (left: ProductKind, right: ProductKind) -> Bool { left.rawValue < right.rawValue }
}

/// Why a product must be recomputed.
package enum RedoReason: String, CaseIterable, Comparable, Sendable {
  case missing
  /// Its bytes are damaged or missing.
  case damaged
  case olderVersion = "older version"
  case newerVersion = "newer version"
  case otherParameters = "other parameters"
  /// Neither stale nor missing, but requested by the user.
  case forced

  package static func < (left: RedoReason, right: RedoReason) -> Bool { left.rawValue < right.rawValue }
}

/// How this version of the program makes a kind of product: the version of the algorithm and its parameters.
package struct ProductRecipe: Hashable, Sendable {
  package var kind: ProductKind
  package var version: Int
  package var parameters: String

  package init(kind: ProductKind, version: Int, parameters: String) {
    self.kind = kind
    self.version = version
    self.parameters = parameters
  }

  /// Whether a stored product is current; nil means that there is none.
  package func accepts(version stored: Int?, parameters: String?) -> Bool {
    reasonToRedo(version: stored, parameters: parameters) == nil
  }

  /// Why a stored product must be recomputed; nil if it is current, also if it is coarser because of its size (see
  /// ``ProductCoarseness``). A version of nil means that there is no product.
  package func reasonToRedo(version stored: Int?, parameters: String?) -> RedoReason? {
    guard let stored else { return .missing }
    if stored != version { return stored < version ? .olderVersion : .newerVersion }
    return allows(parameters) ? nil : .otherParameters
  }

  /// Whether a product of another library should replace a stored one: a current product is preferred, then the newer
  /// one, and among equals the stored one.
  package func prefers(version: Int, parameters: String, to stored: (version: Int, parameters: String)) -> Bool {
    let canStay = accepts(version: version, parameters: parameters)
    guard canStay == accepts(version: stored.version, parameters: stored.parameters) else { return canStay }
    return version > stored.version
  }

  /// The current recipes, one for each kind.
  package static let current: [ProductRecipe] = [
    ProductRecipe(kind: .waveform, version: 1, parameters: "bits=8 frames_per_point=256"),
    ProductRecipe(kind: .channelWaveform, version: 1, parameters: "bits=8 frames_per_point=512"),
    ProductRecipe(kind: .waveformEnergy, version: 2, parameters: "frames_per_point=1024 split_hz=600,4000"),
    ProductRecipe(kind: .spectrum, version: 2, parameters: "bands=80 from_hz=100 to_hz=18000"),
    ProductRecipe(kind: .spectrogram, version: 2, parameters: "bands=80 columns_per_second=4 step_db=0.5"),
    ProductRecipe(kind: .loudness, version: 1, parameters: "bins_per_lu=10 floor_lufs=-70"),
    ProductRecipe(kind: .fingerprint, version: 1, parameters: "algorithm=2 length_s=120"),
    ProductRecipe(kind: .landmarks, version: 1, parameters: "peaks_per_s=6 columns_per_s=43"),
    ProductRecipe(kind: .rhythm, version: 1, parameters: "columns_per_s=43 bpm=40-240"),
    ProductRecipe(kind: .similarity, version: 1, parameters: "statistics=\(SimilarityStatistics.count)"),
    ProductRecipe(kind: .chroma, version: 1, parameters: "steps=120 bands_hz=55,220,880,2000"),
    ProductRecipe(
      kind: .measures, version: 2,
      parameters: "silence_dbfs=-60 flatness_to_hz=20000 cutoff_gap_hz=500 cutoff_height_db=12,36"),
  ]

  package static func current(_ kind: ProductKind) -> ProductRecipe {
    current.first { $0.kind == kind } ?? ProductRecipe(kind: kind, version: 0, parameters: "")
  }
}

internal import MediaModel
internal import MediaStore

/// A track's fingerprint with its duration, in the forms of Chromaprint's `fpcalc`.
struct FingerprintText {
  let fingerprint: AcoustIDFingerprint
  let durationInSeconds: Double
  /// Whether the words are written as numbers instead of the compressed text.
  var isRaw = false

  /// nil where the recording has no fingerprint, or one without words.
  init?(ofRecording id: Int64, durationInSeconds: Double?, in store: MediaStore, isRaw: Bool = false) throws {
    guard let product = try store.product(.fingerprint, ofRecording: id) else { return nil }
    fingerprint = try AcoustIDFingerprint(compressed: product.bytes)
    guard !fingerprint.words.isEmpty else { return nil }
    self.durationInSeconds = durationInSeconds ?? 0
    self.isRaw = isRaw
  }

  /// Cut off, not rounded: so does `fpcalc`, and so does AcoustID expect it.
  var wholeSeconds: Int64 { Int64(max(0, min(durationInSeconds, 1e12))) }

  var words: String { isRaw ? fingerprint.rawText : fingerprint.text }

  /// Two lines.
  var text: String { "DURATION=\(wholeSeconds)\nFINGERPRINT=\(words)\n" }

  /// The members of a JSON object, without braces.
  var jsonMembers: String {
    "\"duration\": \(NumberText.decimal(durationInSeconds, 2)), "
      + "\"fingerprint\": \(isRaw ? "[\(words)]" : "\"\(words)\"")"
  }

  /// The beginning, for people.
  var shortText: String { "\(fingerprint.text.prefix(24))…, \(NumberText.count(fingerprint.words.count, "word"))" }
}

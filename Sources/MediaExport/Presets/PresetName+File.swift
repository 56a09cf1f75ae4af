internal import MediaModel

extension PresetName {
  /// What a file's name says of its preset: without the ending, and without what AutoEq adds.
  init(fileName: String) throws(PresetError) {
    var stem = fileName[...]
    if let dot = stem.lastIndex(of: "."), dot > stem.startIndex { stem = stem[..<dot] }
    for suffix in [" ParametricEQ", " GraphicEQ", " FixedBandEQ"] where stem.hasSuffix(suffix) {
      stem = stem.dropLast(suffix.count)
    }
    let harmless = String(
      String.UnicodeScalarView(
        stem.unicodeScalars.map { $0.isControl ? "_" : $0 }))
    let isUsable = (try? PresetName(harmless)) != nil
    let short = String(harmless.unicodeScalars.prefix(Self.maximumLength / 2))
    try self.init(isUsable ? harmless : (try? PresetName(short)) != nil ? short : "Imported")
  }

  /// With a number behind it.
  func numbered(_ number: Int) throws(PresetError) -> PresetName {
    let isShort = text.count + 12 <= Self.maximumLength
    let stem = isShort ? text : String(text.unicodeScalars.prefix(Self.maximumLength / 2))
    return try PresetName("\(stem) (\(number))")
  }
}

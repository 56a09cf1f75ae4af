internal import MediaExport
internal import MediaModel

/// From a stored spectrum to the bytes of a file, or to a drawing for the terminal.
struct SpectrumRendering: Sendable {
  static var formats: [String] { ["json", "csv"] + PictureFormat.allCases.map(\.rawValue) }

  let kind: SpectrumCommand.Kind
  let extent: SpectrumExtentOptions
  let look: SpectrumLookOptions

  func bytes(of product: Product, format: String) throws -> [UInt8] {
    switch (kind, PictureFormat(rawValue: format)) {
    case (.average, let format?):
      return try picture(of: try tables(product)).bytes(as: format, compression: look.png.compression)
    case (.spectrogram, let format?):
      return try picture(of: try section(product)).bytes(as: format, compression: look.png.compression)
    case (.average, nil):
      let tables = try tables(product)
      guard extent.splitChannels else { return Array((format == "json" ? tables[0].jsonText : tables[0].csvText).utf8) }
      let channels = named(tables)
      return Array((format == "json" ? SpectrumTable.jsonText(channels) : SpectrumTable.csvText(channels)).utf8)
    case (.spectrogram, nil):
      let section = try section(product)
      return Array((format == "json" ? section.jsonText : section.csvText).utf8)
    }
  }

  func drawing(of product: Product, columns: Int, capabilities: TerminalCapabilities) throws -> String {
    switch kind {
    case .average:
      let tables = try tables(product)
      return zip(tables, named(tables)).map { table, channel in
        (tables.count > 1 ? channel.name + "\n" : "")
          + TerminalPictures.spectrum(table, width: columns, height: look.height ?? 8, capabilities: capabilities)
      }.joined()
    case .spectrogram:
      return TerminalPictures.spectrogram(
        try section(product), width: columns, height: look.height ?? 16, capabilities: capabilities)
    }
  }

  /// What must be known of the levels of bands that were asked for; nil where there is nothing.
  func remark(on product: Product) throws -> String? {
    guard let table = try tables(product).first, let width = table.resolutionInHz else { return nil }
    let count = table.unresolvedBandCount
    guard count > 0 else { return nil }
    return "\(PlainText.count(count, "band")) narrower than the \(DecimalText.number(width, places: 1)) Hz that are "
      + "stored: neighbours share what is known"
  }

  private func tables(_ product: Product) throws -> [SpectrumTable] {
    try extent.request.tables(from: try SpectrumSummary(blob: product.bytes))
  }

  private func section(_ product: Product) throws -> SpectrogramSection {
    extent.section(of: try SpectrumGrid(blob: product.bytes))
  }

  private func named(_ tables: [SpectrumTable]) -> [(name: String, table: SpectrumTable)] {
    Array(zip(tables.count == 1 ? ["mono"] : ["left", "right"], tables)).map { (name: $0, table: $1) }
  }

  private func picture(of tables: [SpectrumTable]) throws -> SpectrumPicture {
    var picture = SpectrumPicture(size: try size, table: tables[0])
    if tables.count > 1 { picture.right = tables[1] }
    picture.theme = look.theme.theme
    picture.scale = look.frequency
    picture.levels = look.range
    return picture
  }

  private func picture(of section: SpectrogramSection) throws -> SpectrogramPicture {
    var picture = SpectrogramPicture(size: try size, section: section)
    picture.colors = look.colorMap.colors
    picture.theme = look.theme.theme
    picture.scale = look.frequency
    picture.levels = look.range
    return picture
  }

  private var size: PictureSize {
    get throws { try PictureSize(width: look.width ?? 800, height: look.height ?? 400) }
  }
}

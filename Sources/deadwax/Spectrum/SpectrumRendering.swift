internal import MediaExport
internal import MediaModel

/// From a track's spectrum to the bytes of a file, or to a drawing for the terminal.
struct SpectrumRendering: Sendable {
  static var formats: [String] { ["json", "csv"] + PictureFormat.allCases.map(\.rawValue) }

  /// Columns of data for `--zoom auto` where no width is given.
  private static let dataColumnCount = 800

  let kind: SpectrumCommand.Kind
  let extent: SpectrumExtentOptions
  let look: SpectrumLookOptions

  /// - Parameter title: what a picture says of the track.
  func bytes(of reading: SpectrumLoader, title: String, format: String) throws -> [UInt8] {
    switch (kind, PictureFormat(rawValue: format)) {
    case (.average, let format?):
      var picture = try picture(of: try tables(reading))
      picture.title = title
      return try picture.bytes(as: format, compression: look.png.compression)
    case (.spectrogram, let format?):
      var picture = try spectrogram(of: reading)
      picture.title = title
      return try picture.bytes(as: format, compression: look.png.compression)
    case (.average, nil):
      let tables = try tables(reading)
      guard extent.splitChannels else { return Array((format == "json" ? tables[0].jsonText : tables[0].csvText).utf8) }
      let channels = named(tables)
      return Array((format == "json" ? SpectrumTable.jsonText(channels) : SpectrumTable.csvText(channels)).utf8)
    case (.spectrogram, nil):
      var request = extent.spectrogramRequest
      request.scale = look.frequency
      request.isForText = true
      if extent.zoom == .auto { request.zoom = .fitting(columnCount: look.width ?? Self.dataColumnCount) }
      let section = try reading.section(for: request, extent)
      return Array((format == "json" ? section.jsonText : section.csvText).utf8)
    }
  }

  func drawing(of reading: SpectrumLoader, columns: Int, capabilities: TerminalCapabilities) throws -> String {
    switch kind {
    case .average:
      let tables = try tables(reading)
      return zip(tables, named(tables)).map { table, channel in
        (tables.count > 1 ? channel.name + "\n" : "")
          + TerminalPictures.spectrum(
            table, width: columns, height: look.height ?? 8, scale: look.frequency, levels: look.range,
            capabilities: capabilities)
      }.joined()
    case .spectrogram:
      let rows = look.height ?? 16
      let request = shown(in: columns, rowCount: 2 * rows, of: reading)
      return TerminalPictures.spectrogram(
        try reading.section(for: request, extent), width: columns, height: rows, scale: look.frequency,
        levels: look.range, colors: look.colorMap.colors, capabilities: capabilities)
    }
  }

  private func tables(_ reading: SpectrumLoader) throws -> [SpectrumTable] {
    try reading.tables(for: try extent.averageRequest, extent)
  }

  /// A part or a zoom that was asked for fills the width; else all is shown, as it is stored.
  private func shown(in columnCount: Int, rowCount: Int, of reading: SpectrumLoader) -> SpectrogramRequest {
    var request = extent.spectrogramRequest
    request.scale = look.frequency
    request.decodedBandCount = max(80, min(rowCount, 512))
    switch request.zoom {
    case .framesPerColumn, .columnsPerSecond:
      guard request.endInSeconds == nil else { break }
      let rate = Double(max(reading.sampleRateInHz, 1))
      let perColumn: Double =
        if case .framesPerColumn(let frames) = request.zoom { Double(frames) / rate } else {
          1 / Double(extent.pixelsPerSecond ?? 1)
        }
      request.endInSeconds = request.startInSeconds + perColumn * Double(columnCount)
    case .stored, .fitting:
      if extent.part.isGiven || extent.zoom == .auto || !request.hasStoredBands {
        request.zoom = .fitting(columnCount: columnCount)
      }
    }
    return request
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

  private func spectrogram(of reading: SpectrumLoader) throws -> SpectrogramPicture {
    let size = try size
    let plot = SpectrogramPicture.plotSize(of: size)
    let request = shown(in: plot.width, rowCount: plot.height, of: reading)
    var picture = SpectrogramPicture(size: size, section: try reading.section(for: request, extent))
    if extent.part.end == nil, request.zoom != .stored, let end = request.endInSeconds {
      picture.durationInSeconds = end - request.startInSeconds
    }
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

package import MediaDrawing
internal import MediaExchange
internal import MediaModel

/// Turns a track's spectrum into the bytes of a file, or into a drawing for a terminal.
package struct SpectrumRenderer: Sendable {
  /// Columns of data for a zoom that fits if no width is given.
  private static let dataColumnCount = 800

  private let kind: SpectrumKind
  private let extent: SpectrumExtent
  private let look: SpectrumLook

  package init(kind: SpectrumKind, extent: SpectrumExtent, look: SpectrumLook) {
    self.kind = kind
    self.extent = extent
    self.look = look
  }

  /// - Parameters:
  ///   - spectrum: Of the renderer's kind.
  ///   - title: Drawn on a picture.
  package func bytes(of spectrum: TrackSpectrum, title: String, as format: SpectrumFormat) throws -> [UInt8] {
    switch (kind, format.picture) {
    case (.average, let picture?):
      var drawn = try averagePicture(of: try tables(of: spectrum))
      drawn.title = title
      return try drawn.bytes(as: picture, compression: look.compression)
    case (.spectrogram, let picture?):
      var drawn = try spectrogramPicture(of: spectrum)
      drawn.title = title
      return try drawn.bytes(as: picture, compression: look.compression)
    case (.average, nil):
      let tables = try tables(of: spectrum)
      guard extent.splitsChannels else {
        return Array((format == .json ? tables[0].jsonText : tables[0].csvText).utf8)
      }
      let channels = Self.named(tables)
      return Array((format == .json ? SpectrumTable.jsonText(channels) : SpectrumTable.csvText(channels)).utf8)
    case (.spectrogram, nil):
      var request = extent.spectrogramRequest
      request.scale = look.scale
      request.isForText = true
      if extent.zoom == .fitting { request.zoom = .fitting(columnCount: look.width ?? Self.dataColumnCount) }
      let section = try spectrum.section(for: request, extent: extent)
      return Array((format == .json ? section.jsonText : section.csvText).utf8)
    }
  }

  /// Lines of text; the height of the look counts lines.
  package func drawing(
    of spectrum: TrackSpectrum, columns: Int, capabilities: TerminalCapabilities
  ) throws -> String {
    switch kind {
    case .average:
      let tables = try tables(of: spectrum)
      return Self.named(tables).map { channel in
        (tables.count > 1 ? channel.name + "\n" : "")
          + TerminalPictures.spectrum(
            channel.table, width: columns, height: look.height ?? 8, scale: look.scale, levels: look.levels,
            capabilities: capabilities)
      }.joined()
    case .spectrogram:
      let rows = look.height ?? 16
      let request = shown(in: columns, rowCount: 2 * rows, of: spectrum)
      return TerminalPictures.spectrogram(
        try spectrum.section(for: request, extent: extent), width: columns, height: rows, scale: look.scale,
        levels: look.levels, colors: look.colors, capabilities: capabilities)
    }
  }

  // MARK: - Average

  private func tables(of spectrum: TrackSpectrum) throws -> [SpectrumTable] {
    try spectrum.tables(for: try extent.averageRequest(), part: extent.part)
  }

  private static func named(_ tables: [SpectrumTable]) -> [(name: String, table: SpectrumTable)] {
    zip(tables.count == 1 ? ["mono"] : ["left", "right"], tables).map { (name: $0, table: $1) }
  }

  private func averagePicture(of tables: [SpectrumTable]) throws -> SpectrumPicture {
    var picture = SpectrumPicture(size: try look.pictureSize(), table: tables[0])
    if tables.count > 1 { picture.right = tables[1] }
    picture.theme = look.theme
    picture.scale = look.scale
    picture.levels = look.levels
    return picture
  }

  // MARK: - Spectrogram

  private func spectrogramPicture(of spectrum: TrackSpectrum) throws -> SpectrogramPicture {
    let size = try look.pictureSize()
    let plot = SpectrogramPicture.plotSize(of: size)
    let request = shown(in: plot.width, rowCount: plot.height, of: spectrum)
    var picture = SpectrogramPicture(size: size, section: try spectrum.section(for: request, extent: extent))
    if extent.part.endInSeconds == nil, request.zoom != .stored, let end = request.endInSeconds {
      picture.durationInSeconds = end - request.startInSeconds
    }
    picture.colors = look.colors
    picture.theme = look.theme
    picture.scale = look.scale
    picture.levels = look.levels
    return picture
  }

  /// A part or a zoom that was asked for fills the width; otherwise everything is shown as it is stored.
  private func shown(in columnCount: Int, rowCount: Int, of spectrum: TrackSpectrum) -> SpectrogramRequest {
    var request = extent.spectrogramRequest
    request.scale = look.scale
    request.decodedBandCount = max(80, min(rowCount, 512))
    let secondsPerColumn: Double? =
      switch request.zoom {
      case .framesPerColumn(let frames): Double(frames) / Double(max(spectrum.sampleRateInHz, 1))
      case .columnsPerSecond(let columns): 1 / Double(columns)
      case .stored, .fitting: nil
      }
    if let secondsPerColumn {
      if request.endInSeconds == nil {
        request.endInSeconds = request.startInSeconds + secondsPerColumn * Double(columnCount)
      }
    } else if extent.part.isGiven || extent.zoom == .fitting || !request.hasStoredBands {
      request.zoom = .fitting(columnCount: columnCount)
    }
    return request
  }
}

import MediaModel

/// A format of samples behind a header.
protocol SampleFormat: FileFormat {
  /// Reads the header.
  func layout(_ bytes: BufferedBytes) throws(DecodingError) -> PCMLayout
}

extension SampleFormat {
  /// What a file holds that begins as one of this format; a header that makes no sense says nothing about the codec.
  func content(_ bytes: BufferedBytes, in container: Container) throws(DecodingError) -> SniffedContent {
    do throws(DecodingError) {
      let layout = try self.layout(bytes)
      return .audio(container, layout.codec, name: layout.codec?.rawValue ?? layout.codecName)
    } catch {
      if case .unreadable = error { throw error }
      return .audio(container, nil, name: container.rawValue)
    }
  }

  func open(_ file: SniffedFile, hashers: StreamHashers?) throws(DecodingError) -> any StreamLayout {
    var layout = try self.layout(file.bytes)
    try layout.findStream(file.bytes, in: file.container, hashers: hashers)
    return layout
  }
}

internal import AudioDecoding
internal import MediaExport
internal import MediaImport
internal import MediaModel

/// A range of a track on its way into a sound file, block by block.
struct SegmentWriting {
  let reader: SegmentReader
  let frames: Range<Int64>
  let encoder: any SoundEncoder
  /// Where each channel of the file comes from; nil for the order they have.
  let permutation: [Int]?

  func write(to file: OutputFileOptions, protecting inputs: [BytePath]) throws {
    guard file.isStandardOutput else {
      let output = try OutputFile(BytePath(argument: file.output ?? "")).begin(protecting: inputs)
      if encoder.rewritesStart, !output.isReplaceable {
        try spooled { try output.append($0) }
      } else {
        let start = try encode { try output.append($0) }
        if !start.isEmpty { try output.replaceStart(with: start) }
      }
      return try output.commit()
    }
    if encoder.rewritesStart {
      try spooled { try StandardOutput.write(bytes: $0) }
    } else {
      _ = try encode { try StandardOutput.write(bytes: $0) }
    }
  }

  /// Encodes into a temporary file first, because the start is known at the end.
  private func spooled(_ write: ([UInt8]) throws -> Void) throws {
    let spool = try SpooledOutput()
    let start = try encode { try spool.append($0) }
    try spool.replaceStart(with: start)
    try spool.forEachPiece(write)
  }

  /// - Returns: what takes the place of the first bytes.
  private func encode(_ write: ([UInt8]) throws -> Void) throws -> [UInt8] {
    let count = try reader.forEachPiece(of: frames) { samples in
      if let permutation {
        let reordered = ChannelOrder.reordered(samples, by: permutation)
        try write(try encoder.encode(reordered.span))
      } else {
        try write(try encoder.encode(samples))
      }
    }
    guard count == Int64(frames.count) else {
      throw TrackFailure.missingFrames(Int64(frames.count) - count)
    }
    let (end, start) = try encoder.finish()
    if !end.isEmpty { try write(end) }
    return start
  }
}

internal import MediaModel

extension WaveformPicture {
  /// Draws one channel into its row of pixels.
  func drawRow(_ row: PixelRectangle, channel: Int, factor: Double, on canvas: borrowing Canvas) {
    let color = colors.waveform(ofChannel: channel)
    let groups: [Group]
    switch shape {
    case .normal: groups = columns(of: channel, in: row, factor: factor)
    case .bars(let width, let gap, _): groups = bars(of: channel, width: width, gap: gap, in: row, factor: factor)
    }
    switch (style, energy) {
    case (.bands, let energy?):
      for group in groups {
        fill([group.rectangle], with: BandColor.color(of: BandEnergy(energy, frames: frames(of: group))), on: canvas)
      }
    case (.rms, let energy?):
      fill(groups.map(\.rectangle), with: color.mixed(with: colors.background, 0.6), on: canvas)
      fill(groups.compactMap { rms(of: $0, energy: energy, in: row, factor: factor) }, with: color, on: canvas)
    default:
      fill(groups.map(\.rectangle), with: color, on: canvas)
    }
  }

  /// Points that are drawn as one shape.
  private struct Group {
    var points: Range<Int>
    var rectangle: PixelRectangle
  }

  /// The y coordinate of a 16-bit value, as audiowaveform computes it.
  static func y(of value: Int, in row: PixelRectangle) -> Int {
    row.y + row.height - 1 - (value + 32_768) * row.height / 65_536
  }

  private func columns(of channel: Int, in row: PixelRectangle, factor: Double) -> [Group] {
    visiblePoints.compactMap { point in
      guard let extremes = peaks.extremes(of: point..<point + 1, channel: channel) else { return nil }
      let top = Self.y(of: AmplitudeScale.scale(extremes.upperBound, by: factor), in: row)
      let bottom = Self.y(of: AmplitudeScale.scale(extremes.lowerBound, by: factor), in: row)
      return Group(
        points: point..<point + 1,
        rectangle: PixelRectangle(x: point - firstPoint, y: top, width: 1, height: bottom - top + 1))
    }
  }

  private func bars(of channel: Int, width: Int, gap: Int, in row: PixelRectangle, factor: Double) -> [Group] {
    let visiblePoints = visiblePoints
    guard !visiblePoints.isEmpty else { return [] }
    let width = max(1, min(width, size.width))
    let stride = width + max(0, min(gap, size.width))
    return Swift.stride(from: 0, to: size.width, by: stride).compactMap { x in
      let points = (firstPoint + x..<firstPoint + x + width).clamped(to: visiblePoints)
      guard let extremes = peaks.extremes(of: points, channel: channel) else { return nil }
      let excursion = max(abs(extremes.lowerBound), abs(extremes.upperBound))
      let amplitude = min(AmplitudeScale.scale(min(excursion, 32_767), by: factor), 32_767)
      let top = Self.y(of: amplitude, in: row)
      let bottom = Self.y(of: -amplitude, in: row)
      return Group(
        points: points,
        rectangle: PixelRectangle(
          x: x, y: top, width: min(width, size.width - x), height: bottom - top + 1))
    }
  }

  /// The part of a shape that is within the RMS level; nil if there is none.
  private func rms(
    of group: Group, energy: WaveformEnergy, in row: PixelRectangle, factor: Double
  ) -> PixelRectangle? {
    let level = AmplitudeScale.scale(BandEnergy(energy, frames: frames(of: group)).rmsIn16Bit, by: factor)
    let top = max(Self.y(of: level, in: row), group.rectangle.y + 1)
    let bottom = min(Self.y(of: -level, in: row), group.rectangle.bottom - 2)
    guard level > 0, bottom >= top else { return nil }
    return PixelRectangle(x: group.rectangle.x, y: top, width: group.rectangle.width, height: bottom - top + 1)
  }

  private func frames(of group: Group) -> Range<Int> {
    let origin = Int(clamping: firstFrame)
    let start = origin.addingReportingOverflow(
      group.points.lowerBound.multipliedReportingOverflow(by: peaks.framesPerPoint).partialValue)
    let length = group.points.count * peaks.framesPerPoint
    guard !start.overflow, start.partialValue >= 0, start.partialValue < Int.max - length else { return 0..<0 }
    return start.partialValue..<start.partialValue + length
  }

  private func fill(_ rectangles: [PixelRectangle], with color: PictureColor, on canvas: borrowing Canvas) {
    if case .bars(let width, _, true) = shape, width > 2 {
      let radius = Double(width) / (width > 4 ? 4 : 2)
      canvas.fill(rectangles.filter { $0.height >= 3 }, cornerRadius: radius, with: color)
      canvas.fill(rectangles.filter { $0.height < 3 }, with: color)
    } else {
      canvas.fill(rectangles, with: color)
    }
  }
}

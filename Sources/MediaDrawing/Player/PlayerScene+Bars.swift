internal import Base
internal import MediaModel

extension PlayerScene {
  /// Two layers of bars: the left channel upwards, the right one mirrored below, in the colours of Deadwax's ancestors.
  func drawSpectrum(on grid: inout CellGrid, _ canvas: PlayerCanvas) {
    let (rows, columns) = (canvas.layout.lower, canvas.layout.spectrumColumns)
    guard rows.count >= 3, columns.count >= 8, !left.heights.isEmpty else { return }
    let axisRow = rows.upperBound - 1
    let above = (rows.count - 1 + 1) / 2
    let below = rows.count - 1 - above
    for column in 0..<columns.count {
      let band = band(ofColumn: column, of: columns.count)
      draw(
        left, band, column: columns.lowerBound + column, from: rows.lowerBound + above - 1, count: above, step: -1,
        colors: (PictureColor(194, 21, 0), PictureColor(255, 197, 0)), on: &grid, canvas)
      draw(
        right, band, column: columns.lowerBound + column, from: rows.lowerBound + above, count: below, step: 1,
        colors: (PictureColor(28, 96, 110), PictureColor(52, 232, 158)), on: &grid, canvas)
    }
    guard let axis = FrequencyAxis(edgesInHz: bands.edgesInHz) else { return }
    for mark in axis.marks(length: columns.count, minimumDistance: 6) {
      let label = FrequencyAxis.label(hertz: mark.hertz)
      let column = columns.lowerBound + min(Int(mark.fraction * Double(columns.count)), columns.count - 1)
      guard column + label.count <= columns.upperBound else { continue }
      grid.write(label, column: column, row: axisRow, PlayerColors.faint)
    }
  }

  private func band(ofColumn column: Int, of count: Int) -> Range<Int> {
    TerminalPictures.place(column, of: count, in: 0..<left.heights.count)
  }

  /// One column of bars, from a row on in one direction.
  private func draw(
    _ bars: FallingBars, _ band: Range<Int>, column: Int, from row: Int, count: Int, step: Int,
    colors: (PictureColor, PictureColor), on grid: inout CellGrid, _ canvas: PlayerCanvas
  ) {
    guard count > 0, bars.heights.indices.contains(band.upperBound - 1) else { return }
    let height = (bars.heights[band].max() ?? 0) * Double(count)
    let peak = Int((bars.peaks[band].max() ?? 0) * Double(count))
    for index in 0..<count {
      let filled = height - Double(index)
      let color = colors.0.mixed(with: colors.1, Double(index) / Double(max(1, count - 1)))
      if let cell = Self.bar(filled: filled, fromAbove: step > 0, color, canvas) {
        grid[column, row + step * index] = cell
      } else if index == peak, peak > 0 {
        let sign = canvas.character(step < 0 ? "▁" : "▔", step < 0 ? "_" : "-")
        grid[column, row + step * index] = TerminalCell(sign, color.mixed(with: PlayerColors.shade, 0.5))
      }
    }
  }

  /// A cell that is filled from below or from above; nil if it is empty.
  private static func bar(
    filled: Double, fromAbove: Bool, _ color: PictureColor, _ canvas: PlayerCanvas
  ) -> TerminalCell? {
    guard canvas.capabilities.hasUnicode else {
      return filled >= 0.5 ? TerminalCell("#", color) : nil
    }
    let eighths = Int((max(0, min(filled, 1)) * 8).rounded())
    guard eighths > 0 else { return nil }
    let blocks = Array("▁▂▃▄▅▆▇█")
    guard fromAbove, eighths < 8 else { return TerminalCell(blocks[eighths - 1], color) }
    // There are no blocks from above, but the rest of a reversed cell is one.
    var cell = TerminalCell(blocks[7 - eighths], color)
    cell.isReversed = true
    return cell
  }

  private static let sliderLabels = ["32", "64", "125", "250", "500", "1k", "2k", "4k", "8k", "16k"]

  /// Ten sliders: bars from 0 dB up or down, the gain above, the frequency below.
  func drawSliders(on grid: inout CellGrid, _ canvas: PlayerCanvas) {
    let rows = canvas.layout.lower
    guard let columns = canvas.layout.sliderColumns, rows.count >= 4, sliders.count == 10 else { return }
    let width = min(columns.count / 10, 6)
    let start = columns.upperBound - 10 * width
    let trackCount = rows.count - 2
    let above = (trackCount + 1) / 2
    let below = trackCount - above
    let zero = rows.lowerBound + 1 + above
    for (index, gain) in sliders.enumerated() {
      let column = start + index * width
      let isSelected = index == selectedSlider
      let bar = max(1, width - 2)
      let color = isBypassed ? PlayerColors.faint : isSelected ? PlayerColors.accent : PictureColor(214, 180, 128)
      for offset in 0..<bar {
        for step in 0..<above {
          let filled = gain / 12 * Double(above) - Double(step)
          grid[column + offset, zero - 1 - step] =
            Self.bar(filled: filled, fromAbove: false, color, canvas) ?? track(offset, bar, canvas)
        }
        for step in 0..<below {
          let filled = -gain / 12 * Double(below) - Double(step)
          grid[column + offset, zero + step] =
            Self.bar(filled: filled, fromAbove: true, color, canvas) ?? track(offset, bar, canvas)
        }
      }
      let label = Self.sliderLabels[index]
      grid.write(
        label, column: column, row: rows.upperBound - 1, isSelected ? nil : PlayerColors.quiet,
        isBold: isSelected, isReversed: isSelected)
      let text =
        gain == 0
        ? canvas.sign(("·", "0"))
        : (gain > 0 ? "+" : canvas.sign(("−", "-")))
          + DecimalText.number(abs(gain), places: gain.rounded() == gain || width < 5 ? 0 : 1)
      grid.write(text, column: column, row: rows.lowerBound, isSelected ? nil : PlayerColors.faint, isBold: isSelected)
    }
  }

  private func track(_ offset: Int, _ width: Int, _ canvas: PlayerCanvas) -> TerminalCell {
    offset == (width - 1) / 2 ? TerminalCell(canvas.character("┊", "."), PlayerColors.faint) : TerminalCell()
  }
}

internal import Base

extension PlayerScene {
  /// The cells of the whole terminal.
  package func grid(width: Int, height: Int, _ capabilities: TerminalCapabilities) -> CellGrid {
    let layout = PlayerLayout(width: width, height: height, movesSliders: selectedSlider != nil)
    var grid = CellGrid(width: width, height: height)
    let canvas = PlayerCanvas(layout, capabilities)
    drawHeader(on: &grid, canvas)
    if showsHelp {
      drawHelp(on: &grid, canvas)
    } else {
      drawWaveform(on: &grid, canvas)
      drawTimes(on: &grid, canvas)
      drawSpectrum(on: &grid, canvas)
      drawSliders(on: &grid, canvas)
    }
    drawFooter(on: &grid, canvas)
    return grid
  }

  private func drawHeader(on grid: inout CellGrid, _ canvas: PlayerCanvas) {
    let (layout, columns) = (canvas.layout, canvas.layout.columns)
    let top = layout.height >= 12 ? 0 : 0
    let sign = canvas.sign(isPaused ? ("❚❚", "||") : ("▶ ", "> "))
    let queueStart = columns.upperBound - DisplayWidth.of(queue)
    let titleEnd = layout.width >= 40 ? queueStart - 2 : columns.upperBound
    let start = grid.write(sign + " ", column: columns.lowerBound, row: top, isPaused ? nil : PlayerColors.accent)
    grid.write(title, column: start, row: top, isBold: true, upTo: titleEnd)
    if layout.width >= 40 { grid.write(queue, endingAt: columns.upperBound, row: top, PlayerColors.quiet) }
    guard layout.height > 1 else { return }
    // As many facts as leave the artist 24 cells.
    var shown = facts
    while !shown.isEmpty, Self.joined(shown, canvas).1 > columns.count - min(24, DisplayWidth.of(artist) + 5) {
      shown.removeLast()
    }
    let (text, textWidth) = Self.joined(shown, canvas)
    grid.write(
      artist, column: start, row: top + 1, PlayerColors.text, upTo: columns.upperBound - textWidth - 2)
    grid.write(text, endingAt: columns.upperBound, row: top + 1, PlayerColors.quiet)
  }

  private static func joined(_ texts: [String], _ canvas: PlayerCanvas) -> (String, Int) {
    let text = texts.joined(separator: canvas.sign(("  ·  ", "  -  ")))
    return (text, DisplayWidth.of(TerminalText.escaped(text)))
  }

  private func drawWaveform(on grid: inout CellGrid, _ canvas: PlayerCanvas) {
    let (layout, columns) = (canvas.layout, canvas.layout.columns)
    guard !layout.waveform.isEmpty, !columns.isEmpty else { return }
    let playhead = min(Int(part * Double(columns.count)), columns.count - 1)
    let middle = layout.waveform.lowerBound + layout.waveform.count / 2
    for column in 0..<columns.count {
      let place = (Double(column) + 0.5) / Double(columns.count)
      for row in layout.waveform {
        var cell = TerminalCell()
        if let waveform, waveform.width == columns.count, waveform.height == layout.waveform.count {
          let character = waveform.character(column: column, row: row - layout.waveform.lowerBound)
          let color = waveform.color(ofColumn: column)
          cell = TerminalCell(character, column < playhead ? color : color.mixed(with: PlayerColors.shade, 0.62))
        } else if row == middle {
          cell = TerminalCell(canvas.character("─", "-"), PlayerColors.faint)
        }
        if isOutsideLoop(place) { cell.foreground = PlayerColors.faint }
        if column == playhead {
          // Without colours the playhead must be seen as well.
          if cell.character == " " || !canvas.hasColor { cell.character = canvas.character("│", "|") }
          cell.foreground = PlayerColors.accent
          cell.isBold = true
        }
        grid[columns.lowerBound + column, row] = cell
      }
    }
    for place in damage {
      let column = columns.lowerBound + min(Int(place * Double(columns.count)), columns.count - 1)
      grid[column, layout.waveform.lowerBound] = TerminalCell(canvas.character("▾", "!"), PlayerColors.warning)
    }
  }

  private func isOutsideLoop(_ place: Double) -> Bool {
    guard let start = loop.start, let end = loop.end else { return false }
    return place < start || place > end
  }

  /// Elapsed and remaining time, and between them where parts begin and the ends of the loop.
  private func drawTimes(on grid: inout CellGrid, _ canvas: PlayerCanvas) {
    guard let row = canvas.layout.timeRow else { return }
    let columns = canvas.layout.columns
    for mark in parts {
      let column = columns.lowerBound + min(Int(mark.place * Double(columns.count)), columns.count - 1)
      grid[column, row] = TerminalCell(canvas.character("╵", "'"), PlayerColors.text)
    }
    for (place, sign) in [(loop.start, "A"), (loop.end, "B")] {
      guard let place else { continue }
      let column = columns.lowerBound + min(Int(place * Double(columns.count)), columns.count - 1)
      grid.write(sign, column: column, row: row, PlayerColors.accent, isBold: true)
    }
    let elapsed = DurationText.clock(positionInSeconds.rounded(.down))
    let rest = DurationText.clock(durationInSeconds - positionInSeconds.rounded(.down))
    let end = grid.write(elapsed + " ", column: columns.lowerBound, row: row, isBold: true)
    let times = " \(canvas.sign(("−", "-")))\(rest) / \(DurationText.clock(durationInSeconds))"
    let current = parts.last { $0.place <= part + 1e-9 }?.label ?? ""
    let timesStart = columns.upperBound - DisplayWidth.of(times)
    if !current.isEmpty {
      grid.write(current + " ", column: end + 1, row: row, PlayerColors.text, upTo: timesStart - 1)
    }
    grid.write(times, endingAt: columns.upperBound, row: row, PlayerColors.quiet)
  }

  private func drawFooter(on grid: inout CellGrid, _ canvas: PlayerCanvas) {
    guard let row = canvas.layout.footerRow else { return }
    let columns = canvas.layout.columns
    let percent = Int((volume * 100).rounded())
    let volumeText = isMuted ? "muted" : "vol \(percent) %"
    let right = (modes + [volumeText]).joined(separator: "  ")
    let rightStart = columns.upperBound - DisplayWidth.of(right)
    grid.write(right, endingAt: columns.upperBound, row: row, isMuted ? PlayerColors.warning : PlayerColors.quiet)
    if let message {
      grid.write(message, column: columns.lowerBound, row: row, upTo: rightStart - 2)
      return
    }
    let hints: [(String, String)] =
      selectedSlider == nil
      ? [("space", "pause"), ("j l", "10 s"), ("n p", "track"), ("e", "equalizer"), ("?", "help"), ("q", "quit")]
      : [
        (canvas.sign(("←→", "<>")), "band"), (canvas.sign(("↑↓", "^v")), "0.5 dB"), ("0", "zero"), ("x", "bypass"),
        ("w", "save"), ("e", "done"),
      ]
    var column = columns.lowerBound
    for (key, meaning) in hints {
      guard column + key.count + meaning.count + 1 < rightStart - 1 else { break }
      column = grid.write(key, column: column, row: row, PlayerColors.text, isBold: true)
      column = grid.write(" \(meaning)", column: column, row: row, PlayerColors.quiet) + 3
    }
  }

  static let keys: [(key: String, meaning: String)] = [
    ("space k", "play, pause"), ("← →", "5 seconds"), ("j l", "10 seconds"), (", .", "a tenth of a second"),
    ("0 … 9", "to a tenth of the track"), ("n p", "next, previous track"), ("[ ]", "repeat from, to here"),
    ("\\", "stop repeating"), ("↑ ↓", "volume"), ("m", "mute"), ("g", "gain: track, album, off"),
    ("r", "repeat: off, all, one"), ("s", "shuffle the rest"), ("e", "equalizer"), ("x", "equalizer on, off"),
    ("w", "save as preset of the track"), ("q", "quit"),
  ]

  private func drawHelp(on grid: inout CellGrid, _ canvas: PlayerCanvas) {
    let columns = canvas.layout.columns
    let rows = canvas.layout.waveform.lowerBound..<max(canvas.layout.waveform.lowerBound, canvas.layout.height - 2)
    guard !rows.isEmpty else { return }
    for (index, line) in Self.keys.enumerated() {
      let (column, row) = (index / rows.count, rows.lowerBound + index % rows.count)
      let start = columns.lowerBound + column * 40
      guard start + 12 < columns.upperBound else { break }
      let key = canvas.capabilities.hasUnicode ? line.key : canvas.plain(line.key)
      grid.write(key, endingAt: start + 9, row: row, PlayerColors.accent)
      grid.write(
        line.meaning, column: start + 11, row: row, PlayerColors.text, upTo: min(start + 39, columns.upperBound))
    }
  }
}

/// What every part of the drawing needs.
struct PlayerCanvas {
  let layout: PlayerLayout
  let capabilities: TerminalCapabilities

  init(_ layout: PlayerLayout, _ capabilities: TerminalCapabilities) {
    self.layout = layout
    self.capabilities = capabilities
  }

  var hasColor: Bool { capabilities.colorDepth > .none }

  func sign(_ choice: (unicode: String, ascii: String)) -> String {
    capabilities.hasUnicode ? choice.unicode : choice.ascii
  }

  func character(_ unicode: Character, _ ascii: Character) -> Character { capabilities.hasUnicode ? unicode : ascii }

  func plain(_ key: String) -> String {
    var key = key
    for (sign, word) in [("←", "<"), ("→", ">"), ("↑", "^"), ("↓", "v"), ("…", "-")] {
      key = key.split(separator: sign, omittingEmptySubsequences: false).joined(separator: word)
    }
    return key
  }
}

/// Colours that can be read on dark and on light backgrounds.
enum PlayerColors {
  static let accent = PictureColor(242, 151, 39)
  static let text = PictureColor(158, 160, 166)
  static let quiet = PictureColor(122, 124, 132)
  static let faint = PictureColor(84, 86, 94)
  /// What is not played yet is mixed with this.
  static let shade = PictureColor(72, 74, 82)
  static let warning = PictureColor(229, 72, 77)
}

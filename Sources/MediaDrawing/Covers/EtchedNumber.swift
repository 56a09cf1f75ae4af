package import MediaModel

/// The number of a cover, which stands in its run-out as matrix numbers do: it follows from the recordings.
package struct EtchedNumber: Hashable, Sendable, CustomStringConvertible {
  /// FNV-1a with 64 bits (draft-eastlake-fnv) of the recordings' hashes as text, one after the other.
  package let value: UInt64

  package init(of hashes: some Sequence<ContentHash>) {
    var value = Self.start
    for hash in hashes { value = Self.extended(value, with: hash.description.utf8) }
    self.value = value
  }

  /// Of no bytes.
  package static let start: UInt64 = 0xCBF2_9CE4_8422_2325

  package static func extended(_ value: UInt64, with bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(value) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  /// `DW XXXX XXXX XXXX XXXX`, hexadecimal.
  package var description: String {
    let digits = String(value, radix: 16, uppercase: true)
    let padded = Array(String(repeating: "0", count: 16 - digits.utf8.count) + digits)
    return "DW" + stride(from: 0, to: 16, by: 4).map { " " + String(padded[$0..<$0 + 4]) }.joined()
  }
}

/// A letter as strokes of a pen with a round tip, in units of 1/1024 em from the base line's left end, upwards.
///
/// So a number looks the same on every machine, whatever fonts it has. The forms follow those of the page's font.
package struct EtchedLetter {
  package static let unitsPerEm = 1024.0
  /// Of the pen.
  package static let strokeWidth = 96.0
  /// The middle of capitals.
  static let middle = 368.0

  /// How far the next letter is.
  package let advance: Double
  package let strokes: [[(x: Double, y: Double)]]

  /// nil for what no number has: there are D, W, the hexadecimal digits and the blank.
  package static func of(_ character: Character) -> EtchedLetter? { letters[character] }

  private static let letters: [Character: EtchedLetter] = [
    " ": EtchedLetter(288, ""),
    "0": EtchedLetter(
      672,
      """
      M 88 368 C 88 549 199 696 336 696 C 473 696 584 549 584 368 C 584 187 473 40 336 40 C 199 40 88 187 88 368
      """),
    "1": EtchedLetter(544, "M 175 560 L 350 688 L 350 48"),
    "2": EtchedLetter(
      672, "M 128 536 C 128 620 222 696 322 696 C 430 696 516 618 516 528 C 516 390 136 350 136 48 L 544 48"),
    "3": EtchedLetter(
      672,
      """
      M 116 688 L 484 688 C 462 600 350 464 244 422 C 276 438 310 444 344 444 C 460 444 556 340 556 240
      C 556 134 440 40 334 40 C 252 40 166 96 135 154
      """),
    "4": EtchedLetter(672, "M 480 46 L 480 686 L 418 686 L 112 332 L 112 270 L 592 270"),
    "5": EtchedLetter(
      672,
      "M 488 688 L 168 688 L 136 400 C 182 456 248 488 322 488 C 446 488 544 388 544 264 C 544 140 446 40 322 40 "
        + "C 244 40 168 88 128 156"),
    "6": EtchedLetter(
      672,
      """
      M 518 624 C 486 668 426 696 358 696 C 218 696 118 550 118 368 C 118 330 122 300 128 268 C 146 136 248 40 358 40
      C 464 40 562 126 562 222 C 562 316 456 404 350 404 C 226 404 146 306 146 204
      """),
    "7": EtchedLetter(672, "M 104 688 L 552 688 L 552 630 C 390 530 280 300 280 80 L 280 48"),
    "8": EtchedLetter(
      672,
      """
      M 346 386 C 446 386 540 466 540 544 C 540 624 438 696 336 696 C 234 696 132 624 132 544 C 132 466 246 386 346 386
      C 466 386 556 308 556 216 C 556 124 450 40 336 40 C 222 40 116 132 116 228 C 116 320 210 386 346 386
      """),
    "9": EtchedLetter(
      672,
      """
      M 154 112 C 186 68 246 40 314 40 C 454 40 554 186 554 368 C 554 406 550 436 544 468 C 526 600 424 696 314 696
      C 208 696 110 610 110 514 C 110 420 216 332 322 332 C 446 332 526 430 526 532
      """),
    "A": EtchedLetter(688, "M 96 48 L 316 688 L 372 688 L 592 48 M 148 192 L 540 192"),
    "B": EtchedLetter(
      696,
      """
      M 144 388 L 400 388 C 486 388 560 462 560 538 C 560 622 480 688 400 688 L 144 688 L 144 48 L 416 48
      C 504 48 576 124 576 218 C 576 312 504 388 416 388
      """),
    "C": EtchedLetter(
      684,
      "M 548 576 C 516 650 446 696 368 696 C 232 696 120 548 120 368 C 120 188 232 40 368 40 C 450 40 552 130 564 200"),
    "D": EtchedLetter(696, "M 352 48 L 144 48 L 144 688 L 352 688 C 476 688 576 544 576 368 C 576 192 476 48 352 48"),
    "E": EtchedLetter(696, "M 576 688 L 144 688 L 144 48 L 576 48 M 144 388 L 480 388"),
    "F": EtchedLetter(664, "M 544 688 L 144 688 L 144 48 M 144 388 L 464 388"),
    "W": EtchedLetter(872, "M 96 688 L 268 48 L 276 48 L 436 688 L 596 48 L 604 48 L 776 688"),
  ]

  /// - Parameter path: As SVG has it, with `M`, `L` and `C` before each point or curve.
  private init(_ advance: Double, _ path: String) {
    self.advance = advance
    var strokes: [[(x: Double, y: Double)]] = []
    var words = path.split { $0 == " " || $0 == "\n" }[...]
    func number() -> Double { words.popFirst().flatMap { Double($0) } ?? 0 }
    func point() -> (x: Double, y: Double) { (number(), number()) }
    while let command = words.popFirst() {
      switch command {
      case "M": strokes.append([point()])
      case "C":
        let (first, second, end) = (point(), point(), point())
        guard let start = strokes.last?.last else { break }
        strokes[strokes.count - 1] += Self.curve(start, first, second, end)
      default: strokes[strokes.count - 1].append(point())
      }
    }
    self.strokes = strokes
  }

  /// The points of a cubic Bézier curve after its first.
  private static func curve(
    _ start: (x: Double, y: Double), _ first: (x: Double, y: Double), _ second: (x: Double, y: Double),
    _ end: (x: Double, y: Double)
  ) -> [(x: Double, y: Double)] {
    let count = 10
    return (1...count).map { index in
      let t = Double(index) / Double(count)
      let (a, b, c, d) = ((1 - t) * (1 - t) * (1 - t), 3 * t * (1 - t) * (1 - t), 3 * t * t * (1 - t), t * t * t)
      return (
        a * start.x + b * first.x + c * second.x + d * end.x,
        a * start.y + b * first.y + c * second.y + d * end.y
      )
    }
  }
}

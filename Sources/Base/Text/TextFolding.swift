/// Folds text for comparison: without case, accents and what no keyboard has.
///
/// The one place that decides which texts count as equal: in queries, on the page, in players' searches, when lists are
/// imported, and for artists and albums. Letters become lower case by the mapping of Unicode, independent of the locale.
/// Characters that Unicode holds compatible become alike (NFKD: ligatures, full-width and half-width forms, fractions).
/// Accents of Latin, Greek, Cyrillic, Hebrew, Arabic and kana are dropped, and so is what is invisible (soft hyphens,
/// joiners, marks of direction). `ß` becomes `ss`, `æ` `ae`, `ø` `o`; signs become those of a keyboard that they look
/// like: `’` `'`, `“` `"`, `–` `-`, `…` `...`, `×` `x`, and all spaces one. Hangul syllables stay as they are, precomposed
/// or decomposed.
package enum TextFolding {
  /// - Complexity: O(n), with a fast path for ASCII.
  package static func fold(_ text: String) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    var isPlain = true
    for byte in text.utf8 {
      guard byte < 0x80 else {
        isPlain = false
        break
      }
      bytes.append(folded(byte))
    }
    return isPlain ? String(decoding: bytes, as: UTF8.self) : foldScalars(text)
  }

  private static func foldScalars(_ text: String) -> String {
    let forms = FoldedForms.all
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      if scalar.isASCII {
        bytes.append(folded(UInt8(truncatingIfNeeded: scalar.value)))
      } else {
        forms.append(scalar, to: &bytes)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A byte of ASCII: capitals become small, and a grave accent that stands alone an apostrophe.
  private static func folded(_ byte: UInt8) -> UInt8 {
    byte &- 0x41 < 26 ? byte | 0x20 : byte == 0x60 ? 0x27 : byte
  }
}

/// What each character becomes, found in two steps: the page of 128 characters, and the place on it.
private struct FoldedForms {
  static let all = FoldedForms()

  private static let pageBits = 7
  /// Above are only characters that stay as they are, and invisible ones.
  private static let limit: UInt32 = 0x30000
  /// Below, every character that changes has an entry.
  private static let filledLimit: UInt32 = 0x590
  private static let accents: [ClosedRange<UInt32>] = [
    0x0300...0x036F, 0x0483...0x0487, 0x0591...0x05BD, 0x05BF...0x05BF, 0x05C1...0x05C2, 0x05C4...0x05C5,
    0x05C7...0x05C7, 0x0610...0x061A, 0x064B...0x065F, 0x0670...0x0670, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF,
    0x20D0...0x20FF, 0x3099...0x309A, 0xFE20...0xFE2F, 0xFF9E...0xFF9F,
  ]
  /// Soft hyphens, joiners, marks of direction, variation selectors and the like; but for fillers of Hangul those that
  /// Unicode lets programs ignore.
  private static let invisible: [ClosedRange<UInt32>] = [
    0x00AD...0x00AD, 0x061C...0x061C, 0x180B...0x180F, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x206F,
    0xFE00...0xFE0F, 0xFEFF...0xFEFF, 0xFFF9...0xFFFB, 0x1D173...0x1D17A,
  ]
  private static let invisibleAbove: ClosedRange<UInt32> = 0xE0000...0xE0FFF

  /// The number of each page, from 1; 0 for one without entries.
  private var pages = [UInt16](repeating: 0, count: Int(limit >> UInt32(pageBits)))
  /// By page: where the form begins in ``bytes``, and in the lowest six bits one more than its length; 0 for none.
  private var entries = [UInt32](repeating: 0, count: 1 << pageBits)
  private var bytes: [UInt8] = []

  private init() {
    var variant: Unicode.Scalar?
    for scalar in TextFolding.pairs.unicodeScalars {
      if let from = variant {
        set(from, CollectionOfOne(scalar))
        variant = nil
      } else {
        variant = scalar
      }
    }
    for expansion in TextFolding.expansions.unicodeScalars.split(separator: "|") {
      if let from = expansion.first { set(from, expansion.dropFirst()) }
    }
    for value in (Self.accents + Self.invisible).joined() {
      if let scalar = Unicode.Scalar(value) { set(scalar, EmptyCollection()) }
    }
    for value in 0x80..<Self.filledLimit {
      guard let scalar = Unicode.Scalar(value), entry(of: value) == 0, scalar.properties.changesWhenLowercased else {
        continue
      }
      var form: [UInt8] = []
      appendSmall(scalar, to: &form)
      set(scalar, String(decoding: form, as: UTF8.self).unicodeScalars)
    }
  }

  private mutating func set(_ scalar: Unicode.Scalar, _ form: some Collection<Unicode.Scalar>) {
    let page = Int(scalar.value) >> Self.pageBits
    if pages[page] == 0 {
      pages[page] = UInt16(entries.count >> Self.pageBits)
      entries += [UInt32](repeating: 0, count: 1 << Self.pageBits)
    }
    let start = bytes.count
    for scalar in form { bytes += UTF8.encode(scalar) ?? .init() }
    let place = Int(pages[page]) << Self.pageBits + Int(scalar.value) & (1 << Self.pageBits - 1)
    entries[place] = UInt32(start << 6 + (bytes.count - start) + 1)
  }

  private func entry(of value: UInt32) -> UInt32 {
    let page = Int(pages[Int(value >> UInt32(Self.pageBits))])
    return entries[page << Self.pageBits + Int(value) & (1 << Self.pageBits - 1)]
  }

  /// Appends the folded form of a character that is not ASCII.
  func append(_ scalar: Unicode.Scalar, to folded: inout [UInt8]) {
    let value = scalar.value
    guard value < Self.limit else {
      if !Self.invisibleAbove.contains(value) { folded += UTF8.encode(scalar) ?? .init() }
      return
    }
    let entry = entry(of: value)
    if entry != 0 {
      let start = Int(entry >> 6)
      folded.append(contentsOf: bytes[start..<start + Int(entry & 63) - 1])
    } else if value >= Self.filledLimit, !Self.isCaseless(value), scalar.properties.changesWhenLowercased {
      appendSmall(scalar, to: &folded)
    } else {
      folded += UTF8.encode(scalar) ?? .init()
    }
  }

  /// Appends what the small form of a capital becomes.
  private func appendSmall(_ capital: Unicode.Scalar, to folded: inout [UInt8]) {
    for small in capital.properties.lowercaseMapping.unicodeScalars {
      if small.isASCII || small.properties.changesWhenLowercased {
        folded += UTF8.encode(small) ?? .init()
      } else {
        append(small, to: &folded)
      }
    }
  }

  /// Most characters of East Asia, which are not worth the question.
  private static func isCaseless(_ value: UInt32) -> Bool {
    (0x2E80..<0xA640).contains(value) || (0xAC00..<0xFB00).contains(value)
  }
}

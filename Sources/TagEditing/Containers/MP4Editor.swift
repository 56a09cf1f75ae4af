import AudioDecoding
internal import MediaModel

/// Changes the items of iTunes in an MP4 file (ISO 14496-12; QuickTime File Format).
///
/// Free space in `meta`, or behind the movie, gives way first. Only if there is not enough of it, what lies behind the movie
/// moves, and so do the places that are stored of it.
struct MP4Editor {
  /// What a file gets if it has to grow.
  private static let newFreeByteCount: Int64 = 2048

  private let file: BufferedBytes
  private let edit: TagEdit
  private let known: Tags
  private let top: [MP4Box]
  /// The boxes that hold the list, from the movie on: their lengths follow that of the list.
  private var path: [MP4Box] = []
  private var splices: [Splice] = []

  /// - Parameter known: what all tags of the file say together.
  static func splices(_ file: BufferedBytes, _ edit: TagEdit, known: Tags) throws(TagEditRefusal) -> [Splice] {
    var editor = try MP4Editor(file, edit, known)
    try editor.run()
    return editor.splices
  }

  private init(_ file: BufferedBytes, _ edit: TagEdit, _ known: Tags) throws(TagEditRefusal) {
    (self.file, self.edit, self.known) = (file, edit, known)
    let bounds = try reading { () throws(DecodingError) in try TagBounds(file) }
    guard bounds.audio == 0..<file.byteCount else { throw .unsafe("there are tags before or after the MP4 file") }
    top = try reading { () throws(DecodingError) in try MP4Box.boxes(file, in: 0..<file.byteCount) }
    guard let last = top.last, last.body.upperBound == file.byteCount, !top.contains(where: \.isCut) else {
      throw .malformed("the boxes of the MP4 file do not end at its end")
    }
    guard top.count(where: { $0.isType("moov") }) == 1 else { throw .malformed("there is not exactly one movie box") }
    let places = try reading { () throws(DecodingError) in try MP4TagBoxes(file).metadata(hasNamedKeys: false) }
    if places.count > 1 { throw .unsafe("there are several lists of items") }
  }

  private mutating func run() throws(TagEditRefusal) {
    guard let movie = top.first(where: { $0.isType("moov") }) else { return }
    path = [movie]
    var (growth, list) = (Int64(0), Int64(0))
    if let found = try findList() {
      list = found.body.upperBound
      growth = try editList(found)
    } else {
      guard let made = try newList() else { return }
      // Zeros may end the user data of QuickTime.
      let holder = path[path.count - 1]
      let start = try contentStart(holder)
      list = try inner(holder).last?.body.upperBound ?? start
      splices.append(Splice(insert: made, at: list))
      growth = Int64(made.count)
    }
    guard !splices.isEmpty else { return }
    try makeRoom(for: growth, behind: list)
  }

  // MARK: The list

  /// The list of items; the path then leads to it, or as far as there are boxes that may hold it.
  private mutating func findList() throws(TagEditRefusal) -> MP4Box? {
    let movie = path[0]
    // Usually in the user data; some programs put it into the movie.
    for places in [["udta", "meta", "ilst"], ["meta", "ilst"]] {
      var way = [movie]
      for type in places {
        let boxes = try inner(way[way.count - 1])
        guard let next = boxes.first(where: { $0.type.elementsEqual(type.utf8) }) else { break }
        if type == "meta" {
          let file = file
          let hasKeys = try reading { () throws(DecodingError) in try MP4TagBoxes.Metadata(file, next).hasNamedKeys }
          if hasKeys { break }
        }
        way.append(next)
      }
      if way.count == places.count + 1 {
        path = way
        return way.last
      }
      if places.count == 3 { path = way }
    }
    return nil
  }

  private func contentStart(_ box: MP4Box) throws(TagEditRefusal) -> Int64 {
    guard box.isType("meta") else { return box.body.lowerBound }
    let file = file
    return try reading { () throws(DecodingError) in try MP4TagBoxes.Metadata(file, box).range.lowerBound }
  }

  private func inner(_ box: MP4Box) throws(TagEditRefusal) -> [MP4Box] {
    let (file, start) = (file, try contentStart(box))
    let boxes = try reading { () throws(DecodingError) in try MP4Box.boxes(file, in: start..<box.body.upperBound) }
    guard !boxes.contains(where: \.isCut) else {
      throw .malformed("a box of the MP4 file is longer than its container")
    }
    return boxes
  }

  /// - Returns: how much longer the list becomes.
  private mutating func editList(_ box: MP4Box) throws(TagEditRefusal) -> Int64 {
    let file = file
    let tags = try reading { () throws(DecodingError) in try MP4ItemReader.tags(file, MP4TagBoxes(file)) }
    guard let tag = tags.first(where: { $0.range.lowerBound == box.offset }), tags.count == 1 else {
      throw .unsafe("there are several lists of items")
    }
    var list = try ItemList(tag, end: box.body.upperBound)
    try list.apply(edit, MP4ItemWriter(tag: tag), adds: true)
    splices = list.splices
    return list.growth
  }

  /// The boxes that are missing on the path; nil if there is nothing to write.
  private func newList() throws(TagEditRefusal) -> [UInt8]? {
    let empty = UInt32(8).bigEndianBytes + "ilst".utf8
    let bytes = try MP4ItemWriter.atom("meta", [0, 0, 0, 0] + Self.handler + empty)
    let movie = try MP4ItemWriter.atom("moov", MP4ItemWriter.atom("udta", bytes))
    let memory = BytesInMemory(movie).file
    let tag = try reading { () throws(DecodingError) in try MP4ItemReader.tags(memory, MP4TagBoxes(memory)).first }
    guard let tag else { return nil }
    func list(_ edit: TagEdit) throws(TagEditRefusal) -> ItemList {
      var list = try ItemList(tag, end: tag.range.upperBound)
      try list.apply(edit, MP4ItemWriter(tag: tag), adds: true)
      return list
    }
    if try list(edit).splices.isEmpty { return nil }
    let list = try list(edit.filled(with: known))
    var made = try MP4ItemWriter.atom("ilst", list.splices.flatMap(\.bytes))
    if path.last?.isType("meta") != true { made = try MP4ItemWriter.atom("meta", [0, 0, 0, 0] + Self.handler + made) }
    if path.count == 1 { made = try MP4ItemWriter.atom("udta", made) }
    return made
  }

  /// What is in `meta`: items of iTunes.
  private static let handler: [UInt8] =
    UInt32(33).bigEndianBytes + "hdlr".utf8 + [UInt8](repeating: 0, count: 8) + "mdirappl".utf8
    + [UInt8](repeating: 0, count: 9)

  // MARK: Room

  private mutating func makeRoom(for growth: Int64, behind list: Int64) throws(TagEditRefusal) {
    let movie = path[0]
    // The list itself has its new length in any case.
    let isListThere = path.last?.isType("ilst") == true
    if isListThere { try resize(path[path.count - 1], by: growth) }
    let holders = isListThere ? path.dropLast() : path[...]
    if let meta = holders.last, meta.isType("meta") {
      let free = try inner(meta).first { $0.isType("free") && $0.body.upperBound - $0.offset >= 8 }
      if try takes(free, growth) { return }
      // What the list loses becomes free space behind it.
      if free == nil, growth <= -8 {
        splices.append(Splice(insert: Self.free(-growth), at: list))
        return
      }
    }
    let index = top.firstIndex { $0.offset == movie.offset } ?? 0
    let next = top.indices.contains(index + 1) ? top[index + 1] : nil
    if let next, next.isType("free") || next.isType("skip"), try takes(next, growth) {
      for box in holders { try resize(box, by: growth) }
      return
    }
    var growth = growth
    if hasMedia(behind: movie.offset) {
      // It moves anyway: next time it need not.
      if holders.last?.isType("meta") == true, growth > 0 {
        splices.append(Splice(insert: Self.free(Self.newFreeByteCount), at: list))
        growth += Self.newFreeByteCount
      }
      splices += try MP4Places(file, top).splices(movingBy: growth, from: movie.body.upperBound)
    }
    for box in holders { try resize(box, by: growth) }
  }

  /// Whether free space can change by so much; it then does.
  private mutating func takes(_ free: MP4Box?, _ growth: Int64) throws(TagEditRefusal) -> Bool {
    guard let free, !free.isCut, free.body.lowerBound == free.offset + 8 else { return false }
    let left = free.body.upperBound - free.offset - growth
    if left == 0 {
      splices.append(Splice(free.offset..<free.body.upperBound, []))
      return true
    }
    guard (8..<1 << 31).contains(left) else { return false }
    try resize(free, by: -growth)
    let end = free.body.upperBound
    splices.append(
      growth > 0 ? Splice(end - growth..<end, []) : Splice(insert: [UInt8](repeating: 0, count: Int(-growth)), at: end))
    return true
  }

  private static func free(_ byteCount: Int64) -> [UInt8] {
    UInt32(clamping: byteCount).bigEndianBytes + "free".utf8 + [UInt8](repeating: 0, count: Int(byteCount) - 8)
  }

  private func hasMedia(behind offset: Int64) -> Bool {
    top.contains { $0.offset > offset && !$0.isType("free") && !$0.isType("skip") }
  }

  /// Writes the new length of a box in the form that it has; one that reaches to the end of the file has none.
  private mutating func resize(_ box: MP4Box, by growth: Int64) throws(TagEditRefusal) {
    guard growth != 0 else { return }
    let file = file
    let short = try reading { () throws(DecodingError) in try file.bigEndian(UInt32.self, at: box.offset) }
    let byteCount = box.body.upperBound - box.offset + growth
    switch short {
    case 0: break
    case 1: splices.append(Splice(box.offset + 8..<box.offset + 16, UInt64(byteCount).bigEndianBytes))
    default:
      guard let size = UInt32(exactly: byteCount) else { throw .tooLong("an MP4 box of more than 4 GiB") }
      splices.append(Splice(box.offset..<box.offset + 4, size.bigEndianBytes))
    }
  }
}

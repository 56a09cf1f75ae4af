import AudioDecoding

/// The places in an MP4 file that are stored in it as offsets from its start: those of chunks (`stco`, `co64`) and of the
/// data of fragments (`tfhd`) (ISO 14496-12 sections 8.7.5 and 8.8.7).
struct MP4Places {
  private let file: BufferedBytes
  private let top: [MP4Box]
  /// Boxes that hold others on the way to them.
  private static let holders: [StaticString] = ["moov", "trak", "mdia", "minf", "stbl", "moof", "traf", "mvex"]
  /// Boxes with places that are not followed here: of fragments, items and the data that decryption needs.
  private static let others: [StaticString] = ["mfra", "iloc", "saio", "sidx", "ssix"]

  init(_ file: BufferedBytes, _ top: [MP4Box]) { (self.file, self.top) = (file, top) }

  /// What has to be written if everything from `start` on moves.
  func splices(movingBy distance: Int64, from start: Int64) throws(TagEditRefusal) -> [Splice] {
    guard distance != 0 else { return [] }
    var splices: [Splice] = []
    try visit(top, movingBy: distance, from: start, &splices)
    return splices
  }

  private func visit(
    _ boxes: [MP4Box], movingBy distance: Int64, from start: Int64, _ splices: inout [Splice]
  ) throws(TagEditRefusal) {
    for box in boxes {
      if let name = Self.others.first(where: { box.isType($0) }) {
        // Places in `sidx` count from behind it.
        if !box.isType("sidx") && !box.isType("ssix") {
          throw .unsafe("the box \(name) has offsets that would become wrong")
        }
      } else if box.isType("stco") {
        splices += try table(box, UInt32.self, movingBy: distance, from: start)
      } else if box.isType("co64") {
        splices += try table(box, UInt64.self, movingBy: distance, from: start)
      } else if box.isType("tfhd") {
        splices += try base(box, movingBy: distance, from: start)
      } else if box.isType("meta") || box.isType("udta") {
        if try hasItemLocations(box) { throw .unsafe("the box iloc has offsets that would become wrong") }
      } else if Self.holders.contains(where: { box.isType($0) }) {
        let file = file
        let inner = try reading { () throws(DecodingError) in try MP4Box.boxes(file, in: box.body) }
        try visit(inner, movingBy: distance, from: start, &splices)
      }
    }
  }

  private func hasItemLocations(_ box: MP4Box) throws(TagEditRefusal) -> Bool {
    let file = file
    return try reading { () throws(DecodingError) in
      for meta in box.isType("meta") ? [box] : try MP4Box.boxes(file, in: box.body).filter({ $0.isType("meta") }) {
        let range = try MP4TagBoxes.Metadata(file, meta).range
        if try MP4Box.boxes(file, in: range).contains(where: { $0.isType("iloc") }) { return true }
      }
      return false
    }
  }

  /// A version and flags, a number of entries, and the entries.
  private func table<Place: FixedWidthInteger & UnsignedInteger>(
    _ box: MP4Box, _ type: Place.Type, movingBy distance: Int64, from start: Int64
  ) throws(TagEditRefusal) -> [Splice] {
    let file = file
    let (entries, count) = (box.body.lowerBound + 8, Int64(MemoryLayout<Place>.size))
    let bytes = try reading { () throws(DecodingError) in
      try file.file.bytes(at: box.body.lowerBound, count: Int(box.body.upperBound - box.body.lowerBound))
    }
    guard let claimed = bytes.bigEndian(UInt32.self, at: 4), Int64(claimed) * count <= box.body.upperBound - entries
    else { throw .malformed("an offset table is truncated") }
    var moved: [UInt8] = []
    for index in 0..<Int(claimed) {
      guard let old = bytes.bigEndian(Place.self, at: 8 + index * Int(count)) else { break }
      moved += try self.moved(old, by: distance, from: start).bigEndianBytes
    }
    return [Splice(entries..<entries + Int64(moved.count), moved)]
  }

  /// The base of a fragment's data, if its flags say that it has one.
  private func base(_ box: MP4Box, movingBy distance: Int64, from start: Int64) throws(TagEditRefusal) -> [Splice] {
    let file = file
    let place = box.body.lowerBound + 8
    let base = try reading { () throws(DecodingError) in
      try file.bigEndian(UInt32.self, at: box.body.lowerBound).map { $0 & 1 == 1 } == true
        ? file.bigEndian(UInt64.self, at: place) : nil
    }
    guard let base else { return [] }
    return [Splice(place..<place + 8, try moved(base, by: distance, from: start).bigEndianBytes)]
  }

  private func moved<Place: FixedWidthInteger & UnsignedInteger>(
    _ place: Place, by distance: Int64, from start: Int64
  ) throws(TagEditRefusal) -> Place {
    guard let old = Int64(exactly: place), old >= start else { return place }
    guard let new = Place(exactly: old.addingReportingOverflow(distance).partialValue) else {
      throw .tooLong("an offset beyond 4 GiB")
    }
    return new
  }
}

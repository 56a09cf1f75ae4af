internal import Base

extension PartList {
  /// The parts that tags describe: Vorbis comments `CHAPTER001=00:01:02.500` and `CHAPTER001NAME`, or else a CUE sheet in
  /// the tag CUESHEET. Of a sheet with several files the first one counts.
  ///
  /// nil if there are none.
  package init?(describedBy tags: Tags, sampleRateInHz rate: Int) {
    if let list = Self.comments(tags, sampleRateInHz: rate) {
      self = list
    } else {
      guard let text = tags["CUESHEET"].first,
        let list = CueSheet(text).parts(ofFile: 0, sampleRateInHz: rate, from: .sheetTag)
      else { return nil }
      self = list
    }
  }

  private static func comments(_ tags: Tags, sampleRateInHz rate: Int) -> PartList? {
    var marks: [(number: Int, mark: Mark)] = []
    for property in tags.properties where property.name.hasPrefix("CHAPTER") {
      let digits = property.name.dropFirst("CHAPTER".count)
      guard (1...4).contains(digits.utf8.count), digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
        let number = Int(digits), let time = property.values.first.flatMap({ milliseconds($0) }),
        let start = FrameIndex.frame(atTick: time, ticksPerSecond: 1000, rateInHz: rate)
      else { continue }
      let name = tags[property.name + "NAME"].first
      marks.append((number, Mark(start: start, tags: PartTags(title: name))))
    }
    return PartList(marks.sorted { $0.number < $1.number }.map(\.mark), from: .comments)
  }

  /// Of `hh:mm:ss.mmm`, with any number of hours and up to three places; nil for anything else.
  static func milliseconds(_ text: String) -> Int64? {
    let parts = text.withoutBlankEnds.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3 else { return nil }
    let seconds = parts[2].split(separator: ".", omittingEmptySubsequences: false)
    let numbers = (parts[..<2] + seconds.prefix(1)).compactMap { part -> Int64? in
      part.count <= 9 && part.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? Int64(part) : nil
    }
    guard numbers.count == 3, numbers[1] < 60, numbers[2] < 60, seconds.count <= 2 else { return nil }
    let places = seconds.count == 2 ? seconds[1].prefix(3) : ""
    guard places.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
    let thousandths = Int64(String(places) + String(repeating: "0", count: 3 - places.count)) ?? 0
    return ((numbers[0] * 60 + numbers[1]) * 60 + numbers[2]) * 1000 + thousandths
  }
}

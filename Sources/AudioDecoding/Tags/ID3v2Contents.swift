internal import Base

extension TagContents {
  /// What TIT1 is called until all frames are read.
  private static let workOrGrouping = "TIT1"

  /// What the frames of an ID3v2 tag say (ID3v2.4.0-frames; ID3v2.3.0; ID3v2.2.0).
  init(id3v2 tag: RawTag) throws(DecodingError) {
    self.init()
    isOdd = tag.isOdd
    var dates = ID3v2Dates()
    for frame in tag.items {
      let id = ID3v2Names.identifier(frame.name)
      guard !ID3v2Contents.isUnread(id) else { continue }
      source = id
      let isPicture = id == "APIC" || id == "PIC"
      let limit = isPicture ? TagLimits.maximumPictureByteCount + 4096 : Self.maximumBodyByteCount
      guard let content = try tag.content(ofFrame: frame, limit: limit), !content.isEmpty else {
        isOdd = true
        continue
      }
      if frame.isCut {
        // Behind the text there may be sound.
        guard let text = ID3v2Contents.values(content).first, ID3v2Names.texts[id] != nil else { continue }
        if text.text.count <= 256 { add(ID3v2Names.texts[id] ?? id, text.text, text.encoding) }
        continue
      }
      switch id {
      case "APIC", "PIC": addPicture(content, hasFormat: id == "PIC" || frame.name.count == 3)
      case "TXXX": addDescribed(content)
      case "COMM": addLanguageText(content, name: "COMMENT")
      case "USLT": addLanguageText(content, name: "LYRICS")
      case "WXXX": addDescribedAddress(content)
      case "UFID": addIdentifier(content)
      case "TIPL", "TMCL", "IPLS": addPeople(content, named: id)
      case "TYER", "TDAT", "TIME":
        if let value = ID3v2Contents.values(content).first { dates.add(id, ID3v2Contents.decoded(value)) }
      default:
        if let name = ID3v2Names.urls[id] {
          add(name, content.prefix { $0 != 0 }, .latin1)
        } else if let name = ID3v2Names.texts[id] {
          addTexts(content, name: id == "TIT1" ? Self.workOrGrouping : name)
        }
      }
    }
    // Who has the work in a text of its own has the grouping in TIT1.
    rename(Self.workOrGrouping, has("WORK") ? "GROUPING" : "WORK")
    let known = texts.filter { $0.name == "DATE" }.map { ID3v2Contents.decoded(($0.bytes, $0.encoding)) }
    if let date = dates.date, !known.contains(where: { $0.hasPrefix(date.prefix(4)) }) { add("DATE", date) }
  }

  private mutating func addTexts(_ content: [UInt8], name: String) {
    let values = ID3v2Contents.values(content)
    if content[0] > 3 { isOdd = true }
    for (text, encoding) in values where !text.isEmpty {
      switch name {
      case "GENRE": for genre in ID3v2Contents.genres(text, encoding) { add(name, genre.bytes, genre.encoding) }
      case _ where ID3v2Names.times.contains(name):
        let date = ID3v2Contents.withoutTimeMark((text, encoding))
        add(name, date.text, date.encoding)
      default: add(name, text, encoding)
      }
    }
  }

  /// A description, then values.
  private mutating func addDescribed(_ content: [UInt8]) {
    let values = ID3v2Contents.values(content)
    guard let (description, encoding) = values.first else { return }
    var decoder = Decoder([Text(name: "", bytes: description, encoding: encoding)])
    let written = decoder.decoded(description, encoding).uppercased()
    let name = Self.describedNames[written] ?? written
    source = "TXXX:\(written)"
    if values.count < 2 { isOdd = true }
    for (text, encoding) in values.dropFirst() where !text.isEmpty {
      // A value without a name is that of no other tag.
      add(name.isEmpty ? "TXXX" : name, text, encoding)
    }
  }

  /// A language of three letters and a description, then a text.
  private mutating func addLanguageText(_ content: [UInt8], name: String) {
    guard content.count > 4 else {
      isOdd = true
      return
    }
    let values = ID3v2Contents.values([content[0]] + content[4...], maximumCount: 2)
    guard let first = values.first else { return }
    var decoder = Decoder([Text(name: "", bytes: first.text, encoding: first.encoding)])
    // Without a description before it, it is the text.
    let description = values.count > 1 ? decoder.decoded(first.text, first.encoding).uppercased() : ""
    if values.count < 2 { isOdd = true }
    let key = description.isEmpty || description == name ? name : "\(name):\(description)"
    if let (text, encoding) = values.last {
      for value in ID3v2Contents.split(text, encoding) where !value.text.isEmpty {
        add(key, value.text, value.encoding)
      }
    }
  }

  private mutating func addDescribedAddress(_ content: [UInt8]) {
    let isLetter = content[0] >= 0x20
    let bytes = Array(isLetter ? content[...] : content.dropFirst())
    let encoding: UInt8 = LegacyText.isWide(bytes) ? 1 : isLetter ? 0 : content[0]
    guard let (written, end) = ID3v2Contents.text(bytes, encoding: encoding) else {
      isOdd = true
      return
    }
    let form = ID3v2Contents.encoding(encoding)
    var decoder = Decoder([Text(name: "", bytes: written, encoding: form)])
    let description = decoder.decoded(written, form).uppercased()
    let name = description.isEmpty || description == "URL" ? "URL" : "URL:\(description)"
    // The address is in Latin-1, whatever the encoding of its description; but some programs use that.
    let address = Array(bytes[end...])
    if LegacyText.isWide(address) {
      add(name, address, .utf16)
    } else if let order = TextEncoding.wide(address) {
      add(name, address, .page(order))
    } else {
      add(name, address.prefix { $0 != 0 }, .latin1)
    }
  }

  private mutating func addIdentifier(_ content: [UInt8]) {
    guard content.starts(with: "http://musicbrainz.org\0".utf8) else { return }
    add("MUSICBRAINZ_TRACKID", content.dropFirst(23).prefix { $0 != 0 }, .latin1)
  }

  /// Roles and names in turn; names of one role with commas between them.
  private mutating func addPeople(_ content: [UInt8], named id: String) {
    var values = ID3v2Contents.values(content)
    if !values.count.isMultiple(of: 2) {
      if values.last?.text.isEmpty == false { isOdd = true }
      values.removeLast()
    }
    for index in stride(from: 0, to: values.count - 1, by: 2) {
      let (role, roleEncoding) = values[index]
      var decoder = Decoder([Text(name: "", bytes: role, encoding: roleEncoding)])
      let instrument = decoder.decoded(role, roleEncoding).withoutBlankEnds
      let written = instrument.uppercased()
      guard !written.isEmpty else {
        isOdd = true
        continue
      }
      // In version 2.3 one list has both.
      let name = id == "TMCL" ? nil : ID3v2Names.roles[written]
      let (people, encoding) = values[index + 1]
      for person in ID3v2Contents.split(people, encoding, at: UInt8(ascii: ",")) where !person.text.isEmpty {
        if id == "TIPL" || name != nil {
          add(name ?? "INVOLVEDPEOPLE:\(written)", person.text, person.encoding)
        } else {
          add(
            "PERFORMER", person.text, person.encoding,
            instrument: written == "PERFORMER" ? nil : String(instrument.prefix(256)))
        }
      }
    }
  }

  /// An encoding, the kind of file, the type, a description and the picture.
  private mutating func addPicture(_ content: [UInt8], hasFormat: Bool) {
    var mimeType = ""
    var rest = content.dropFirst()
    if hasFormat {
      // Three letters of version 2.2.
      let format = String(decoding: rest.prefix(3), as: UTF8.self).lowercased()
      mimeType = "image/" + (format == "jpg" ? "jpeg" : format)
      rest = rest.dropFirst(3)
    } else {
      let text = rest.prefix { $0 != 0 }
      mimeType = String(decoding: text.prefix(256), as: UTF8.self)
      rest = rest[min(rest.endIndex, text.endIndex + 1)...]
    }
    guard let type = rest.first else {
      isOdd = true
      return
    }
    let behind = Array(rest.dropFirst())
    guard let (caption, end) = ID3v2Contents.text(behind, encoding: content[0]) else {
      isOdd = true
      return
    }
    add(
      picture: Int(type), mimeType: mimeType, caption: caption, encoding: ID3v2Contents.encoding(content[0]),
      bytes: Array(behind[end...]))
  }
}

/// The parts of frames of ID3v2.
enum ID3v2Contents {
  typealias Value = (text: [UInt8], encoding: TagContents.Encoding)

  /// Frames of which nothing is stored.
  static func isUnread(_ id: String) -> Bool {
    ID3v2Names.texts[id] == nil && ID3v2Names.urls[id] == nil
      && !["APIC", "PIC", "TXXX", "COMM", "USLT", "WXXX", "UFID", "TIPL", "TMCL", "IPLS", "TYER", "TDAT", "TIME"]
        .contains(id)
  }

  /// That of a text whose first byte this is.
  static func encoding(_ byte: UInt8) -> TagContents.Encoding {
    switch byte {
    case 0: .latin1
    case 1: .utf16
    case 2: .utf16BigEndian
    case 3: .utf8
    default: .none
    }
  }

  /// The texts behind the byte of their encoding, which NUL separates. An encoding that does not exist is a letter of
  /// the text if it can be one.
  static func values(_ content: [UInt8], maximumCount: Int = .max) -> [Value] {
    guard let first = content.first else { return [] }
    let isLetter = first >= 0x20
    return split(Array(isLetter ? content[...] : content.dropFirst()), encoding(first), maximumCount: maximumCount)
  }

  /// - Parameter separator: in what has bytes for units; in UTF-16 two bytes.
  static func split(
    _ text: [UInt8], _ encoding: TagContents.Encoding, at separator: UInt8 = 0, maximumCount: Int = .max
  ) -> [Value] {
    let isWide = encoding == .utf16 || encoding == .utf16BigEndian || encoding == .latin1 && LegacyText.isWide(text)
    guard isWide else {
      return text.split(separator: separator, maxSplits: maximumCount - 1, omittingEmptySubsequences: false).map {
        (Array($0), encoding)
      }
    }
    var values: [Value] = []
    var start = 0
    var index = 0
    // Of UTF-16 without marks at all, the order of the first text shows where its separators are.
    let isLittle = text.starts(with: [0xFF, 0xFE])
    let order: [UInt8] = isLittle ? [0xFF, 0xFE] : text.starts(with: [0xFE, 0xFF]) ? [0xFE, 0xFF] : []
    func value(_ range: Range<Int>) -> Value {
      let part = Array(text[range])
      // Later texts have the order of the first one unless they have a mark of their own.
      return (
        values.isEmpty || order.isEmpty || part.isEmpty || LegacyText.isWide(part) ? part : order + part, encoding
      )
    }
    while index + 1 < text.count, values.count < maximumCount - 1 {
      let isSeparator =
        separator == 0
        ? text[index] == 0 && text[index + 1] == 0
        : isLittle ? text[index] == separator && text[index + 1] == 0 : text[index] == 0 && text[index + 1] == separator
      if isSeparator {
        values.append(value(start..<index))
        start = index + 2
      }
      index += 2
    }
    values.append(value(start..<text.count))
    return values
  }

  /// A text that ends with NUL, and where what follows it begins; nil if there is no NUL.
  static func text(_ bytes: [UInt8], encoding: UInt8) -> (text: [UInt8], end: Int)? {
    if encoding == 1 || encoding == 2 {
      var index = 0
      while index + 1 < bytes.count {
        if bytes[index] == 0, bytes[index + 1] == 0 { return (Array(bytes[..<index]), index + 2) }
        index += 2
      }
      return nil
    }
    return bytes.firstIndex(of: 0).map { (Array(bytes[..<$0]), $0 + 1) }
  }

  /// "17", "(17)", "(4)Eurodisco", "(51)(39)" and "((Foo)" as names.
  static func genres(_ text: [UInt8], _ encoding: TagContents.Encoding) -> [(
    bytes: [UInt8], encoding: TagContents.Encoding
  )] {
    var decoder = TagContents.Decoder([TagContents.Text(name: "", bytes: text, encoding: encoding)])
    let written = decoder.decoded(text, encoding)
    var rest = written[...]
    var names: [String] = []
    while rest.first == "(", let end = rest.firstIndex(of: ")") {
      let code = rest[rest.index(after: rest.startIndex)..<end]
      let behind = rest[rest.index(after: end)...]
      // A name among numbers.
      let isName = !names.isEmpty && !code.isEmpty && code.first != "(" && (behind.isEmpty || behind.first == "(")
      guard let known = self.names(ofCode: code) ?? (isName ? [String(code)] : nil) else { break }
      names += known
      rest = behind
    }
    if !names.isEmpty { rest = rest.drop { $0 == " " } }
    if rest.hasPrefix("((") {
      names.append(String(rest.dropFirst()))
    } else if let number = Int(rest), (0...255).contains(number) {
      if let known = TagGenres.name(number) { names.append(known) }
    } else if rest.utf8.count == written.utf8.count {
      return [(text, encoding)]
    } else if !rest.isEmpty, !names.contains(String(rest)) {
      names.append(String(rest))
    }
    return names.map { (Array($0.utf8), .utf8) }
  }

  /// nil if it is no code; empty if it is one without a name.
  private static func names(ofCode code: Substring) -> [String]? {
    if code == "RX" { return ["Remix"] }
    if code == "CR" { return ["Cover"] }
    guard let number = Int(code), (0...255).contains(number) else { return nil }
    return TagGenres.name(number).map { [$0] } ?? []
  }

  /// One text alone.
  static func decoded(_ value: Value) -> String {
    var decoder = TagContents.Decoder([TagContents.Text(name: "", bytes: value.text, encoding: value.encoding)])
    return decoder.decoded(value.text, value.encoding)
  }

  /// A time is written with a blank before it everywhere else.
  static func withoutTimeMark(_ value: Value) -> Value {
    let text = decoded(value)
    let plain = text.replacing(/(?<day>[0-9])T(?<hour>[0-9])/) { "\($0.day) \($0.hour)" }
    return plain == text ? value : (Array(plain.utf8), .utf8)
  }
}

/// The year, day and time of versions before 2.4, each of which has a frame of its own.
private struct ID3v2Dates {
  private var year: String?
  private var day: String?
  private var time: String?

  mutating func add(_ id: String, _ text: String) {
    let text = String(text.unicodeScalars.filter { $0 != "\0" })
    let isNumber = text.utf8.count == 4 && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    switch id {
    case "TYER": year = year ?? text
    case "TDAT": day = day ?? (isNumber ? text : nil)
    default: time = time ?? (isNumber ? text : nil)
    }
  }

  /// Such as `2010-04-03 12:30`; the year as it is written if it is none, or if the day is not possible.
  var date: String? {
    guard let year, !year.isEmpty else { return nil }
    guard year.utf8.count == 4, Int(year) != nil, let day, let number = Int(day),
      (1...31).contains(number / 100), (1...12).contains(number % 100)
    else { return year }
    let date = "\(year)-\(day.suffix(2))-\(day.prefix(2))"
    guard let time, let clock = Int(time), clock / 100 < 24, clock % 100 < 60 else { return date }
    return "\(date) \(time.prefix(2)):\(time.suffix(2))"
  }
}

internal import Base
internal import MediaModel

/// Reads a configuration of Equalizer APO. Files of AutoEq and PipeWire use subsets of its language.
///
/// Like Equalizer APO it continues after an error: it notes what it cannot read and goes on with the next line.
struct EqualizerAPOReader {
  /// As in Equalizer APO.
  private static let maximumDepth = 100
  /// A few files that include each other twice could otherwise be read for an exponentially long time.
  private static let maximumFileCount = 256
  static let maximumByteCount = 4 << 20

  var draft = EqualizerDraft()
  var notes: ExchangeNotes
  var curves = GraphicCurves()
  /// The number of lines with a known command.
  private(set) var commandCount = 0

  private let find: IncludedFile.Finder
  private var channels = APOChannels.all
  /// The first device that is named; lines for other devices are ignored.
  private var device: String?
  private var isOtherDevice = false
  private var isCapture = false
  private var open: [String] = []
  private var fileCount = 0
  private var byteCount = 0

  /// - Parameter identity: The identity of the imported file; nil if unknown.
  init(notes: ExchangeNotes, identity: String? = nil, find: @escaping IncludedFile.Finder) {
    self.notes = notes
    open = identity.map { [$0] } ?? []
    self.find = find
  }

  /// - Parameter identity: nil for the imported file.
  mutating func read(_ bytes: [UInt8], identity: String? = nil) {
    var conditions = 0
    var skipped: (first: Int, count: Int) = (0, 0)
    for line in APOLines(bytes, notes: &notes).lines {
      guard let setting = SettingLine(line.text, separator: ":") else {
        // A condition has no value: EndIf, Else.
        let word = line.text.lowercased()
        if word == "endif", conditions > 0 {
          conditions -= 1
          if conditions == 0 { noteSkipped(skipped) }
        } else if conditions > 0 {
          skipped.count += 1
        } else {
          notes.add("\(ExchangeNote.quoted(line.text)) is not a command", at: .line(line.number))
        }
        continue
      }
      let command = setting.name.lowercased()
      switch command {
      case "if":
        if conditions == 0 { skipped = (line.number, 0) }
        conditions += 1
        commandCount += 1
      case "endif" where conditions > 0:
        conditions -= 1
        if conditions == 0 { noteSkipped(skipped) }
      case "elseif", "else": if conditions == 0 { notes.add("\(setting.name) without If", at: .line(line.number)) }
      case _ where conditions > 0: skipped.count += 1
      default: perform(command, setting, at: line.number, in: identity)
      }
    }
    if conditions > 0 { noteSkipped(skipped) }
  }

  private mutating func noteSkipped(_ skipped: (first: Int, count: Int)) {
    notes.add("If cannot be evaluated; \(skipped.count) lines up to EndIf are ignored", at: .line(skipped.first))
  }

  private mutating func perform(_ command: String, _ setting: SettingLine, at line: Int, in identity: String?) {
    if command == "device" { return select(device: setting.value, at: line) }
    if isOtherDevice {
      return notes.add("\(setting.name): for another device than \(device ?? ""); ignored", at: .line(line))
    }
    if command == "stage" {
      commandCount += 1
      let stages = setting.value.lowercased().split(whereSeparator: \.isWhitespace)
      isCapture = !stages.isEmpty && stages.allSatisfy { $0 == "capture" }
      return notes.add("Stage: a preset cannot hold \(ExchangeNote.quoted(setting.value))", at: .line(line))
    }
    if isCapture { return notes.add("\(setting.name): for audio input; ignored", at: .line(line)) }
    if setting.value.contains("`") {
      return draft.lose("\(setting.name): an expression cannot be evaluated", at: .line(line), notes: &notes)
    }
    switch command {
    case "channel": select(channels: setting.value, at: line)
    case "preamp": addPreamp(setting.value, at: line)
    case "include": include(setting.value, at: line, in: identity)
    case "graphiceq": addCurve(setting.value, at: line)
    case _ where command.hasPrefix("filter") && command.dropFirst(6).allSatisfy({ $0.isNumber || $0 == " " }):
      addFilter(setting.value, at: line)
    case "copy", "delay", "convolution", "eval", "vstplugin", "loudnesscorrection", "iir":
      commandCount += 1
      notes.add("\(setting.name): a preset cannot hold this; ignored", at: .line(line))
    default:
      notes.add("\(ExchangeNote.quoted(setting.name)) is not a command", at: .line(line))
    }
  }

  private mutating func select(device pattern: Substring, at line: Int) {
    commandCount += 1
    isOtherDevice = false
    guard pattern.lowercased() != "all" else { return }
    if device == nil {
      device = ExchangeNote.quoted(pattern)
      notes.add("Device: a preset is for any device, not for \(ExchangeNote.quoted(pattern)) only", at: .line(line))
    } else if device != ExchangeNote.quoted(pattern) {
      isOtherDevice = true
    }
  }

  private mutating func select(channels text: Substring, at line: Int) {
    commandCount += 1
    channels = APOChannels(text)
    for name in channels.unknown {
      notes.add("Channel: \(ExchangeNote.quoted(name)) is not a channel", at: .line(line))
    }
    if !channels.others.isEmpty {
      let names = channels.others.prefix(16).joined(separator: " ")
      notes.add("Channel: a preset has only left and right, not \(names)", at: .line(line))
    }
  }

  /// nil if no channel is selected that a preset has.
  private var selection: BandChannels? {
    switch (channels.hasLeft, channels.hasRight) {
    case (true, true): .all
    case (true, false): .left
    case (false, true): .right
    case (false, false): nil
    }
  }

  /// The selected channels; notes it if there are none.
  private mutating func selection(for name: String, at line: Int) -> BandChannels? {
    commandCount += 1
    if selection == nil { notes.add("\(name): for channels that a preset does not have; ignored", at: .line(line)) }
    return selection
  }

  private mutating func addPreamp(_ value: Substring, at line: Int) {
    guard let selection = selection(for: "Preamp", at: line) else { return }
    var words = SettingWords(value.map { $0 == "," ? "." : $0 }.reduce(into: "") { $0.append($1) })
    guard let gain = words.takeNumber() else {
      return draft.lose("Preamp: \(ExchangeNote.quoted(value)) is not a gain", at: .line(line), notes: &notes)
    }
    _ = words.take("dB")
    if !words.isEmpty { notes.add("Preamp: \(ExchangeNote.quoted(words.rest)) is ignored", at: .line(line)) }
    draft.add(gain: gain, channels: selection)
  }

  private mutating func addFilter(_ value: Substring, at line: Int) {
    guard let filter = APOFilterLine(value) else {
      commandCount += 1
      return draft.lose("Filter: neither ON nor OFF", at: .line(line), notes: &notes)
    }
    // An unused entry in the list of Room EQ Wizard.
    if filter.type.lowercased() == "none" || !filter.isOn && filter.type.isEmpty {
      commandCount += 1
      return draft.skip()
    }
    guard let selection = selection(for: "Filter", at: line) else { return }
    do throws(APOFilterLine.Fault) {
      let meaning = try filter.meaning()
      for fault in filter.faults { notes.add("Filter: \(fault)", at: .line(line)) }
      for name in meaning.unused {
        notes.add("Filter: \(name) means nothing for \(filter.type); ignored", at: .line(line))
      }
      if !filter.rest.isEmpty { notes.add("Filter: \(ExchangeNote.quoted(filter.rest)) is ignored", at: .line(line)) }
      draft.add(
        meaning.shape, frequency: meaning.frequency, gain: meaning.gain, width: meaning.width, channels: selection,
        isBypassed: !filter.isOn, at: .line(line), notes: &notes)
    } catch {
      draft.lose("Filter: \(error.reason)", at: .line(line), notes: &notes)
    }
  }

  private mutating func addCurve(_ value: Substring, at line: Int) {
    guard let selection = selection(for: "GraphicEQ", at: line) else { return }
    if !curves.add(value, channels: selection, at: line, notes: &notes) {
      draft.lose("GraphicEQ: a curve without points", at: .line(line), notes: &notes)
    }
  }

  private mutating func include(_ value: Substring, at line: Int, in identity: String?) {
    commandCount += 1
    guard open.count < Self.maximumDepth else {
      return notes.add("Include: files are nested more than \(Self.maximumDepth) deep; ignored", at: .line(line))
    }
    // Files that are not found count, too: each is looked for in the folder.
    fileCount += 1
    guard fileCount <= Self.maximumFileCount else { return noteTooManyFiles(value, at: line) }
    guard let file = find(String(value), identity) else {
      return notes.add("Include: \(ExchangeNote.quoted(value)) cannot be read", at: .line(line))
    }
    guard !open.contains(file.identity) else {
      return notes.add("Include: \(ExchangeNote.quoted(value)) includes itself; ignored", at: .line(line))
    }
    byteCount += file.bytes.count
    guard byteCount <= Self.maximumByteCount else { return noteTooManyFiles(value, at: line) }
    let outer = (channels, notes.file)
    open.append(file.identity)
    notes.file = value.limited(toScalarCount: 200)
    read(file.bytes, identity: file.identity)
    open.removeLast()
    (channels, notes.file) = outer
  }

  private mutating func noteTooManyFiles(_ name: Substring, at line: Int) {
    notes.add("Include: too many files; \(ExchangeNote.quoted(name)) is ignored", at: .line(line))
  }
}

/// The channels that a `Channel:` line of Equalizer APO selects.
struct APOChannels: Hashable {
  static let all = APOChannels(hasLeft: true, hasRight: true, others: [])

  /// In the order of the channel numbers, from 1.
  private static let names = ["L", "R", "C", "LFE", "RL", "RR", "SL", "SR"]
  private static let synonyms = ["SUB": "LFE", "RC": "RC"]

  var hasLeft = false
  var hasRight = false
  /// The selected channels that a preset does not have.
  var others: [String] = []
  /// Words that are not channels.
  var unknown: [String] = []

  private init(hasLeft: Bool, hasRight: Bool, others: [String]) {
    (self.hasLeft, self.hasRight, self.others) = (hasLeft, hasRight, others)
  }

  init(_ text: Substring) {
    for word in text.split(whereSeparator: \.isWhitespace) {
      let upper = word.uppercased()
      let number = Int(word).flatMap { (1...64).contains($0) ? $0 : nil }
      if upper == "ALL" {
        (hasLeft, hasRight) = (true, true)
      } else if upper == "L" || number == 1 {
        hasLeft = true
      } else if upper == "R" || number == 2 {
        hasRight = true
      } else if let number {
        others.append(number <= Self.names.count ? Self.names[number - 1] : String(number))
      } else if Self.names.contains(upper) || Self.synonyms[upper] != nil {
        others.append(upper)
      } else {
        unknown.append(String(word))
      }
    }
  }
}

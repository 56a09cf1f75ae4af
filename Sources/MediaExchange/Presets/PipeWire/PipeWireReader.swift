internal import Base
internal import Glibc
internal import MediaModel

/// Reads the equalizers of a PipeWire configuration: `param_eq` nodes, single filters, and the module that loads a
/// file.
struct PipeWireReader {
  var notes: ExchangeNotes
  private var sink = Sink()
  private var sinks: [Sink] = []
  private let find: IncludedFile.Finder

  /// What one module or rule of the configuration says.
  private struct Sink {
    var name: String?
    var draft = EqualizerDraft()
    var hasEqualizer = false
  }

  init(notes: ExchangeNotes, find: @escaping IncludedFile.Finder) {
    self.notes = notes
    self.find = find
  }

  mutating func read(_ bytes: [UInt8]) throws(ExchangeError) -> [NamedEqualizer] {
    let document: JSONValue
    do throws(ByteReader.Failure) { document = try SPAJSON.parse(bytes) } catch {
      throw .unreadable("not a PipeWire configuration: \(error)")
    }
    search(document, path: "")
    if sink.hasEqualizer { sinks.append(sink) }
    guard !sinks.isEmpty else { throw .unreadable("the configuration has no PipeWire equalizer") }
    var found: [NamedEqualizer] = []
    for sink in sinks {
      do throws(ExchangeError) {
        try sink.draft.requireContent(of: "PipeWire configuration")
        found.append(NamedEqualizer(name: sink.name, equalizer: sink.draft.equalizer(notes: &notes)))
      } catch {
        if sinks.count == 1 { throw error }
        let name = sink.name.map { ExchangeNote.quoted($0) } ?? "without a name"
        notes.add("no filter of the equalizer \(name) can be read; ignored")
      }
    }
    guard !found.isEmpty else {
      throw .unreadable("PipeWire configuration: no filter of its \(sinks.count) equalizers can be read")
    }
    return found
  }

  /// Each element of a list, a module for example, is a sink of its own. The parser limits the depth of the recursion.
  private mutating func search(_ value: JSONValue, path: String) {
    func below(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }
    for (index, element) in (value.array ?? []).enumerated() {
      let outer = sink
      sink = Sink()
      search(element, path: "\(path)[\(index)]")
      if sink.hasEqualizer { sinks.append(sink) }
      sink = outer
    }
    guard let members = value.members else { return }
    if let file = value["equalizer.filepath"]?.string {
      sink.hasEqualizer = true
      readFile(file, channels: .all, at: .key(below("equalizer.filepath")))
    }
    if let title = value["equalizer.description"]?.string ?? value["node.description"]?.string, sink.name == nil {
      sink.name = title
    }
    if value["nodes"]?.array != nil {
      readGraph(value, path: path)
    } else {
      for member in members { search(member.value, path: below(member.key)) }
    }
  }

  /// If the graph has two inputs, the nodes behind each belong to one channel; otherwise all nodes are one chain. Nodes
  /// through which no sound passes are left out.
  private mutating func readGraph(_ value: JSONValue, path: String) {
    let nodes = value["nodes"]?.array ?? []
    let graph = PipeWireGraph(value)
    if graph.chains.count > 2 {
      notes.add("the graph has \(graph.chains.count) inputs; a preset has two channels", at: .key("\(path).inputs"))
    }
    if !graph.isConnected {
      notes.add("nothing links the nodes; they are read as one chain", at: .key("\(path).nodes"))
    }
    for (index, node) in nodes.enumerated() {
      let nodePath = "\(path).nodes[\(index)]"
      guard graph.isHeard(index) else {
        notes.add("no sound passes through this node; ignored", at: .key(nodePath))
        continue
      }
      let places = graph.chains.indices.filter { graph.chains[$0].contains(index) }
      let channels: BandChannels
      switch (graph.chains.count, places) {
      case (2, [0]): channels = .left
      case (2, [1]): channels = .right
      default: channels = .all
      }
      readNode(node, inputs: graph.inputs(of: index), channels: channels, path: nodePath)
    }
  }

  /// - Parameter inputs: The linked ports; a mixer's gains are theirs.
  private mutating func readNode(_ node: JSONValue, inputs: [String], channels: BandChannels, path: String) {
    guard let label = node["label"]?.string else {
      return notes.add("a node without a label is ignored", at: .key(path))
    }
    let control = node["control"] ?? .null
    func value(_ name: String) -> Double? { SettingValue.number(control[name]) }
    switch label {
    case "param_eq":
      sink.hasEqualizer = true
      readParametric(node["config"] ?? .null, channels: channels, path: "\(path).config")
    case "copy": break
    case "linear":
      sink.hasEqualizer = true
      if value("Add") ?? 0 != 0 { notes.add("a preset cannot add an offset; ignored", at: .key("\(path).control.Add")) }
      add(factor: value("Mult") ?? 1, channels: channels, at: "\(path).control.Mult")
    case "mixer" where inputs.count <= 1:
      sink.hasEqualizer = true
      let number = inputs.first?.last(where: \.isNumber).map(String.init) ?? "1"
      add(factor: value("Gain \(number)") ?? 1, channels: channels, at: "\(path).control.Gain \(number)")
    case _ where label == "bq_raw" || !label.hasPrefix("bq_"):
      notes.add("a preset cannot hold the node \(ExchangeNote.quoted(label)); ignored", at: .key(path))
    default:
      sink.hasEqualizer = true
      for member in control.members ?? [] where ["Freq", "Q", "Gain"].contains(member.key) {
        if value(member.key) == nil { notes.add("is not a number", at: .key("\(path).control.\(member.key)")) }
      }
      add(label, frequency: value("Freq"), gain: value("Gain"), quality: value("Q"), channels: channels, path: path)
    }
  }

  /// A factor for all samples, as a gain.
  private mutating func add(factor: Double, channels: BandChannels, at path: String) {
    guard factor != 0 else { return notes.add("a preset cannot be silent; ignored", at: .key(path)) }
    if factor < 0 { notes.add("a preset cannot invert the sound; only the gain is read", at: .key(path)) }
    sink.draft.add(gain: 20 * log10(abs(factor)), channels: channels)
  }

  private mutating func readParametric(_ config: JSONValue, channels: BandChannels, path: String) {
    let members = config.members ?? []
    if members.isEmpty { notes.add("is missing", at: .key(path)) }
    // Channels without a list of their own use the common one.
    let common = members.last { $0.key == "filters" || $0.key == "filename" }
    let left = members.last { $0.key == "filters1" || $0.key == "filename1" } ?? common
    let right = members.last { $0.key == "filters2" || $0.key == "filename2" } ?? common
    for member in members {
      let number = member.key.drop { !$0.isNumber }
      guard member.key.hasPrefix("filters") || member.key.hasPrefix("filename") else {
        notes.add("is unknown; ignored", at: .key("\(path).\(member.key)"))
        continue
      }
      if !number.isEmpty, number != "1", number != "2" {
        notes.add("a preset has only two channels; ignored", at: .key("\(path).\(member.key)"))
      }
    }
    if channels != .all || left?.value == right?.value {
      let own = channels == .right ? right : left
      if let own { readList(own, channels: channels, path: path) }
    } else {
      if let left { readList(left, channels: .left, path: path) }
      if let right { readList(right, channels: .right, path: path) }
    }
  }

  private mutating func readList(_ member: JSONValue.Member, channels: BandChannels, path: String) {
    let place = "\(path).\(member.key)"
    if let file = member.value.string { return readFile(file, channels: channels, at: .key(place)) }
    guard let filters = member.value.array else { return notes.add("is not a list of filters", at: .key(place)) }
    for (index, filter) in filters.enumerated() {
      let filterPath = "\(place)[\(index)]"
      for key in filter.members ?? [] where !["type", "freq", "gain", "q"].contains(key.key) {
        notes.add("is unknown; ignored", at: .key("\(filterPath).\(key.key)"))
      }
      for key in ["freq", "gain", "q"] where filter[key] != nil && SettingValue.number(filter[key]) == nil {
        notes.add("is not a number", at: .key("\(filterPath).\(key)"))
      }
      add(
        filter["type"]?.string ?? "", frequency: SettingValue.number(filter["freq"]),
        gain: SettingValue.number(filter["gain"]), quality: SettingValue.number(filter["q"]), channels: channels,
        path: filterPath)
    }
  }

  private mutating func add(
    _ type: String, frequency: Double?, gain: Double?, quality: Double?, channels: BandChannels, path: String
  ) {
    guard let shape = Self.shape(type) else {
      return sink.draft.lose(
        "a preset cannot hold the filter \(ExchangeNote.quoted(type))", at: .key(path), notes: &notes)
    }
    if type == PipeWireConfiguration.gainType, frequency ?? 0 == 0 {
      return sink.draft.add(gain: gain ?? 0, channels: channels)
    }
    guard let frequency else { return sink.draft.lose("a filter without a frequency", at: .key(path), notes: &notes) }
    // PipeWire uses its default if Q is 0.
    let width = quality.flatMap { $0 == 0 ? nil : $0 }
    let breadth =
      shape.family == .pass
      ? PipeWireConfiguration.quality(ofResonance: width ?? 0)
      : width ?? (shape == .parametric ? 1 : 0.5.squareRoot())
    sink.draft.add(
      shape.plain(quality: breadth), frequency: frequency, gain: gain ?? 0, width: .quality(breadth),
      channels: channels,
      at: .key(path), notes: &notes)
  }

  private static func shape(_ type: String) -> FilterShape? {
    PipeWireConfiguration.types.first { $0.name == type }?.shape
  }

  /// Reads a file for `param_eq`, whose format is a subset of Equalizer APO's language.
  private mutating func readFile(_ name: String, channels: BandChannels, at place: ExchangeNote.Place) {
    guard let file = find(name, nil), file.bytes.count <= EqualizerAPOReader.maximumByteCount else {
      return sink.draft.lose("\(ExchangeNote.quoted(name)) cannot be read", at: place, notes: &notes)
    }
    let outer = notes.file
    notes.file = name.limited(toScalarCount: 200)
    var reader = EqualizerAPOReader(notes: notes, find: { _, _ in nil })
    reader.read(file.bytes, identity: file.identity)
    notes = reader.notes
    do throws(ExchangeError) { try reader.draft.requireContent(of: "PipeWire param_eq file") } catch {
      sink.draft.lose("\(ExchangeNote.quoted(name)): \(error)", at: place, notes: &notes)
    }
    var own = EqualizerDraft()
    for band in reader.draft.bands {
      own.add(
        band.shape, frequency: band.frequency, gain: band.gain, width: band.width, channels: channels,
        isBypassed: band.isBypassed, at: place, notes: &notes)
    }
    let equalizer = own.equalizer(notes: &notes)
    sink.draft.add(equalizer, at: place, notes: &notes)
    sink.draft.add(gain: reader.draft.gains.left, channels: channels)
    notes.file = outer
  }
}

package import Base
internal import CYAML

/// A document of YAML as one value, by the core schema of YAML 1.2, read by libyaml.
///
/// A value in quotation marks is a text. Aliases are what they name; tags other than those of the schema, and a second
/// document, are errors.
package enum YAMLDocument {
  package static var library: SharedLibrary {
    SharedLibrary(
      "libyaml", dw_yaml_load(), version: dw_yaml_version(), without: "presets of CamillaDSP cannot be imported")
  }

  /// Why a text could not be parsed.
  package struct Fault: Error, CustomStringConvertible {
    /// From 1; nil if it has none.
    package let line: Int?
    package let reason: String

    package var description: String { line.map { "line \($0): \(reason)" } ?? reason }
  }

  /// - Returns: Mappings as objects, lists as arrays; if a key occurs twice, the first counts. Null if there is no document.
  package static func parse(_ text: String) throws(Fault) -> JSONValue {
    let bytes = Array(text.utf8)
    var builder = YAMLBuilder()
    var failure = dw_yaml_failure()
    let isRead = withUnsafeMutablePointer(to: &builder) { builder in
      dw_yaml_parse(
        bytes, bytes.count,
        { context, part in
          guard let builder = context?.assumingMemoryBound(to: YAMLBuilder.self), let part else { return 0 }
          do throws(Fault) { try builder.pointee.add(part.pointee) } catch {
            builder.pointee.fault = error
            return 0
          }
          return 1
        }, builder, &failure) == 1
    }
    if let fault = builder.fault { throw fault }
    guard isRead else {
      let reason = failure.reason.map { String(cString: $0) } ?? "it cannot be parsed"
      // Of a text that ends too early, the line behind it is named.
      let lineCount = max(1, text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).count)
      throw Fault(line: failure.line > 0 ? min(Int(failure.line), lineCount) : nil, reason: reason)
    }
    return builder.document ?? .null
  }
}

/// Puts the parts of a document together.
private struct YAMLBuilder {
  /// A list or mapping whose end has not come.
  private struct Collection {
    var isMapping: Bool
    var anchor: String?
    /// Of the values before it.
    var count: Int
    var key: String?
    var items: [JSONValue] = []
    var members: [JSONValue.Member] = []

    var value: JSONValue { isMapping ? .object(members) : .array(items) }
  }

  private static let maximumDepth = 64
  /// With what aliases repeat.
  private static let maximumCount = 100_000

  private(set) var document: JSONValue?
  var fault: YAMLDocument.Fault?
  private var open: [Collection] = []
  private var anchors: [String: (value: JSONValue, count: Int)] = [:]
  private var count = 0

  mutating func add(_ part: dw_yaml_part) throws(YAMLDocument.Fault) {
    func fault(_ reason: String) -> YAMLDocument.Fault { YAMLDocument.Fault(line: Int(part.line), reason: reason) }
    let anchor = part.anchor.map { String(cString: $0) }
    count += 1
    switch part.kind {
    case DW_YAML_DOCUMENT:
      if document != nil { throw fault("a second document") }
    case DW_YAML_LIST, DW_YAML_MAPPING:
      if let last = open.last, last.isMapping, last.key == nil { throw fault("a key that is no text") }
      if open.count == Self.maximumDepth { throw fault("values are nested too deep") }
      if let tag = part.tag.map({ String(cString: $0) }), Self.coreType(tag) == nil {
        throw fault("the tag \(tag) is not read")
      }
      open.append(Collection(isMapping: part.kind == DW_YAML_MAPPING, anchor: anchor, count: count))
    case DW_YAML_END:
      let collection = open.removeLast()
      put(collection.value, anchor: collection.anchor, count: count - collection.count)
    case DW_YAML_ALIAS:
      guard let named = anchor.flatMap({ anchors[$0] }) else { throw fault("an alias of nothing") }
      count += named.count
      if let last = open.last, last.isMapping, last.key == nil, named.value.string == nil {
        throw fault("a key that is no text")
      }
      put(named.value, anchor: nil, count: 0)
    default:
      let text = String(decoding: UnsafeBufferPointer(start: part.text, count: part.text_size), as: UTF8.self)
      let type = part.tag.map { String(cString: $0) }.map { (tag: $0, type: Self.coreType($0)) }
      if let type, type.type == nil { throw fault("the tag \(type.tag) is not read") }
      let isText = part.is_quoted == 1 && type == nil || type?.type == "str"
      let isKey = open.last.map { $0.isMapping && $0.key == nil } ?? false
      put(isText || isKey ? .string(text) : Self.plain(text), anchor: anchor, count: 1)
    }
    if count > Self.maximumCount { throw fault("more than \(Self.maximumCount) values") }
  }

  private mutating func put(_ value: JSONValue, anchor: String?, count: Int) {
    if let anchor { anchors[anchor] = (value, count) }
    guard let last = open.indices.last else {
      document = value
      return
    }
    guard open[last].isMapping else { return open[last].items.append(value) }
    if let key = open[last].key {
      open[last].members.append(JSONValue.Member(key, value))
      open[last].key = nil
    } else {
      open[last].key = value.string ?? ""
    }
  }

  /// The name of a type of the schema; `str` for the tag that means none.
  private static func coreType(_ tag: String) -> String? {
    if tag == "!" { return "str" }
    let prefix = "tag:yaml.org,2002:"
    let name = String(tag.dropFirst(tag.hasPrefix(prefix) ? prefix.count : tag.count))
    return ["str", "null", "bool", "int", "float", "seq", "map"].contains(name) ? name : nil
  }

  /// A value without quotation marks, by the core schema (YAML 1.2, section 10.3.2). What is not finite is left a text.
  private static func plain(_ text: String) -> JSONValue {
    switch text {
    case "", "~", "null", "Null", "NULL": return .null
    case "true", "True", "TRUE": return .bool(true)
    case "false", "False", "FALSE": return .bool(false)
    default:
      for (prefix, radix) in [("0x", 16), ("0o", 8)] where text.hasPrefix(prefix) {
        return Int64(text.dropFirst(2), radix: radix).map { .integer($0) } ?? .string(text)
      }
      if let number = Int64(text) { return .integer(number) }
      return DecimalText.parse(text).map { .number($0) } ?? .string(text)
    }
  }
}

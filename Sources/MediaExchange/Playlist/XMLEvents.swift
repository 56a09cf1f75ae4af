package import Base
internal import CExpat

/// The elements and texts of an XML document, read by expat.
///
/// Nothing outside the document is read. Only the five entities that XML itself defines are replaced.
package enum XMLEvents {
  package static var library: SharedLibrary {
    SharedLibrary("expat", dw_expat_load(), version: dw_expat_version(), without: "XSPF playlists cannot be imported")
  }

  enum Event: Hashable {
    /// Names come without their namespace prefix.
    case start(String)
    case end(String)
    /// A part of the text between two tags; entities and CDATA are resolved.
    case text(String)
  }

  /// Calls `handle` for each event, in document order. After an error, the events so far are an incomplete document.
  ///
  /// Blank lines before the document, which XML forbids, are skipped. The encoding that the document declares counts only
  /// if its bytes are not UTF-8, and if it is none of Latin letters, which many programs declare for any text.
  static func read(_ bytes: [UInt8], _ handle: (Event) -> Void) throws(ExchangeError) {
    let bytes = inUTF8(Array(bytes.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }))
    guard !bytes.isEmpty else { throw .unreadable("an empty document") }
    var failure = dw_xml_failure()
    let isRead = withoutActuallyEscaping(handle) { handle in
      withUnsafePointer(to: Receiver(handle: handle)) { receiver in
        var handlers = dw_xml_handlers(
          context: UnsafeMutableRawPointer(mutating: receiver),
          start: { context, name in XMLEvents.receive(context, .start(XMLEvents.local(name))) },
          end: { context, name in XMLEvents.receive(context, .end(XMLEvents.local(name))) },
          text: { context, bytes, count in
            let text = UnsafeRawBufferPointer(start: bytes, count: Int(count))
            XMLEvents.receive(context, .text(String(decoding: text, as: UTF8.self)))
          })
        return dw_xml_parse(bytes, bytes.count, &handlers, &failure) == 1
      }
    }
    guard isRead else {
      let reason = failure.reason.map { String(cString: $0) } ?? "not well-formed"
      throw .unreadable(failure.line > 0 ? "XML, line \(failure.line): \(reason)" : reason)
    }
  }

  /// The document without its declaration, whose line ends stay.
  private static func inUTF8(_ bytes: [UInt8]) -> [UInt8] {
    var text: String
    if let own = declaredPage(bytes), String(validating: bytes, as: UTF8.self) == nil {
      text = own.decoded(bytes[...])
    } else {
      text = GuessedText.decoded(bytes)
    }
    if text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
    if text.hasPrefix("<?xml"), let end = text.firstRange(of: "?>") {
      text = text[..<end.upperBound].filter(\.isNewline) + text[end.upperBound...]
    }
    return Array(text.utf8)
  }

  private static func declaredPage(_ bytes: [UInt8]) -> TextEncoding? {
    let head = String(decoding: bytes.prefix(200), as: UTF8.self).lowercased()
    guard head.hasPrefix("<?xml"), let start = head.firstRange(of: "encoding"), let end = head.firstRange(of: "?>"),
      start.upperBound < end.lowerBound
    else { return nil }
    let name = head[start.upperBound..<end.lowerBound].drop { !$0.isLetter }.prefix { $0 != "\"" && $0 != "'" }
    let page = TextEncoding(name: String(name))
    return page == .western || page == .utf8 ? nil : page
  }

  private struct Receiver {
    let handle: (Event) -> Void
  }

  private static func receive(_ context: UnsafeMutableRawPointer?, _ event: Event) {
    context?.assumingMemoryBound(to: Receiver.self).pointee.handle(event)
  }

  private static func local(_ name: UnsafePointer<CChar>?) -> String {
    let name = name.map { String(cString: $0) } ?? ""
    return name.split(separator: ":").last.map(String.init) ?? name
  }
}

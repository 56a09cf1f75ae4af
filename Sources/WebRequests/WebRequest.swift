/// A request of HTTP or HTTPS to another machine. It says nothing of this program but what is put into it.
package struct WebRequest: Sendable {
  /// What is asked for; a body makes it a POST.
  package enum Method: Sendable {
    case get
    case post(body: [UInt8], contentType: String)
  }

  /// Beginning with `http://` or `https://`.
  package var url: String
  package var method: Method
  /// Besides those that the method and the connection need.
  package var headers: [(name: String, value: String)] = []
  /// For the whole exchange.
  package var timeoutInSeconds = 30.0
  /// A longer content of the answer is an error.
  package var mostBodyBytes = 16 << 20

  package init(url: String, _ method: Method = .get) {
    self.url = url
    self.method = method
  }

  /// The machine that is asked, with its port if the address has one; nil if the address is of another kind.
  package var host: String? {
    let scheme = ["https://", "http://"].first { url.lowercased().hasPrefix($0) }
    guard let scheme, !url.unicodeScalars.contains(where: { $0.value <= 0x20 || $0.value >= 0x7F }) else { return nil }
    let authority = url.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
    let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    return host.isEmpty ? nil : String(host)
  }

  /// A content of `application/x-www-form-urlencoded`: `name=value&…` in UTF-8.
  package static func form(_ fields: [(name: String, value: String)]) -> [UInt8] {
    var bytes: [UInt8] = []
    for field in fields {
      if !bytes.isEmpty { bytes.append(UInt8(ascii: "&")) }
      appendEscaped(field.name, to: &bytes)
      bytes.append(UInt8(ascii: "="))
      appendEscaped(field.value, to: &bytes)
    }
    return bytes
  }

  /// A blank becomes `+`; all but letters, digits and `*-._` become `%XX`.
  private static func appendEscaped(_ text: String, to bytes: inout [UInt8]) {
    let digits = Array("0123456789ABCDEF".utf8)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "*"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"):
        bytes.append(byte)
      case UInt8(ascii: " "): bytes.append(UInt8(ascii: "+"))
      default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
  }
}

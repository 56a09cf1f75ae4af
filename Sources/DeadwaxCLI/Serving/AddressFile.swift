internal import Base
internal import Foundation

/// Opens an address that holds a token in the browser of this desktop.
///
/// Every account of the computer can read the arguments of programs (proc(5), `cmdline`), so the browser is given a file that
/// only the user may read, which leads to the address.
enum AddressFile {
  /// The page is of use without a browser of this desktop, so a failure is only told.
  static func show(_ address: String) {
    guard isOpenerThere else {
      return StandardError.line("xdg-open is not installed: open \(address) yourself")
    }
    do {
      let file = PrivateFile(try StateFolder.made().appending(BytePath("serve-open.html")))
      try file.replace(with: Array(page(leadingTo: address).utf8))
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = ["xdg-open", file.path.displayString]
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
    } catch {
      StandardError.line("cannot open a browser: open \(address) yourself")
    }
  }

  private static var isOpenerThere: Bool {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
      .contains { FileManager.default.isExecutableFile(atPath: "\($0)/xdg-open") }
  }

  static func page(leadingTo address: String) -> String {
    let escapes: [Character: String] = ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;"]
    let text = address.map { escapes[$0] ?? String($0) }.joined()
    return """
      <!doctype html>
      <meta charset="utf-8">
      <meta name="referrer" content="no-referrer">
      <meta http-equiv="refresh" content="0; url=\(text)">
      <title>Deadwax</title>
      <p><a href="\(text)">Deadwax</a>

      """
  }
}

internal import Foundation
internal import Glibc

/// What is known of the terminal that the user sits at.
enum Terminal {
  /// Columns of the terminal that output goes to, else `COLUMNS`, else 80.
  static var width: Int {
    var size = winsize()
    if ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
    let columns = ProcessInfo.processInfo.environment["COLUMNS"].flatMap { Int($0) }
    return columns.flatMap { (1...10_000).contains($0) ? $0 : nil } ?? 80
  }
}

/// A C library as it is on this machine: its version, or why it cannot be loaded and what therefore does not work.
package struct SharedLibrary: Hashable, Sendable {
  package let name: String
  /// Without the library's name; nil if it cannot be loaded.
  package let version: String?
  /// Names the Debian package; nil if it is loaded.
  package let problem: String?

  /// - Parameters:
  ///   - problem: What the `load` function of its door has returned.
  ///   - version: The library's own text, whose last word is the version, such as `Xiph.Org libVorbis 1.3.7`; asked for
  ///     only if the library is loaded.
  ///   - consequence: What does not work without it.
  package init(
    _ name: String, _ problem: UnsafePointer<CChar>?, version: @autoclosure () -> UnsafePointer<CChar>?,
    without consequence: String
  ) {
    self.init(
      name, problem, version: version().map { Self.withoutName(String(cString: $0)) } ?? "unknown",
      without: consequence)
  }

  package init(
    _ name: String, _ problem: UnsafePointer<CChar>?, version: @autoclosure () -> String, without consequence: String
  ) {
    self.name = name
    self.version = problem == nil ? version() : nil
    self.problem = problem.map { "\(String(cString: $0)): \(consequence)" }
  }

  /// One that the program is linked to.
  package init(linked name: String, version: String) {
    self.name = name
    self.version = version
    problem = nil
  }

  private static func withoutName(_ text: String) -> String {
    text.split(whereSeparator: { " -_".contains($0) }).last { $0.first?.isNumber == true }.map(String.init) ?? text
  }
}

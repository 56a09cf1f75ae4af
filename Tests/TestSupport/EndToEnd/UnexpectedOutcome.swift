/// A command that must succeed, and did not.
package struct UnexpectedOutcome: Error, CustomStringConvertible {
  private let outcome: CommandOutcome

  package init(_ outcome: CommandOutcome) { self.outcome = outcome }

  package var description: String { outcome.description }
}

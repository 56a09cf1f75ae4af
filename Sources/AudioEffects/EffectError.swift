/// Why samples cannot be processed: one sentence for people.
package struct EffectError: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}

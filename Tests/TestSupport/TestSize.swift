import Foundation

/// How much of the loops of kills, faults, random cases and large files runs.
///
/// `make test` runs a few of each, with seeds that are stored here, so that no unrelated change has another result. `make test-slow`
/// runs all of them with a new seed, which it prints: `DEADWAX_TEST_SEED` gives it again, and what it finds becomes a case of its own.
package enum TestSize {
  private static let environment = ProcessInfo.processInfo.environment

  package static let isSlow = environment["DEADWAX_TEST_SIZE"] == "slow"
  package static let slowOnly = "only in `make test-slow`"

  package static func count(_ few: Int, slow: Int) -> Int { isSlow ? slow : few }

  package static func seed(_ stored: UInt64) -> UInt64 {
    environment["DEADWAX_TEST_SEED"].flatMap { UInt64($0) }.map { $0 &+ stored } ?? stored
  }
}

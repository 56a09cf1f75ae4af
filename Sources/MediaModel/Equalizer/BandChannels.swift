/// Which channels of a recording a band acts on; one channel alone is its left one.
package enum BandChannels: String, CaseIterable, Hashable, Sendable {
  case all, left, right
}

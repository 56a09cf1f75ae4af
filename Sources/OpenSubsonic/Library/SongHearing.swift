internal import Base
internal import Foundation
internal import LibraryServing
internal import LibraryTracks
internal import MediaModel
internal import MediaStore
internal import UserData

/// How songs are sent to a caller: through which presets, and how loud. What a song says must be true of that.
struct SongHearing: Sendable {
  /// Of an account that hears files as they are.
  static let raw = SongHearing()

  let gain: ReplayGain
  /// The presets that are assigned to something, by their names; empty if none is heard.
  private let chains: [String: EffectChain]

  private init() { (gain, chains) = (.off, [:]) }

  init(_ account: Account?, in store: MediaStore) throws {
    gain = account?.gain ?? .off
    guard account?.hearing == .presets else {
      chains = [:]
      return
    }
    var chains: [String: EffectChain] = [:]
    for name in try store.presets.assignmentCounts().keys {
      chains[name.text] = try store.presets.preset(named: name.text).preset().chain
    }
    self.chains = chains
  }

  /// Whether songs must name their presets.
  var hearsPresets: Bool { !chains.isEmpty }

  /// Whether songs can be heard for another time than their files last.
  var changesSpeed: Bool { chains.values.contains { $0.rate != 1 } }

  /// What is sent of a song instead of its file; nil if it is the file.
  func sent(of song: Song) -> Sent? {
    let chain = song.presetName.flatMap { chains[$0] } ?? .neutral
    // An album has a loudness although one of its songs has none.
    let isLevelled = gain != .off && (song.loudnessInLUFS != nil || gain == .album && song.album != nil)
    return chain != .neutral || isLevelled ? Sent(chain: chain, isLevelled: isLevelled) : nil
  }

  /// A song that is encoded while it is sent.
  struct Sent {
    fileprivate let chain: EffectChain
    /// Whether ReplayGain is applied, so that a player must not apply it again.
    let isLevelled: Bool

    /// How long a song of that length is heard.
    func duration(ofSeconds seconds: Double) -> Double { seconds / chain.rate }

    /// How much of the file so many heard seconds are.
    func fileSeconds(ofHeard seconds: Double) -> Double { seconds * chain.rate }
  }
}

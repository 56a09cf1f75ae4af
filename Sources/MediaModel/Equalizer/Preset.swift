/// An effect chain with a name, as it is stored, exchanged and assigned.
package struct Preset: Hashable, Sendable {
  package let name: PresetName
  package let chain: EffectChain

  package init(name: PresetName, chain: EffectChain) {
    self.name = name
    self.chain = chain
  }
}

/// How the samples of a packet depend on the packets before.
enum OggPacketMemory: Hashable {
  /// On as many frames as given: a decoder that starts that far ahead gives the samples of one that started at the
  /// beginning.
  case limited(frameCount: Int64)
  /// On all of them: only a saved state, or the beginning, leads to the same samples.
  case unlimited
}

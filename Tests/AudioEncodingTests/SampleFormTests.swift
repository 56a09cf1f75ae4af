import AudioEncoding
import MediaModel
import Testing

struct SampleFormTests {
  private func form(_ codec: Codec, bits: Int?) -> SampleForm {
    SampleForm(holding: MediaFormat(container: .wav, codec: codec, bitsPerSample: bits))
  }

  @Test func `a lossless source keeps its bits`() {
    #expect(form(.flac, bits: 16) == .int16)
    #expect(form(.flac, bits: 12) == .int16)
    #expect(form(.flac, bits: 20) == .int24)
    #expect(form(.pcmU8, bits: 8) == .int16)
    #expect(form(.pcmS24, bits: 24) == .int24)
    // Eight bits that stand for 14 of an integer.
    #expect(form(.muLaw, bits: 8) == .int16)
  }

  @Test func `what was float, lossy or wider than 24 bits becomes float`() {
    #expect(form(.pcmF32, bits: 32) == .float32)
    #expect(form(.pcmS32, bits: 32) == .float32)
    #expect(form(.opus, bits: nil) == .float32)
    #expect(form(.mp3, bits: nil) == .float32)
    #expect(SampleForm(holding: MediaFormat(container: .wav)) == .float32)
  }
}

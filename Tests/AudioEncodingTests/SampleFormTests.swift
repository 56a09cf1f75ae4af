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

  @Test func `FLAC holds 24 bits of a float`() {
    func forms(_ kind: SoundFileKind) -> [SampleForm] {
      [(Codec.flac, 16), (.pcmS24, 24), (.mp3, nil), (.pcmF32, 32)].map {
        kind.form(holding: MediaFormat(container: .wav, codec: $0, bitsPerSample: $1))
      }
    }
    #expect(forms(.wav) == [.int16, .int24, .float32, .float32])
    #expect(forms(.flac) == [.int16, .int24, .int24, .int24])
    #expect(forms(.raw) == [.float32, .float32, .float32, .float32])
  }
}

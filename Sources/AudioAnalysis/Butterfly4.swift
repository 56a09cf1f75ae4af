/// The Fourier transform of four complex points, in four lanes at once.
struct Butterfly4 {
  let r0, i0, r1, i1, r2, i2, r3, i3: SIMD4<Float>

  @inline(__always)
  init(
    ar: SIMD4<Float>, ai: SIMD4<Float>, br: SIMD4<Float>, bi: SIMD4<Float>,
    cr: SIMD4<Float>, ci: SIMD4<Float>, dr: SIMD4<Float>, di: SIMD4<Float>
  ) {
    let sumACr = ar + cr
    let sumACi = ai + ci
    let differenceACr = ar - cr
    let differenceACi = ai - ci
    let sumBDr = br + dr
    let sumBDi = bi + di
    let differenceBDr = br - dr
    let differenceBDi = bi - di
    r0 = sumACr + sumBDr
    i0 = sumACi + sumBDi
    r1 = differenceACr + differenceBDi
    i1 = differenceACi - differenceBDr
    r2 = sumACr - sumBDr
    i2 = sumACi - sumBDi
    r3 = differenceACr - differenceBDi
    i3 = differenceACi + differenceBDr
  }
}

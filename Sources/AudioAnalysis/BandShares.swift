/// How the bins of a transform fall into bands: a bin that straddles an edge is shared in proportion.
struct BandShares {
  private struct Band {
    /// Bins that are shared with the neighbours; those between them belong to the band alone.
    let first: Int
    let last: Int
    let firstShare: Float
    let lastShare: Float
  }

  private let bands: [Band]
  var count: Int { bands.count }

  /// - Parameters:
  ///   - edgesInBins: Ascending, as multiples of the bins' distance; what lies beyond the bins is cut off.
  ///   - binCount: Half the transform's size and one.
  init(edgesInBins: [Double], binCount: Int) {
    // The spectrum is one-sided: of the bins at 0 Hz and at half the rate, one half lies on the other side.
    let end = Double(binCount) - 0.5
    bands = zip(edgesInBins, edgesInBins.dropFirst()).map { lower, upper in
      // Bin k reaches from k - 1/2 to k + 1/2.
      let low = min(max(lower + 0.5, 0.5), end)
      let high = min(max(upper + 0.5, low), end)
      let first = min(Int(low), binCount - 1)
      let last = min(Int(high), binCount - 1)
      guard first < last else {
        return Band(first: first, last: first, firstShare: Float(high - low), lastShare: 0)
      }
      return Band(
        first: first, last: last, firstShare: Float(Double(first + 1) - low), lastShare: Float(high - Double(last)))
    }
  }

  /// Adds up the powers of each band's bins, times `scale`.
  @inline(__always)
  func sum(_ powers: UnsafePointer<Float>, scale: Float, into result: UnsafeMutablePointer<Float>) {
    for index in bands.indices {
      let band = bands[index]
      var total = powers[band.first] * band.firstShare + powers[band.last] * band.lastShare
      var bin = band.first + 1
      if bin + 4 <= band.last {
        var lanes = SIMD4<Float>.zero
        while bin + 4 <= band.last {
          lanes += powers.vector4(at: bin)
          bin += 4
        }
        total += lanes.sum()
      }
      while bin < band.last {
        total += powers[bin]
        bin += 1
      }
      result[index] = total * scale
    }
  }
}

import MediaModel
import Testing

struct ProductRecipeTests {
  @Test func `every kind has one recipe`() {
    #expect(ProductRecipe.current.map(\.kind).sorted() == ProductKind.allCases.sorted())
    #expect(ProductRecipe.current.allSatisfy { $0.version >= 1 })
  }

  @Test func `a product stays while version and parameters are those in force`() {
    let recipe = ProductRecipe(kind: .waveform, version: 3, parameters: "bits=8")
    #expect(recipe.accepts(version: 3, parameters: "bits=8"))
    #expect(!recipe.accepts(version: 2, parameters: "bits=8"))
    #expect(!recipe.accepts(version: 4, parameters: "bits=8"))
    #expect(!recipe.accepts(version: 3, parameters: "bits=16"))
    #expect(!recipe.accepts(version: nil, parameters: nil))
  }

  @Test func `the reason to recompute a product says what is wrong with it`() {
    let recipe = ProductRecipe(kind: .waveform, version: 3, parameters: "bits=8")
    #expect(recipe.reasonToRedo(version: nil, parameters: nil) == .missing)
    #expect(recipe.reasonToRedo(version: 2, parameters: "bits=16") == .olderVersion)
    #expect(recipe.reasonToRedo(version: 4, parameters: "bits=8") == .newerVersion)
    #expect(recipe.reasonToRedo(version: 3, parameters: "bits=16") == .otherParameters)
    #expect(recipe.reasonToRedo(version: 3, parameters: "bits=8") == nil)
  }
}

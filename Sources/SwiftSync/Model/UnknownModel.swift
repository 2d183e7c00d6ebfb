/// Stands for a row of an entity that the container has no class for.
final class UnknownModel: PersistentModel {
  static let modelTable = ModelTableBuilder(UnknownModel.self).build()
  let _$backing = ModelBacking()

  init(_$backing source: ModelBacking.Source) {
    _$backing.adopt(source)
  }
}

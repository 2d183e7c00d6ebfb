import Records

extension StoreInfo {
  func writeText(to output: StandardOutput) throws {
    for line in storeLines + [""] + tableLines { try output.writeLine(line) }
    for entity in schema.entities {
      try output.writeLine("")
      try SchemaText.write(entity, to: output)
    }
  }

  private var storeLines: [String] {
    var table = TextTable(alignments: [.left, .left, .right])
    table.add(["Store", path])
    table.add(["Identifier", identifier])
    table.add(["Format", "store \(storeFormat), records \(recordFormat)"])
    for (position, file) in files.enumerated() {
      table.add([position == 0 ? "Files" : "", "\(file.name), \(ByteCount.text(file.byteCount))"])
    }
    table.add(["Pages", "\(pages.pagesUsed) of \(ByteCount.text(pages.pageBytes))"])
    table.add(["Map", ByteCount.text(pages.mapBytes)])
    return table.lines
  }

  /// A line for each table.
  var tableLines: [String] {
    var table = TextTable(alignments: [.left, .right, .right])
    table.add(["Entity", "Entries", "Bytes"])
    for entity in entities {
      table.add([entity.entity.name, "\(entity.rowCount)", "\(entity.byteCount)"])
      for (index, numbers) in zip(entity.entity.indexes, entity.indexes) {
        let kind = index.isUnique ? "unique index" : "index"
        table.add(["  \(kind) \(numbers.name)", "\(numbers.entryCount)", "\(numbers.byteCount)"])
      }
      if let unanswered = entity.unanswered {
        table.add(["  unanswered local edits", "\(unanswered.rowCount)", ""])
        table.add(["  of these in the inbox", "\(unanswered.parkedCount)", ""])
      }
      for link in entity.links {
        table.add(["  links \(link.name)", "\(link.entryCount)", "\(link.byteCount)"])
      }
    }
    return table.lines
  }
}

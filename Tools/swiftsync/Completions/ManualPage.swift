/// The manual page of the tool in roff, made from the descriptions that lines are parsed by.
struct ManualPage {
  let commands: [CommandSyntax]

  var text: String {
    var lines = [
      ".TH SWIFTSYNC 1 \"\" \"swiftsync \(Tool.version)\"", ".SH NAME",
      "swiftsync \\- look into stores of SwiftSync, check, copy and repair them", ".SH SYNOPSIS", ".B swiftsync",
      ".I COMMAND", "\\&...", ".SH DESCRIPTION",
    ]
    lines += [
      plain(
        "Stores describe themselves, so the tool works with any store, whatever application wrote it and whether or not it is running."
      ), ".SH COMMANDS",
    ]
    for command in commands { lines += section(of: command) }
    lines += [
      ".SH EXIT STATUS", ".TP", "0", "All went well.", ".TP", "1", "A problem was found, or something failed.", ".TP",
      "64",
      "The line makes no sense.",
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  private func section(of command: CommandSyntax) -> [String] {
    let operands = command.operands.map { $0.isOptional ? "[\($0.placeholder)]" : $0.placeholder }
    var lines = [".SS \"swiftsync \(command.name) \(plain(operands.joined(separator: " ")))\""]
    for (position, paragraph) in command.discussion.split(separator: "\n\n").enumerated() {
      if position > 0 { lines.append(".PP") }
      lines += paragraph.split(separator: "\n").map { plain(String($0)) }
    }
    for operand in command.operands { lines += [".TP", ".I \(plain(operand.placeholder))", plain(operand.help)] }
    for option in command.options {
      lines += [".TP", ".B \(plain(option.name)) \\fI\(plain(option.placeholder))\\fR", plain(option.help)]
    }
    for example in command.examples {
      lines += [".PP", "To \(plain(example.purpose)):", ".PP", ".nf", ".RS", plain(example.line), ".RE", ".fi"]
    }
    return lines
  }

  /// Text in which nothing is a request.
  private func plain(_ text: String) -> String {
    let escaped = text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("\"", with: "\\(dq")
    return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
  }
}

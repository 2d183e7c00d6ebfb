/// Scripts that complete the tool's lines in a shell, made from the descriptions that lines are parsed by.
struct ShellCompletions {
  enum Shell: String, CaseIterable, ArgumentValue {
    case bash, zsh, fish
  }

  let commands: [CommandSyntax]

  func script(for shell: Shell) -> String {
    switch shell {
    case .bash: bash
    case .zsh: zsh
    case .fish: fish
    }
  }

  private static let commonOptions = ["--help"]

  // MARK: bash

  private var bash: String {
    let values = commands.flatMap { command in
      command.options.filter { !$0.choices.isEmpty }.map { option in
        "    '\(command.name) \(option.name)') words='\(option.choices.joined(separator: " "))' ;;"
      }
    }
    let options = commands.map { command in
      "      \(command.name)) words='\((command.options.map(\.name) + Self.commonOptions).joined(separator: " "))' ;;"
    }
    return """
      # Completes lines of swiftsync in bash.
      _swiftsync() {
        local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}" words=''
        if [ "$COMP_CWORD" -eq 1 ]; then
          words='\((commands.map(\.name) + Self.commonOptions + ["--version"]).joined(separator: " "))'
          COMPREPLY=($(compgen -W "$words" -- "$current"))
          return
        fi
        case "${COMP_WORDS[1]} $previous" in
      \(values.joined(separator: "\n"))
        esac
        if [ -z "$words" ] && [[ "$current" == -* ]]; then
          case "${COMP_WORDS[1]}" in
      \(options.joined(separator: "\n"))
          esac
        fi
        if [ -n "$words" ]; then
          COMPREPLY=($(compgen -W "$words" -- "$current"))
        else
          COMPREPLY=($(compgen -f -- "$current"))
        fi
      }
      complete -o filenames -F _swiftsync swiftsync

      """
  }

  // MARK: zsh

  private var zsh: String {
    let names = commands.map { "    \(quoted("\(escaped($0.name)):\($0.summary)"))" }
    let cases = commands.map { command in
      let options = command.options.map { option in
        let value = option.takesValue ? ":\(option.placeholder):(\(option.choices.joined(separator: " ")))" : ""
        return "      \(quoted("\(option.name)[\(escaped(option.help))]\(value)")) \\"
      }
      return """
            \(command.name)) _arguments \\
        \(options.map { $0 + "\n" }.joined())      '*:file:_files' ;;
        """
    }
    return """
      #compdef swiftsync
      # Completes lines of swiftsync in zsh.
      _swiftsync() {
        local -a commands=(
      \(names.joined(separator: "\n"))
        )
        if (( CURRENT == 2 )); then
          _describe 'command' commands
          return
        fi
        local command="$words[2]"
        shift words
        (( CURRENT -= 1 ))
        case "$command" in
      \(cases.joined(separator: "\n"))
        esac
      }
      _swiftsync "$@"

      """
  }

  /// For a description of zsh, in which these signs mean something.
  private func escaped(_ text: String) -> String {
    String(text.flatMap { "[]:\\".contains($0) ? ["\\", $0] : [$0] })
  }

  // MARK: fish

  private var fish: String {
    let names = commands.map { command in
      "complete -c swiftsync -n __fish_use_subcommand -f -a \(command.name) -d \(quoted(command.summary))"
    }
    let options = commands.flatMap { command in
      command.options.map { option in
        let value =
          option.takesValue
          ? option.choices.isEmpty ? " -r" : " -x -a \(quoted(option.choices.joined(separator: " ")))" : ""
        return "complete -c swiftsync -n '__fish_seen_subcommand_from \(command.name)'"
          + " -l \(option.name.dropFirst(2))\(value) -d \(quoted(option.help))"
      }
    }
    return "# Completes lines of swiftsync in fish.\n" + (names + options).map { $0 + "\n" }.joined()
  }

  /// A word of a shell, whatever is in it.
  private func quoted(_ text: String) -> String {
    "'" + text.replacing("'", with: "'\\''") + "'"
  }
}

/** What follows an option: nothing, any text, the path of a file or folder, or some of these words, separated by commas. */
export type OptionKind = "flag" | "text" | "file" | "folder" | readonly string[];

/** The commands of a program. Names and words are letters, digits, and `-`, `_`, `.`, `/`, `:`, `=`. */
export interface CompletedCommands {
  /** The name of the program. */
  readonly program: string;
  readonly commands: Readonly<Record<string, CompletedCommand>>;
}

export interface CompletedCommand {
  /** The options, without their dashes. */
  readonly options: Readonly<Record<string, OptionKind>>;
  /** What arguments without an option are. Default: there are none. */
  readonly positional?: OptionKind;
}

/** The options before a command. */
export const programOptions: readonly string[] = ["--help", "--version"];

/** Returns the name of a shell function for the program. */
export function functionName(program: string): string {
  return `_${program.replaceAll(/\W/g, "_")}`;
}

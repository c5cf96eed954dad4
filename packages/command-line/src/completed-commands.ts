import { dashedName, type Completion, type Options } from "./options.js";

/** What follows an option: nothing, or what completes its value. */
export type OptionKind = "flag" | Completion;

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
  readonly positional?: OptionKind | undefined;
}

/** What the shells have to know of a command. */
export function toCompletedCommand(options: Options): CompletedCommand {
  const entries = Object.entries(options);
  const named = entries.filter(([, { kind }]) => kind !== "argument");
  return {
    options: Object.fromEntries(
      named.map(([key, { kind, completion }]) => [dashedName(key), kind === "flag" ? kind : completion]),
    ),
    positional: entries.find(([, { kind }]) => kind === "argument")?.[1].completion,
  };
}

/** The options before a command. */
export const programOptions: readonly string[] = ["--help", "--version"];

/** Returns the name of a shell function for the program. */
export function functionName(program: string): string {
  return `_${program.replaceAll(/\W/g, "_")}`;
}

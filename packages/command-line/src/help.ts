import { dashedName, type Options } from "./options.js";

/** What the help of a command has beside its options. */
export interface CommandHelp {
  /** What follows the command's name. Default: the arguments, then `[options]`. */
  readonly usage?: string;
  /** What the command does. */
  readonly text: string;
  /** What follows the options. */
  readonly notes?: string;
  readonly examples?: readonly string[];
}

/** Formats the help of a command. `name` is that of the program and the command. */
export function formatCommandHelp(
  name: string,
  options: Options,
  { usage = defaultUsage(options), text, notes, examples = [] }: CommandHelp,
): string {
  const parts = [
    `${name} ${usage}`.trimEnd(),
    wrap(text, columns).join("\n"),
    formatOptions(options),
    notes && wrap(notes, columns).join("\n"),
    examples.length > 0 && ["Examples", ...examples.map((each) => `  ${each}`)].join("\n"),
  ];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

/** Formats the options and arguments of a command, a paragraph each. */
export function formatOptions(options: Options): string {
  const entries = Object.entries(options).map(([key, { kind, placeholder, help, letter }]) => {
    const name = `${letter === undefined ? "" : `-${letter}, `}--${dashedName(key)}`;
    return { label: kind === "argument" ? placeholder : `${name} ${placeholder}`.trimEnd(), help };
  });
  return entries.flatMap(({ label, help }) => formatEntry(label, help)).join("\n");
}

function defaultUsage(options: Options): string {
  const all = Object.values(options);
  const positionals = all.filter(({ kind }) => kind === "argument").map(({ placeholder }) => placeholder);
  return [...positionals, ...(all.length > positionals.length ? ["[options]"] : [])].join(" ");
}

/** Where paragraphs begin. A longer label has a line of its own. */
const indent = 17;
const columns = 110;

function formatEntry(label: string, help: string): readonly string[] {
  const lines = wrap(help, columns - indent).map((line) => `${" ".repeat(indent)}${line}`);
  const head = `  ${label}`;
  if (head.length >= indent) return [head, ...lines];
  const [first = "", ...rest] = lines;
  return [`${head}${first.slice(head.length)}`, ...rest];
}

/** Breaks a text between words. */
function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

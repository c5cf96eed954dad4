import { YAMLException, parseEvents, type Event } from "js-yaml";
import { maxFileBytes } from "./recorded-inputs.js";

/** The events of a YAML text, and the places of what YAML 1.2 forbids and most parsers read. */
export interface YamlEvents {
  readonly events: Event[];
  /** The text of the events. It has blanks in place of some comments. */
  readonly source: string;
  /** The lines that need more indentation, by an offset in each. */
  readonly outdented: readonly number[];
  /** The comments that need a blank before them, by offset. */
  readonly attached: readonly number[];
}

/**
 * Parses a YAML text as PyYAML, go-yaml and js-yaml 4 do: lines within brackets and quotes may have any indentation, and a comment may
 * follow them at once.
 * @throws A YAMLException.
 */
export function parseYamlEvents(text: string): YamlEvents {
  const attached: number[] = [];
  let source = text;
  for (;;) {
    const outdented: number[] = [];
    try {
      const events = parseOutdented(source, (offset) => outdented.push(offset));
      return { events, source, outdented, attached };
    } catch (error) {
      const at = (error instanceof YAMLException && error.mark?.position) || 0;
      if (source[at] !== "#" || attached.length * text.length > maxFileBytes) throw error;
      attached.push(at);
      const [comment = ""] = /.*/.exec(source.slice(at)) ?? [];
      source = source.slice(0, at) + " ".repeat(comment.length) + source.slice(at + comment.length);
    }
  }
}

/**
 * js-yaml 5 has no option for this check, after which it goes on as js-yaml 4 does. It throws all errors through one function, which is
 * replaced while it parses.
 */
function parseOutdented(text: string, report: (offset: number) => void): Event[] {
  const original = Object.getOwnPropertyDescriptor(YAMLException, "throwAt") ?? {};
  const { value: throwAt } = original as { readonly value: typeof YAMLException.throwAt };
  let end = -1;
  const value = (source: string, offset: number, message: string, file?: string): void => {
    if (message !== "deficient indentation") throwAt(source, offset, message, file);
    if (offset <= end) return; // the parser may read a line again
    report(offset);
    end = text.indexOf("\n", offset);
    if (end < 0) end = text.length;
  };
  try {
    Object.defineProperty(YAMLException, "throwAt", { ...original, value });
    return parseEvents(text, {});
  } finally {
    Object.defineProperty(YAMLException, "throwAt", original);
  }
}

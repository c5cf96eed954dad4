import { code, literal, name, textOf, type Code } from "../../emit/printer.js";
import { isTakenFunction, pascalCase } from "../../model/names.js";

/** The functions and constants that the checks of a file share: each text once, in the order in which they are needed. */
export class Pool {
  readonly #byText = new Map<string, Code>();
  readonly #statements: Code[] = [];
  readonly #names: Set<string>;

  constructor(taken: Iterable<string> = []) {
    this.#names = new Set(taken);
  }

  get statements(): readonly Code[] {
    return this.#statements;
  }

  /** The name of a constant or function; `declare` prints it, and what prints alike is made once. */
  share(hint: string, declare: (own: Code) => Code): Code {
    const placeholder = name("$");
    const text = textOf(declare(placeholder));
    const known = this.#byText.get(text);
    if (known !== undefined) return known;
    const own = name(this.#free(hint));
    this.#byText.set(text, own);
    this.#statements.push(declare(own));
    return own;
  }

  /** A regular expression of JSON Schema. */
  pattern(hint: string, source: string): Code {
    return this.share(
      `${hint}Pattern`,
      (own) => code`const ${own}: RegExp = /* @__PURE__ */ new RegExp(${literal(source)}, "u");`,
    );
  }

  /** A set of texts or numbers. */
  set(hint: string, members: readonly (string | number | boolean | null)[]): Code {
    return this.share(
      hint,
      (own) => code`const ${own}: ReadonlySet<unknown> = /* @__PURE__ */ new Set(${literal(members)});`,
    );
  }

  #free(hint: string): string {
    const stem = (pascalCase(hint) ?? "Check").replace(/^./, (first) => first.toLowerCase()).slice(0, 80);
    let free = stem;
    for (let next = 2; this.#names.has(free) || isTakenFunction(free); next += 1) free = `${stem}${next}`;
    this.#names.add(free);
    return free;
  }
}

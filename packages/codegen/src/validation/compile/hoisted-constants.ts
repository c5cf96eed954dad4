import { code, jsonLiteral, identifier, renderCode, type Code } from "../../printer.js";
import {
  isReservedFunctionName,
  pascalCase,
  DiagnosticsError,
  type SourceLocation,
  type SourceRef,
} from "@plumbline/model";

/** Returns the location of a node of the description. */
export type LocateOrigin = (origin: SourceRef) => SourceLocation;

/** Functions and constants that the checks of a file share. Each is declared once, before its first use. */
export class HoistedConstants {
  readonly #byText = new Map<string, Code>();
  readonly #statements: Code[] = [];
  readonly #names: Set<string>;
  readonly #locate: LocateOrigin;

  constructor(used: Iterable<string>, locate: LocateOrigin) {
    this.#names = new Set(used);
    this.#locate = locate;
  }

  get statements(): readonly Code[] {
    return this.#statements;
  }

  /** Returns the name of a shared constant or function. `declare` prints it; equal declarations are merged. */
  share(hint: string, declare: (own: Code) => Code): Code {
    const placeholder = identifier("$");
    const text = renderCode(declare(placeholder));
    const known = this.#byText.get(text);
    if (known !== undefined) return known;
    const own = identifier(this.#free(hint));
    this.#byText.set(text, own);
    this.#statements.push(declare(own));
    return own;
  }

  /**
   * Declares a regular expression of JSON Schema, with the `u` flag, or without flags if it is only valid that way.
   * @throws A DiagnosticsError if it is neither, since an unchecked value must not pass.
   */
  pattern(hint: string, source: string, origin: SourceRef): Code {
    const flags = ["u", ""].find((each) => isValidRegExp(source, each));
    if (flags === undefined) {
      const message = "This pattern is not a valid regular expression.";
      throw new DiagnosticsError([
        {
          code: "patterns/syntax",
          severity: "error",
          origin: this.#locate(origin),
          message,
          fix: "Correct the pattern.",
        },
      ]);
    }
    return this.share(
      `${hint}Pattern`,
      (own) => code`const ${own}: RegExp = /* @__PURE__ */ new RegExp(${jsonLiteral(source)}, ${jsonLiteral(flags)});`,
    );
  }

  /** Declares a set of constants. */
  set(hint: string, members: readonly (string | number | boolean | null)[]): Code {
    return this.share(
      hint,
      (own) => code`const ${own}: ReadonlySet<unknown> = /* @__PURE__ */ new Set(${jsonLiteral(members)});`,
    );
  }

  #free(hint: string): string {
    const stem = (pascalCase(hint) ?? "Check").replace(/^./, (first) => first.toLowerCase()).slice(0, 80);
    let free = stem;
    for (let next = 2; this.#names.has(free) || isReservedFunctionName(free); next += 1) free = `${stem}${next}`;
    this.#names.add(free);
    return free;
  }
}

function isValidRegExp(source: string, flags: string): boolean {
  try {
    return new RegExp(source, flags) instanceof RegExp;
  } catch {
    return false;
  }
}

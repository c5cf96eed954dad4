import { code, importType, importValue, jsonLiteral, identifier, renderCode, type Code } from "../../printer.js";
import {
  isReservedFunctionName,
  camelCase,
  DiagnosticsError,
  isValidPattern,
  type SourceLocation,
  type SlowPattern,
  type SourceRef,
} from "@plumbline/model";
import { validatorRuntime } from "../runtime.js";

/** Returns the location of a node of the description. */
export type LocateOrigin = (origin: SourceRef) => SourceLocation;

export interface PoolSettings {
  readonly isReserved?: (name: string) => boolean;
  readonly slowPatterns?: readonly SlowPattern[] | undefined;
}

/** Where a pattern is matched. */
export interface PatternSite {
  readonly origin: SourceRef;
  readonly maxLength?: number | undefined;
}

/** Only imported where a description needs it. */
const patternRuntime = `${validatorRuntime}/patterns`;

/** Emits the matcher of a pattern that is not matched as `RegExp` does. */
export function patternMatcher({ pattern, fastLength, isLinear }: SlowPattern): Code {
  const source = jsonLiteral(pattern);
  return isLinear
    ? code`${importValue("linearPattern", patternRuntime)}(${source})`
    : code`${importValue("boundedPattern", patternRuntime)}(${source}, ${jsonLiteral(fastLength)})`;
}

/** Functions and constants that the checks of a file share. Each is declared once, before its first use. */
export class HoistedConstants {
  readonly #byText = new Map<string, Code>();
  readonly #statements: Code[] = [];
  readonly #names: Set<string>;
  /** The next number of each name that is used more than once. */
  readonly #nextNumbers = new Map<string, number>();
  readonly #isReserved: (name: string) => boolean;
  readonly #locate: LocateOrigin;
  readonly #slowPatterns: ReadonlyMap<string, SlowPattern>;

  /** `used` and `isReserved` have the names that the file needs for other declarations. */
  constructor(
    used: Iterable<string>,
    locate: LocateOrigin,
    { isReserved = () => false, slowPatterns = [] }: PoolSettings = {},
  ) {
    this.#names = new Set(used);
    this.#isReserved = isReserved;
    this.#locate = locate;
    this.#slowPatterns = new Map(slowPatterns.map((each) => [each.pattern, each]));
  }

  /** Returns constants for code that is not printed. */
  scratch(): HoistedConstants {
    return new HoistedConstants([], this.#locate, { slowPatterns: [...this.#slowPatterns.values()] });
  }

  get statements(): readonly Code[] {
    return this.#statements;
  }

  /**
   * Returns the name of a shared constant or function. `declare` prints it; equal declarations are merged.
   *
   * @param hint the words of its name
   * @param longer words that say more, for the case that another declaration has that name
   */
  share(hint: string, declare: (own: Code) => Code, longer: string = hint): Code {
    const placeholder = identifier("$");
    const text = renderCode(declare(placeholder));
    const known = this.#byText.get(text);
    if (known !== undefined) return known;
    const own = identifier(this.#free(hint, longer));
    this.#byText.set(text, own);
    this.#statements.push(declare(own));
    return own;
  }

  /**
   * Declares a regular expression of JSON Schema, with the `u` flag. `maxLength` is the length of the longest text in characters. A pattern with
   * which a text of this length could be slow is matched by the runtime, which takes linear time, or limits the length.
   * @throws A DiagnosticsError if it is invalid, since an unchecked value must not pass.
   */
  pattern(hint: string, source: string, { origin, maxLength = Infinity }: PatternSite): Code {
    if (!isValidPattern(source)) {
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
    const slow = this.#slowPatterns.get(source);
    if (slow === undefined || maxLength <= slow.fastLength)
      return this.share(
        `${hint}Pattern`,
        (own) => code`const ${own}: RegExp = /* @__PURE__ */ new RegExp(${jsonLiteral(source)}, "u");`,
      );
    return this.share(
      `${hint}Pattern`,
      (own) =>
        code`const ${own}: ${importType("PatternMatcher", patternRuntime)} = /* @__PURE__ */ ${patternMatcher(slow)};`,
    );
  }

  /** Declares a set of constants. */
  set(hint: string, members: readonly (string | number | boolean | null)[]): Code {
    return this.share(
      hint,
      (own) => code`const ${own}: ReadonlySet<unknown> = /* @__PURE__ */ new Set(${jsonLiteral(members)});`,
    );
  }

  #free(hint: string, longer: string): string {
    const isUsed = (name: string): boolean =>
      this.#names.has(name) || isReservedFunctionName(name) || this.#isReserved(name);
    const stem = isUsed(stemOf(hint)) ? stemOf(longer) : stemOf(hint);
    let next = this.#nextNumbers.get(stem) ?? 1;
    const numbered = (): string => (next === 1 ? stem : `${stem}${next}`);
    while (isUsed(numbered())) next += 1;
    const free = numbered();
    this.#nextNumbers.set(stem, next + 1);
    this.#names.add(free);
    return free;
  }
}

function stemOf(hint: string): string {
  return (camelCase(hint) ?? "check").slice(0, 80);
}

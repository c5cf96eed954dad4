import {
  isReservedFunctionName,
  camelCase,
  DiagnosticsError,
  isValidPattern,
  type SourceLocation,
  type SlowPattern,
  type SourceRef,
} from "../../../model/index.js";
import {
  code,
  importType,
  importValue,
  jsonLiteral,
  identifier,
  lateIdentifier,
  renderCode,
  type Code,
} from "../../printer.js";
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

/** The words for the name of a declaration. */
interface NameWords {
  /** Where it is used. */
  readonly hint: string;
  /** Words that say more, for the case that another declaration has that name. Default: `hint`. */
  readonly longer?: string;
  /** What it contains, for the case that it is used in places with nothing in common. */
  readonly content?: string | undefined;
}

interface Declaration {
  readonly reference: Code;
  readonly rename: (name: string) => void;
  readonly statement: Code;
  /** By their hints. */
  readonly uses: Map<string, NameWords>;
}

interface UsedNames {
  readonly names: Set<string>;
  /** The next number of a name, by its stem: a search from the start for each would take quadratic time. */
  readonly numbers: Map<string, number>;
}

/** Functions and constants that the checks of a file share. Each is declared once, before its first use. */
export class HoistedConstants {
  readonly #byText = new Map<string, Declaration>();
  readonly #used: readonly string[];
  readonly #isReserved: (name: string) => boolean;
  readonly #locate: LocateOrigin;
  readonly #slowPatterns: ReadonlyMap<string, SlowPattern>;

  /** `used` and `isReserved` have the names that the file needs for other declarations. */
  constructor(
    used: Iterable<string>,
    locate: LocateOrigin,
    { isReserved = () => false, slowPatterns = [] }: PoolSettings = {},
  ) {
    this.#used = [...used];
    this.#isReserved = isReserved;
    this.#locate = locate;
    this.#slowPatterns = new Map(slowPatterns.map((each) => [each.pattern, each]));
  }

  /** Returns constants for code that is not printed. */
  scratch(): HoistedConstants {
    return new HoistedConstants([], this.#locate, { slowPatterns: [...this.#slowPatterns.values()] });
  }

  /** The declarations. All uses are known by now, so each gets its name. */
  get statements(): readonly Code[] {
    const names: UsedNames = { names: new Set(this.#used), numbers: new Map() };
    const ofOnePlace = ({ uses }: Declaration): number => (uses.size === 1 ? 0 : 1);
    for (const each of [...this.#byText.values()].sort((a, b) => ofOnePlace(a) - ofOnePlace(b)))
      each.rename(this.#free([...each.uses.values()], names));
    return [...this.#byText.values()].map(({ statement }) => statement);
  }

  /**
   * Returns the name of a shared constant or function. `declare` prints it; equal declarations are merged. One that is used in several places
   * is named by what these have in common, or else by its content.
   */
  share(words: NameWords | string, declare: (name: Code) => Code): Code {
    const use = typeof words === "string" ? { hint: words } : words;
    const text = renderCode(declare(identifier("$")));
    const constant = this.#byText.get(text);
    if (constant !== undefined) {
      if (!constant.uses.has(use.hint)) constant.uses.set(use.hint, use);
      return constant.reference;
    }
    let name = `$${this.#byText.size}`;
    const reference = lateIdentifier(() => name);
    const rename = (newName: string): void => {
      name = newName;
    };
    this.#byText.set(text, { reference, statement: declare(reference), uses: new Map([[use.hint, use]]), rename });
    return reference;
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
        (name) => code`const ${name}: RegExp = /* @__PURE__ */ new RegExp(${jsonLiteral(source)}, "u");`,
      );
    return this.share(
      `${hint}Pattern`,
      (name) =>
        code`const ${name}: ${importType("PatternMatcher", patternRuntime)} = /* @__PURE__ */ ${patternMatcher(slow)};`,
    );
  }

  /** Declares a set of constants. */
  set(hint: string, members: readonly (string | number | boolean | null)[], longer: string = hint): Code {
    return this.share(
      { hint, longer, content: members.length > 3 ? undefined : `${members.join(" ")} fields` },
      (name) => code`const ${name}: ReadonlySet<unknown> = /* @__PURE__ */ new Set(${jsonLiteral(members)});`,
    );
  }

  #free(uses: readonly NameWords[], { names, numbers }: UsedNames): string {
    const [{ hint, longer = hint } = { hint: "" }] = uses;
    const stems = [...(uses.length > 1 ? sharedNames(uses) : []), hint, longer].map(stemOf);
    const isUsed = (name: string): boolean =>
      names.has(name) || parameterNames.has(name) || isReservedFunctionName(name) || this.#isReserved(name);
    let free = stems.find((stem) => !isUsed(stem));
    const stem = stems.at(-1) ?? "";
    for (let next = numbers.get(stem) ?? 2; free === undefined; next += 1) {
      if (!isUsed(`${stem}${next}`)) free = `${stem}${next}`;
      numbers.set(stem, next + 1);
    }
    names.add(free);
    return free;
  }
}

/** Parameters and variables of the functions that use the declarations, which would hide one of the same name. */
const parameterNames: ReadonlySet<string> = new Set(
  "before fields index issues item items object refs reject state value values".split(" "),
);

/** The names of what is used in several places: the last words of all of them, unless these say nothing, or its content. */
function sharedNames(uses: readonly NameWords[]): readonly string[] {
  const [first = [], ...others] = uses.map(({ hint }) => wordsOf(hint));
  let shared = first.length;
  for (const words of others) {
    let same = 0;
    while (same < shared && same < words.length && words.at(-1 - same) === first.at(-1 - same)) same += 1;
    shared = same;
  }
  const last = first.slice(first.length - shared);
  const isCheck = uses.every(({ hint }) => hint.startsWith("check "));
  const common = last.every((word) => placeWords.has(word)) ? [] : [last.join(" ")];
  const contents = uses.flatMap(({ content = "" }) => (content === "" ? [] : [content])).slice(0, 1);
  if (!isCheck) return [...common, ...contents];
  const isPlace = placeWords.has(last.at(-1) ?? "");
  return (isPlace ? [...contents, ...common] : [...common, ...contents]).map((words) => `check ${words}`);
}

function wordsOf(hint: string): readonly string[] {
  return (camelCase(hint.replace(/^check /, "")) ?? "").split(/(?=[A-Z])/).map((word) => word.toLowerCase());
}

/** Words for the place of a schema, which do not tell it from others. */
const placeWords: ReadonlySet<string> = new Set(
  "all body contained else fields if item matching names not nullable only others part pattern read sent target then values when".split(
    " ",
  ),
);

function stemOf(hint: string): string {
  return (camelCase(hint) ?? "check").slice(0, 80);
}

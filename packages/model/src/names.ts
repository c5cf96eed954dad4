import type { SpecNode } from "../../openapi/src/read/spec-node.js";

/** `createInstance` for `create-instance`, `create_instance`, `instance/create` and the like. `undefined` if no letter remains. */
export function camelCase(text: string): string | undefined {
  return pascalCase(text)?.replace(/^[A-Z]+(?=[A-Z][a-z])|^[A-Z]+(?![a-z])|^[A-Z]/, (lead) => lead.toLowerCase());
}

/** `SimpleUser` for `simple-user`, `CremeBrulee` for `crème brûlée`. `undefined` if no letter remains. */
export function pascalCase(text: string): string | undefined {
  const words = withoutAccents(text)
    .split(/[^A-Za-z0-9$]+/)
    .filter((word) => word !== "");
  const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  return /^[A-Za-z$]/.test(joined) ? joined : undefined;
}

/** Removes diacritics: `creme` for `crème`. */
export function withoutAccents(text: string): string {
  return /[^\0-\x7f]/.test(text) ? text.normalize("NFKD").replaceAll(/\p{M}/gu, "") : text;
}

/** True for reserved words, and for words that are poor names. */
export function isReservedWord(text: string): boolean {
  return reservedWords.has(text);
}

/**
 * True for names that an operation cannot have: reserved words, and other exports of generated packages. `then` is one
 * of them, since
 * `await import()` would call it.
 */
export function isReservedFunctionName(text: string): boolean {
  return isReservedWord(text) || reservedFunctionNames.has(text);
}

/**
 * Returns the names of the types that clients export for an operation: its request and its error. A schema of such a name keeps it, since
 * many descriptions name their bodies so. The type of the operation then has another ending, as it has beside `ApiError`.
 */
export function operationTypeNames(
  operation: string,
  isSchema: (name: string) => boolean,
): readonly [request: string, error: string] {
  const stem = pascalCase(operation) ?? operation;
  const isUsed = (name: string): boolean => isSchema(name) || isReservedTypeName(name);
  return [
    isUsed(`${stem}Request`) ? `${stem}Arguments` : `${stem}Request`,
    isUsed(`${stem}Error`) ? `${stem}ApiError` : `${stem}Error`,
  ];
}

/** True for type names that generated code uses, or that would shadow types of TypeScript. */
export function isReservedTypeName(text: string): boolean {
  return reservedTypeNames.has(text);
}

const reservedWords: ReadonlySet<string> = new Set(
  `abstract any arguments as async await boolean break case catch class const constructor continue debugger declare default delete do else enum
  eval export extends false finally for from function get if implements import in infer instanceof interface is keyof let module namespace
  never new null number object of package private protected public readonly require return set static string super switch symbol this throw
  true try type typeof undefined unique unknown var void while with yield`.split(/\s+/),
);

const reservedTypeNames: ReadonlySet<string> = new Set(
  "Exclude Readonly Record ApiError ClientOptions Credentials Scope ScopeArea ScopeLevel".split(" "),
);

const reservedFunctionNames: ReadonlySet<string> = new Set([
  "baseUrl",
  "createClient",
  "isApiError",
  "toResult",
  "scopes",
  "then",
]);

/**
 * Resolves the names of one namespace: the configured name, `x-name`, or the derived name. Collisions are reported,
 * never resolved by numbering.
 */
export class NameTable {
  readonly #used = new Map<string, { readonly name: string; readonly place: SpecNode }>();
  readonly #kind: string;
  readonly #configured: Readonly<Record<string, string>>;
  readonly #isConfigured: boolean;

  /**
   * `given` has the names of plumbline.yaml for a description that cannot be edited: by key, or by `file#pointer` if
   * keys are ambiguous.
   */
  constructor(what: string, given: Readonly<Record<string, string>>) {
    this.#kind = what;
    this.#configured = given;
    this.#isConfigured = Object.keys(given).length > 0;
  }

  resolve(
    place: SpecNode,
    wanted: { readonly key: string; readonly derived: string | undefined; readonly taken: (name: string) => boolean },
  ): string {
    const given = this.#isConfigured
      ? (this.#configuredName(place.key) ?? this.#configuredName(wanted.key))
      : undefined;
    const chosen = given ?? place.text("x-name");
    const name = chosen ?? wanted.derived;
    const fix =
      chosen === undefined
        ? 'Add "x-name" beside it, or an entry under "names" in plumbline.yaml.'
        : "Choose another name.";
    if (name === undefined || !/^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name)) {
      place.report(
        "names/unusable",
        `No ${this.#kind} name can be made of ${JSON.stringify(shorten(chosen ?? wanted.key))}.`,
        fix,
      );
      return `unnamed${this.#used.size}`;
    }
    if (wanted.taken(name)) {
      place.report(
        "names/reserved",
        `The ${this.#kind} name "${shorten(name)}" is taken by the language or by generated code.`,
        fix,
      );
      return name;
    }
    const earlier = this.#used.get(name.toLowerCase());
    if (earlier !== undefined) {
      const { file, line } = earlier.place.located;
      place.report(
        "names/collision",
        `The ${this.#kind} name "${shorten(name)}" collides with "${shorten(earlier.name)}" at ${file}:${line}.`,
        fix,
      );
      return name;
    }
    this.#used.set(name.toLowerCase(), { name, place });
    return name;
  }

  #configuredName(key: string): string | undefined {
    return Object.hasOwn(this.#configured, key) ? this.#configured[key] : undefined;
  }
}

function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}

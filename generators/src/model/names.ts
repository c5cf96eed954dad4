import type { Place } from "../spec/place.js";

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
export function isReserved(text: string): boolean {
  return reservedWords.has(text);
}

/**
 * True for names that an operation cannot have: reserved words, and other exports of generated packages. `then` is one
 * of them, since
 * `await import()` would call it.
 */
export function isTakenFunction(text: string): boolean {
  return isReserved(text) || takenFunctions.has(text);
}

/** Returns the names of the types that clients export for an operation: its request and its error. */
export function typesOf(operation: string): readonly [request: string, failure: string] {
  const stem = pascalCase(operation) ?? operation;
  return [`${stem}Arguments`, `${stem}Failure`];
}

/** True for type names that generated code uses, or that would shadow types of TypeScript. */
export function isTakenType(text: string): boolean {
  return takenTypes.has(text);
}

const reservedWords: ReadonlySet<string> = new Set(
  `abstract any arguments as async await boolean break case catch class const constructor continue debugger declare default delete do else enum
  eval export extends false finally for from function get if implements import in infer instanceof interface is keyof let module namespace
  never new null number object of package private protected public readonly require return set static string super switch symbol this throw
  true try type typeof undefined unique unknown var void while with yield`.split(/\s+/),
);

const takenTypes: ReadonlySet<string> = new Set(
  "Exclude Readonly Record ApiError ClientOptions Credentials Scope ScopeArea ScopeLevel".split(" "),
);

const takenFunctions: ReadonlySet<string> = new Set([
  "baseUrl",
  "createClient",
  "isApiError",
  "safe",
  "scopes",
  "then",
]);

/**
 * Resolves the names of one namespace: the configured name, `x-name`, or the derived name. Collisions are reported,
 * never resolved by numbering.
 */
export class NameTable {
  readonly #taken = new Map<string, { readonly name: string; readonly place: Place }>();
  readonly #what: string;
  readonly #given: Readonly<Record<string, string>>;
  readonly #isGiven: boolean;

  /**
   * `given` has the names of plumbline.yaml for a description that cannot be edited: by key, or by `file#pointer` if
   * keys are ambiguous.
   */
  constructor(what: string, given: Readonly<Record<string, string>>) {
    this.#what = what;
    this.#given = given;
    this.#isGiven = Object.keys(given).length > 0;
  }

  settle(
    place: Place,
    wanted: { readonly key: string; readonly derived: string | undefined; readonly taken: (name: string) => boolean },
  ): string {
    const given = this.#isGiven ? (this.#givenFor(place.key) ?? this.#givenFor(wanted.key)) : undefined;
    const chosen = given ?? place.text("x-name");
    const name = chosen ?? wanted.derived;
    const fix =
      chosen === undefined
        ? 'Add "x-name" beside it, or an entry under "names" in plumbline.yaml.'
        : "Choose another name.";
    if (name === undefined || !/^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name)) {
      place.report(
        "names/unusable",
        `No ${this.#what} name can be made of ${JSON.stringify(shorten(chosen ?? wanted.key))}.`,
        fix,
      );
      return `unnamed${this.#taken.size}`;
    }
    if (wanted.taken(name)) {
      place.report(
        "names/reserved",
        `The ${this.#what} name "${shorten(name)}" is taken by the language or by generated code.`,
        fix,
      );
      return name;
    }
    const earlier = this.#taken.get(name.toLowerCase());
    if (earlier !== undefined) {
      const { file, line } = earlier.place.located;
      place.report(
        "names/collision",
        `The ${this.#what} name "${shorten(name)}" collides with "${shorten(earlier.name)}" at ${file}:${line}.`,
        fix,
      );
      return name;
    }
    this.#taken.set(name.toLowerCase(), { name, place });
    return name;
  }

  #givenFor(key: string): string | undefined {
    return Object.hasOwn(this.#given, key) ? this.#given[key] : undefined;
  }
}

function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}

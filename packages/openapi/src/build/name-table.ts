import type { SpecNode } from "../read/spec-node.js";

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

import { imported, name, type Code } from "../emit/printer.js";
import type { Api, ScopeGrammar } from "../model/api.js";
import { shapesOf, type ShapesByName } from "../model/shapes-by-name.js";
import { namedFunction } from "./checks/functions.js";
import type { Pool } from "./checks/pool.js";
import type { Around, Nulls } from "./checks/scope.js";

/** Returns the name of the check function of a named schema. A schema has a second check if nulls count as absent. */
export function checkName(shape: string, nulls: Nulls): string {
  return nulls === "absent" ? `checkSent${shape}` : `check${shape}`;
}

/**
 * The check functions of the requested named schemas and their dependencies, each printed once.
 * Functions for unnamed schemas are shared if their code is the same.
 */
export class NamedChecks {
  readonly #shapes: ShapesByName;
  readonly #scopes: ScopeGrammar | undefined;
  readonly #wanted = new Map<string, { readonly shape: string; readonly nulls: Nulls }>();
  /** Names that another file exports already. They are imported from there. */
  readonly #elsewhere: ReadonlySet<string>;
  readonly #file: string;

  constructor(api: Api, elsewhere: ReadonlySet<string> = new Set(), file = "") {
    this.#shapes = shapesOf(api);
    this.#scopes = api.scopes;
    this.#elsewhere = elsewhere;
    this.#file = file;
  }

  /**
   * Returns a reference to the check of a named schema, and requests that check. `from` is the path of the file that
   * has it, if it is another one.
   */
  refer(shape: string, nulls: Nulls, from?: string): Code {
    const own = checkName(shape, nulls);
    if (this.#elsewhere.has(own)) return imported(own, this.#file);
    this.#wanted.set(own, { shape, nulls });
    return from === undefined ? name(own) : imported(own, from);
  }

  get names(): ReadonlySet<string> {
    return new Set(this.#wanted.keys());
  }

  /** Prints every requested check. Printing one may request others. Shared statements come from `pool`. */
  print(pool: Pool): readonly Code[] {
    const functions: Code[] = [];
    for (const [own, { shape, nulls }] of this.#wanted) {
      const found = this.#shapes.get(shape);
      if (found === undefined) throw new Error(`there is no shape ${shape}`);
      functions.push(namedFunction(this.around(pool, nulls), found, name(own), shape));
    }
    return [...pool.statements, ...functions];
  }

  /** Returns the context for functions of one file. `from` is the path from which it imports named checks, if it does. */
  around(pool: Pool, nulls: Nulls, from?: string): Around {
    return {
      pool,
      nulls,
      shapes: this.#shapes,
      scopes: this.#scopes,
      refer: (shape, how) => this.refer(shape, how, from),
    };
  }
}

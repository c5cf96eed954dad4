import { imported, name, type Code } from "../emit/printer.js";
import type { Api, ScopeGrammar } from "../model/api.js";
import { shapesOf, type ShapesByName } from "../model/shapes-by-name.js";
import { namedFunction } from "./checks/functions.js";
import type { Pool } from "./checks/pool.js";
import type { Around, Nulls } from "./checks/scope.js";

/** What the checks of named shapes are called. A null may count as nothing sent, which is another check. */
export function checkName(shape: string, nulls: Nulls): string {
  return nulls === "absent" ? `checkSent${shape}` : `check${shape}`;
}

/**
 * The checks of named shapes that somebody asks for, each once, and of those that these need. Functions beside them, of shapes without a name,
 * are shared where they are alike.
 */
export class NamedChecks {
  readonly #shapes: ShapesByName;
  readonly #scopes: ScopeGrammar | undefined;
  readonly #wanted = new Map<string, { readonly shape: string; readonly nulls: Nulls }>();
  /** Names that another file has already, which is where they come from. */
  readonly #elsewhere: ReadonlySet<string>;
  readonly #file: string;

  constructor(api: Api, elsewhere: ReadonlySet<string> = new Set(), file = "") {
    this.#shapes = shapesOf(api);
    this.#scopes = api.scopes;
    this.#elsewhere = elsewhere;
    this.#file = file;
  }

  /** A reference to the check of a named shape from a file in a folder beside. */
  refer(shape: string, nulls: Nulls, from?: string): Code {
    const own = checkName(shape, nulls);
    if (this.#elsewhere.has(own)) return imported(own, this.#file);
    this.#wanted.set(own, { shape, nulls });
    return from === undefined ? name(own) : imported(own, from);
  }

  get names(): ReadonlySet<string> {
    return new Set(this.#wanted.keys());
  }

  /** Every check that was asked for; printing one may ask for more. What they share is in the pool. */
  print(pool: Pool): readonly Code[] {
    const functions: Code[] = [];
    for (const [own, { shape, nulls }] of this.#wanted) {
      const found = this.#shapes.get(shape);
      if (found === undefined) throw new Error(`there is no shape ${shape}`);
      functions.push(namedFunction(this.around(pool, nulls), found, name(own), shape));
    }
    return [...pool.statements, ...functions];
  }

  /** What functions of a file need; `from` is where it imports named checks from, when it is another. */
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

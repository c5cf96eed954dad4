import {
  type Api,
  type Schema,
  type ScopeGrammar,
  memoize,
  pascalCase,
  schemasByName,
  type SchemasByName,
} from "../../model/index.js";
import { importValue, identifier, type Code } from "../printer.js";
import type { CustomChecks } from "./compile/custom.js";
import { bodyCheckFunction, hasFields, namedCheckFunction } from "./compile/functions.js";
import { HoistedConstants, type LocateOrigin } from "./compile/hoisted-constants.js";
import { canReject } from "./compile/rejecting-schemas.js";
import type { CompileContext, NullHandling } from "./compile/scope.js";
import { reachesSchema } from "./reached-schemas.js";

/** Returns the name of the check function of a named schema. A schema has a second check if nulls count as absent. */
export function checkFunctionName(schema: string, nulls: NullHandling): string {
  return nulls === "absent" ? `checkSent${schema}` : `check${schema}`;
}

/** The check of a body that a validator and its server share. */
interface BodyCheck {
  readonly schema: Schema;
  readonly nulls: NullHandling;
  readonly hint: string;
}

/** Creates the constants of a file with checks of an API. `reserved` has the names of its other declarations. */
export function createConstants(api: Api, reserved: Iterable<string>, locate: LocateOrigin): HoistedConstants {
  const { slowPatterns } = api;
  return new HoistedConstants(reserved, locate, { isReserved: (name) => isSchemaFunction(api, name), slowPatterns });
}

/** True for the name of a schema, and for the name that a function of a schema has or would have. */
function isSchemaFunction(api: Api, name: string): boolean {
  const isSchema = (each: string): boolean => schemaNames(api).has(each);
  const [, sent, stem] = /^(?:check|normalize|serialize)(Sent)?(.*)$/.exec(name) ?? [];
  if (stem === undefined) return isSchema(name);
  const stems = [stem, ...(sent === undefined ? [] : [`${sent}${stem}`])];
  return stems.some((each) => isSchema(each) || isSchema(each.replace(/(?:Change)?(?:AsSent)?(?:Within)?$/, "")));
}

const schemaNames = memoize((api) => new Set(api.schemas.map(({ name }) => name)));

/**
 * The check functions of the requested named schemas and their dependencies, each printed once.
 * Functions for unnamed schemas are shared if their code is the same.
 */
export class NamedChecks {
  readonly #api: Api;
  readonly #schemas: SchemasByName;
  readonly #scopes: ScopeGrammar | undefined;
  readonly #requested = new Map<string, { readonly schema: string; readonly nulls: NullHandling }>();
  readonly #bodies = new Map<string, BodyCheck>();
  readonly #custom: CustomChecks | undefined;

  /** `custom` are the formats and keywords of the user. Default: they are not checked. */
  constructor(api: Api, custom?: CustomChecks) {
    this.#api = api;
    this.#schemas = schemasByName(api);
    this.#scopes = api.scopeGrammar;
    this.#custom = custom;
  }

  /**
   * Returns a reference to the check of a named schema, and requests that check. `from` is the path of the file that
   * has it, if it is another one.
   */
  refer(schema: string, nulls: NullHandling, from?: string): Code {
    const how = nulls === "absent" && reachesSchema(this.#api, schema, hasFields) ? "absent" : "validated";
    const name = checkFunctionName(schema, how);
    this.#requested.set(name, { schema, nulls: how });
    return from === undefined ? identifier(name) : importValue(name, from);
  }

  /** The names of the requested checks of bodies. */
  get bodyChecks(): Iterable<string> {
    return this.#bodies.keys();
  }

  /** Returns a reference to the check of a complete body, and requests that check. `from` is the path of the file that has it. */
  referBody(body: BodyCheck, from: string): Code {
    let name = `check${pascalCase(body.hint) ?? "Body"}`;
    while (isSchemaFunction(this.#api, name)) name += "Value";
    this.#bodies.set(name, body);
    return importValue(name, from);
  }

  /** Prints every requested check. Printing one may request others. Shared statements come from `pool`. */
  print(pool: HoistedConstants): readonly Code[] {
    const functions = [...this.#bodies].map(([name, { schema, nulls, hint }]) =>
      bodyCheckFunction(this.context(pool, nulls), schema, identifier(name), hint),
    );
    for (const [name, { schema, nulls }] of this.#requested) {
      const definition = this.#schemas.get(schema);
      if (definition === undefined) throw new Error(`there is no schema ${schema}`);
      functions.push(namedCheckFunction(this.context(pool, nulls), definition, identifier(name), schema));
    }
    return [...pool.statements, ...functions];
  }

  /** Returns the context for functions of one file. `from` is the path from which it imports named checks, if it does. */
  context(pool: HoistedConstants, nulls: NullHandling, from?: string): CompileContext {
    return {
      constants: pool,
      nulls,
      schemas: this.#schemas,
      scopes: this.#scopes,
      custom: this.#custom,
      refer: (schema, how) => this.refer(schema, how, from),
      canReject: (schema) => canReject(this.#api, schema),
    };
  }
}

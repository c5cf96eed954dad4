import { type Api, type Json, type Schema, schemasByName, type SchemasByName } from "../../model/index.js";
import { convertSchema, type SchemaForm } from "./convert-schema.js";

/** A complete JSON Schema: the keywords of its root, and the definitions that it refers to, by name. */
export interface RootSchema {
  readonly keywords: Readonly<Record<string, Json>>;
  readonly definitions: readonly string[];
}

/** The named schemas of an API as definitions. Each root schema lists the ones that it needs, so that it stands alone. */
export class SchemaDefinitions {
  readonly #schemas: SchemasByName;
  readonly #known = new Map<string, Definition>();

  constructor(api: Api) {
    this.#schemas = schemasByName(api);
  }

  /** All requested definitions, by name. */
  get all(): ReadonlyMap<string, Json> {
    return new Map([...this.#known].map(([name, { schema }]) => [name, schema] as const));
  }

  /** Converts a schema to a complete one. */
  root(schema: Schema, form: SchemaForm = "json"): RootSchema {
    const { schema: converted, references } = convertSchema(schema, form, (name) => definitionName(name, form));
    return {
      keywords: typeof converted === "boolean" ? { not: {} } : (converted as RootSchema["keywords"]),
      definitions: this.#reachable(references, form),
    };
  }

  /** Converts named values, such as the parameters of one location, to the schema of an object. */
  object(fields: readonly ObjectField[]): RootSchema {
    const roots = fields.map(({ name, schema, description }) => {
      const { keywords, definitions } = this.root(schema);
      return { name, definitions, keywords: { ...(description === undefined ? {} : { description }), ...keywords } };
    });
    const required = fields.filter((each) => each.isRequired).map(({ name }) => name);
    return {
      keywords: {
        type: "object",
        properties: Object.fromEntries(roots.map(({ name, keywords }) => [name, keywords] as const)),
        ...(required.length === 0 ? {} : { required }),
      },
      definitions: [...new Set(roots.flatMap(({ definitions }) => definitions))].toSorted(),
    };
  }

  #reachable(references: ReadonlySet<string>, form: SchemaForm): readonly string[] {
    const names = new Set(references);
    // A set visits what is added during the visit.
    for (const name of names) for (const next of this.#define(name, form).references) names.add(next);
    return [...names].map((name) => definitionName(name, form)).toSorted();
  }

  #define(name: string, form: SchemaForm): Definition {
    const key = definitionName(name, form);
    const cached = this.#known.get(key);
    if (cached !== undefined) return cached;
    const schema = this.#schemas.get(name);
    if (schema === undefined) throw new Error(`there is no schema ${name}`);
    const definition = convertSchema(schema, form, (each) => definitionName(each, form));
    this.#known.set(key, definition);
    return definition;
  }
}

/** A value with a name, such as a parameter. */
export interface ObjectField {
  readonly name: string;
  readonly schema: Schema;
  readonly description?: string | undefined;
  readonly isRequired: boolean;
}

interface Definition {
  readonly schema: Json;
  readonly references: ReadonlySet<string>;
}

/** A form may contain files, so that its schemas differ from those of JSON. No schema of the model has a `$` in its name. */
function definitionName(name: string, form: SchemaForm): string {
  return form === "json" ? name : `${name}$Multipart`;
}

import {
  type Api,
  type Property,
  type Schema,
  composedSchemas,
  schemaParts,
  memoize,
  schemasByName,
} from "../../model/index.js";
import {
  code,
  importValue,
  joinCode,
  propertyKey,
  jsonLiteral,
  identifier,
  renderCode,
  type Code,
} from "../printer.js";
import type { NamedChecks } from "./checks.js";
import type { HoistedConstants } from "./compile/hoisted-constants.js";
import { allowsNull } from "./compile/types.js";
import type { NormalizerSettings } from "./normalizer-settings.js";
import { reachesSchema } from "./reached-schemas.js";
import { validatorFunction, validatorType } from "./runtime.js";
import { emitValueRules } from "./values.js";

/** Where a normalizer is printed. */
interface NormalizerSite {
  readonly pool: HoistedConstants;
  /** The path of the file with named normalizers, if it is another one. */
  readonly from?: string | undefined;
  /** A stem for the names of constants. */
  readonly hint: string;
}

const readOnlyOf = memoize(readOnlyFields);

/** The normalizers of the requested named schemas, each printed once. */
export class NamedNormalizers {
  readonly #api: Api;
  readonly #checks: NamedChecks;
  readonly #requested = new Map<string, { readonly schema: string; readonly how: NormalizerSettings }>();

  constructor(api: Api, checks: NamedChecks) {
    this.#api = api;
    this.#checks = checks;
  }

  /**
   * Emits an expression of the type Normalizer for a schema, or returns `undefined` if nothing is to be normalized.
   */
  normalizerOf(schema: Schema, how: NormalizerSettings, site: NormalizerSite): Code | undefined {
    const { ref, allOf = [] } = schema;
    const parts = [
      ...(ref === undefined || !this.#isObjectLike(schema) ? [] : [this.#named(ref, how, site.from)]),
      ...allOf.flatMap((part) => this.normalizerOf(part, how, site) ?? []),
      ...this.#own(schema, how, site),
    ];
    const [only] = parts;
    if (only === undefined || (parts.length === 1 && !this.#isInParts(schema))) return only;
    const declared = this.#overlaps(schema) ? undefined : this.#fieldsOf(schema);
    const fields = declared === undefined ? [] : [site.pool.set(`${site.hint} all fields`, [...declared])];
    return code`${validatorFunction("normalizeAll")}(${joinCode([code`() => [${joinCode(parts, code`, `)}]`, ...fields], code`, `)})`;
  }

  /** True if more than one schema declares fields of the same object. */
  #isInParts(schema: Schema): boolean {
    return this.#layersOf(schema).filter((layer) => this.#fieldsOf(layer)?.size !== 0).length > 1;
  }

  /** True if two of them declare fields inside the same field. Then neither knows which fields are unknown there. */
  #overlaps(schema: Schema): boolean {
    const names = this.#layersOf(schema).flatMap((layer) => [...this.#nestedIn(layer)]);
    return new Set(names).size < names.length;
  }

  /** Returns the schemas that apply to the same object: its own properties, its reference and its branches. */
  #layersOf(schema: Schema): readonly Schema[] {
    const target = schema.ref === undefined ? undefined : schemasByName(this.#api).get(schema.ref);
    return [ownProperties(schema), ...(target === undefined ? [] : [target]), ...composedSchemas(schema)];
  }

  /** Returns every field that a schema declares in any of its parts, or `undefined` if any field is allowed. */
  #fieldsOf(schema: Schema): ReadonlySet<string> | undefined {
    const always = schemaParts(this.#api, schema);
    const parts = [...always, ...always.flatMap(conditionalSchemas).flatMap((part) => schemaParts(this.#api, part))];
    if (parts.some(isOpen)) return undefined;
    return new Set(parts.flatMap(({ properties = [] }) => properties.map((property) => property.name)));
  }

  /** Returns the fields that are objects, or arrays of objects. */
  #nestedIn(schema: Schema): ReadonlySet<string> {
    const properties = schemaParts(this.#api, schema).flatMap((part) => part.properties ?? []);
    return new Set(properties.filter((each) => this.#isObjectLike(each.schema)).map((each) => each.name));
  }

  /** Prints every requested normalizer. Printing one may request others. */
  print(pool: HoistedConstants): readonly Code[] {
    const constants = new Map<string, { readonly target: string; readonly statement: Code }>();
    for (const [own, { schema, how }] of this.#requested) {
      const normalizer = this.#ofNamed(schema, how, pool);
      const statement = code`export const ${identifier(own)}: ${validatorType("Normalizer")} = /* @__PURE__ */ ${normalizer};`;
      constants.set(own, { target: renderCode(normalizer), statement });
    }
    return targetsFirst(constants);
  }

  #ofNamed(schema: string, how: NormalizerSettings, pool: HoistedConstants): Code {
    const target = schemasByName(this.#api).get(schema);
    const normalizer = target === undefined ? undefined : this.normalizerOf(target, how, { pool, hint: schema });
    return normalizer ?? code`${validatorFunction("normalizeObject")}(() => ({}))`;
  }

  #named(schema: string, settings: NormalizerSettings, from: string | undefined): Code {
    const has = (test: (each: Schema) => boolean): boolean => reachesSchema(this.#api, schema, test);
    const hasRules = has((each) => each.valueRules !== undefined);
    // Settings that change nothing need no normalizer of their own.
    const how: NormalizerSettings = {
      ...settings,
      appliesDerivedValues: settings.appliesDerivedValues || !hasRules,
      appliesDefaults: settings.appliesDefaults || !(hasRules || has((each) => each.default !== undefined)),
    };
    const isApart = how.isNested && hasConditions(schemasByName(this.#api).get(schema));
    const variant = `${how.appliesDefaults ? "" : "Change"}${how.appliesDerivedValues ? "" : "AsSent"}${isApart ? "Within" : ""}`;
    const name = `normalize${how.nulls === "absent" ? "Sent" : ""}${schema}${variant}`;
    this.#requested.set(name, { schema, how });
    return from === undefined ? identifier(name) : importValue(name, from);
  }

  #own(schema: Schema, how: NormalizerSettings, site: NormalizerSite): readonly Code[] {
    if (schema.items !== undefined) {
      const items = this.normalizerOf(schema.items, { ...how, isNested: true }, { ...site, hint: `${site.hint} item` });
      if (items !== undefined) return [code`${validatorFunction("normalizeItems")}(() => ${items})`];
    }
    if (schema.properties === undefined) return [];
    const rules = this.#rules(schema, schema.properties, how, site);
    if (rules.length === 0) return [];
    return [code`${validatorFunction("normalizeObject")}(() => ({ ${joinCode(rules, code`, `)} }))`];
  }

  #rules(
    schema: Schema,
    properties: readonly Property[],
    how: NormalizerSettings,
    { pool, from, hint }: NormalizerSite,
  ): readonly Code[] {
    const schemas = { resolve: (ref: string): Schema => schemasByName(this.#api).get(ref) ?? schema };
    const names = (chosen: readonly Property[]): readonly string[] => chosen.map((property) => property.name);
    const nulls = how.nulls === "absent" ? properties.filter((each) => !allowsNull(schemas, each.schema)) : [];
    const defaults = how.appliesDefaults ? properties.filter((each) => each.schema.default !== undefined) : [];
    const context = this.#checks.context(pool, how.nulls, from);
    const values = how.appliesDerivedValues
      ? properties.flatMap((each) => emitValueRules(each, how, { context, hint }))
      : [];
    const fields = properties.flatMap((each) => {
      const site = { pool, from, hint: `${hint} ${each.name}` };
      const normalizer = this.normalizerOf(each.schema, { ...how, isNested: true }, site);
      return normalizer === undefined ? [] : [code`${propertyKey(each.name)}: ${normalizer}`];
    });
    const declared = this.#fieldsOf(ownProperties(schema));
    const known = declared && pool.set(`${hint} fields`, [...declared], `${hint} own fields`);
    const without = [...(readOnlyOf(this.#api).get(schema) ?? [])];
    return [
      ...(nulls.length === 0
        ? []
        : [
            code`nulls: ${pool.set(`${hint} ${nulls.length === properties.length ? "fields" : "not nullable"}`, names(nulls))}`,
          ]),
      ...(without.length === 0 ? [] : [code`without: ${pool.set(`${hint} read only`, without)}`]),
      ...(defaults.length === 0
        ? []
        : [
            code`defaults: { ${joinCode(
              defaults.map((each) => code`${propertyKey(each.name)}: ${jsonLiteral(each.schema.default ?? null)}`),
              code`, `,
            )} }`,
          ]),
      ...(values.length === 0 ? [] : [code`values: { ${joinCode(values, code`, `)} }`]),
      ...(fields.length === 0 ? [] : [code`fields: { ${joinCode(fields, code`, `)} }`]),
      ...(known === undefined ? [] : [code`known: ${known}`]),
    ];
  }

  #isObjectLike(schema: Schema, visited: ReadonlySet<string> = new Set()): boolean {
    const { ref } = schema;
    if (ref !== undefined && !visited.has(ref)) {
      const target = schemasByName(this.#api).get(ref);
      if (target !== undefined && this.#isObjectLike(target, new Set([...visited, ref]))) return true;
    }
    const parts = [...(schema.allOf ?? []), ...(schema.items === undefined ? [] : [schema.items])];
    return schema.properties !== undefined || parts.some((part) => this.#isObjectLike(part, visited));
  }
}

/** Orders constants so that one whose value is another constant follows it: the normalizer of an alias is that of its target. */
function targetsFirst(
  constants: ReadonlyMap<string, { readonly target: string; readonly statement: Code }>,
): readonly Code[] {
  const ordered = new Map<string, Code>();
  for (const name of constants.keys()) {
    const chain: string[] = [];
    let next = name;
    while (constants.has(next) && !ordered.has(next) && !chain.includes(next)) {
      chain.push(next);
      next = constants.get(next)?.target ?? "";
    }
    for (const each of chain.toReversed()) {
      const statement = constants.get(each)?.statement;
      if (statement !== undefined) ordered.set(each, statement);
    }
  }
  return [...ordered.values()];
}

/** Returns a schema with only the keywords that declare fields. */
function ownProperties({ origin, types, properties = [], additionalProperties, patternProperties }: Schema): Schema {
  return {
    origin,
    types,
    properties,
    ...(additionalProperties === undefined ? {} : { additionalProperties }),
    ...(patternProperties === undefined ? {} : { patternProperties }),
  };
}

/** Returns the schemas that apply to the same object conditionally. */
function conditionalSchemas({ then, else: otherwise, dependentSchemas = {} }: Schema): readonly Schema[] {
  return [then, otherwise, ...Object.values(dependentSchemas)].filter((each) => each !== undefined);
}

/** True if fields may have any name. */
function isOpen({ additionalProperties, patternProperties = {}, unevaluatedProperties }: Schema): boolean {
  const isFree = [additionalProperties, unevaluatedProperties].some(
    (each) => each !== undefined && each.never !== true,
  );
  return isFree || Object.keys(patternProperties).length > 0;
}

/** Maps the schema of a request to the read-only fields that requests leave out. */
function readOnlyFields(api: Api): ReadonlyMap<Schema, ReadonlySet<string>> {
  const schemas = new Map(api.schemas.map((each) => [each.name, each.schema] as const));
  const fields = new Map<Schema, ReadonlySet<string>>();
  for (const { schema, variantOf } of api.schemas) {
    const read = variantOf === undefined ? undefined : schemas.get(variantOf.name);
    if (read?.properties === undefined || schema.properties === undefined) continue;
    const names = new Set(schema.properties.map((property) => property.name));
    const missing = read.properties.filter((property) => property.readOnly && !names.has(property.name));
    if (missing.length > 0) fields.set(schema, new Set(missing.map((property) => property.name)));
  }
  return fields;
}

function hasConditions(schema: Schema | undefined): boolean {
  return (
    schema?.properties?.some((property) => property.schema.valueRules?.some((rule) => rule.when !== undefined)) === true
  );
}

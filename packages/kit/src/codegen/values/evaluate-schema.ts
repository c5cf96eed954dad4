import {
  type Api,
  assertions,
  isJsonObject,
  isOfJsonType,
  matchesPattern,
  memoizeByKey,
  type Schema,
  schemasByName,
  sizeLimits,
} from "../../model/index.js";
import { isOfFormat } from "./formats.js";

/** Represents a value that is known only later, so that every schema allows it. */
export const unknownValue: unique symbol = Symbol("unknown");

/** A value of which some parts may be unknown. */
export type PartialValue =
  | null
  | boolean
  | number
  | string
  | typeof unknownValue
  | readonly PartialValue[]
  | { readonly [key: string]: PartialValue };

/** A location where a value violates its schema. */
export interface SchemaViolation {
  readonly path: readonly string[];
  readonly keyword: string;
  /** True when a server may report another field: no branch is clearly the intended one. */
  readonly isAmbiguous?: true;
}

/** Finds the violations of a value; `depth` counts the enclosing schemas. */
type SchemaEvaluator = (value: PartialValue, depth: number) => readonly SchemaViolation[];

const noViolations: readonly SchemaViolation[] = [];
const maxSchemaDepth = 24;

/** Finds the violations of a partially known value. Schemas that are nested too deeply are not evaluated. */
export function evaluateSchema(api: Api, schema: Schema, value: PartialValue, depth = 0): readonly SchemaViolation[] {
  return value === unknownValue || depth > maxSchemaDepth ? noViolations : evaluatorOf(api, schema)(value, depth);
}

const evaluatorCache = memoizeByKey<Schema, SchemaEvaluator>();

/** Compiled once for each schema, since many values are evaluated with it. */
function evaluatorOf(api: Api, schema: Schema): SchemaEvaluator {
  return evaluatorCache(api, schema, () => withLastResult(joined(evaluatorsOf(api, schema))));
}

/** Branches that refer to the same schemas evaluate the same value many times: twice as often with each level. */
function withLastResult(evaluate: SchemaEvaluator): SchemaEvaluator {
  let last: { readonly value: PartialValue; readonly depth: number } | undefined;
  let result = noViolations;
  return (value, depth) => {
    if (last?.value !== value || last.depth !== depth) {
      result = evaluate(value, depth);
      last = { value, depth };
    }
    return result;
  };
}

function evaluatorsOf(api: Api, schema: Schema): readonly SchemaEvaluator[] {
  if (schema.never) return [() => [violation("never")]];
  const target = schema.ref === undefined ? undefined : schemasByName(api).get(schema.ref);
  return [
    ...(target === undefined ? [] : [within(api, target)]),
    ...ofType(schema),
    ...ofAssertions(schema),
    ...ofList(api, schema),
    ...ofObject(api, schema),
    ...ofParts(api, schema),
  ];
}

/** A nested schema. It may be recursive, so it is resolved when a value is evaluated. */
function within(api: Api, schema: Schema): SchemaEvaluator {
  return (value, depth) => evaluateSchema(api, schema, value, depth + 1);
}

/** The violations of all evaluators, in order. Allocates nothing for a valid value. */
function joined(all: readonly SchemaEvaluator[]): SchemaEvaluator {
  const [first, ...others] = all;
  if (first === undefined) return () => noViolations;
  if (others.length === 0) return first;
  return (value, depth) => {
    let violations = noViolations;
    for (const evaluate of all) {
      const more = evaluate(value, depth);
      if (more.length > 0) violations = violations.length === 0 ? more : [...violations, ...more];
    }
    return violations;
  };
}

function violation(keyword: string, ...path: readonly string[]): SchemaViolation {
  return { path, keyword };
}

function violationsUnder(key: string, violations: readonly SchemaViolation[]): readonly SchemaViolation[] {
  return violations.length === 0 ? noViolations : violations.map((each) => ({ ...each, path: [key, ...each.path] }));
}

function ofType({ types }: Schema): readonly SchemaEvaluator[] {
  if (types.length === 0) return [];
  const violations = [violation("type")];
  return [(value) => (types.some((type) => isOfJsonType(value, type)) ? noViolations : violations)];
}

/** The tests of the keywords without subschemas. */
function ofAssertions(schema: Schema): readonly SchemaEvaluator[] {
  return assertions.flatMap(({ name, testOf }): readonly SchemaEvaluator[] => {
    // The missing properties have paths of their own.
    const test = name === "dependentRequired" ? undefined : name === "format" ? formatTest(schema) : testOf?.(schema);
    if (test === undefined) return [];
    const violations = [violation(name)];
    return [(value) => (test(value) ? noViolations : violations)];
  });
}

export function isKnownList(value: PartialValue): value is readonly PartialValue[] {
  return Array.isArray(value);
}

export function isKnownObject(value: PartialValue): value is { readonly [key: string]: PartialValue } {
  return isJsonObject(value);
}

function formatTest({ format }: Schema): ((value: unknown) => boolean) | undefined {
  if (format === undefined) return undefined;
  if (format === "int32") return (value) => typeof value !== "number" || Math.abs(value + 0.5) <= 2 ** 31;
  return (value) => typeof value !== "string" || isOfFormat(format, value);
}

function ofList(api: Api, schema: Schema): readonly SchemaEvaluator[] {
  const { contains, prefixItems = [], items: rest } = schema;
  const { least = 1, most = Infinity } = sizeLimits("matches", [schema]);
  const all: ((items: readonly PartialValue[], depth: number) => readonly SchemaViolation[])[] = [];
  const addCheck = (keyword: string, fits: (items: readonly PartialValue[], depth: number) => boolean): void => {
    const violations = [violation(keyword)];
    all.push((items, depth) => (fits(items, depth) ? noViolations : violations));
  };
  for (const { kind, within: where, by = [] } of schema.limits ?? []) {
    if (kind !== "unique" || where !== "array") continue;
    const keyOf = (item: PartialValue): string =>
      JSON.stringify(isKnownObject(item) ? by.map((name) => item[name]) : item);
    addCheck("unique", (items) => new Set(items.map(keyOf)).size === items.length);
  }
  if (contains !== undefined)
    addCheck("contains", (items, depth) => {
      const count = items.filter((each) => evaluateSchema(api, contains, each, depth + 1).length === 0).length;
      return count >= least && count <= most;
    });
  if (rest !== undefined || prefixItems.length > 0)
    all.push((items, depth) => {
      // Equal items have equal violations, so the last result is reused.
      const checkedItems = items.length > 40 ? items.slice(-2) : items;
      const first = items.length - checkedItems.length;
      return checkedItems.flatMap((item, index) => {
        const itemSchema = prefixItems[first + index] ?? rest;
        return itemSchema === undefined
          ? noViolations
          : violationsUnder(String(first + index), evaluateSchema(api, itemSchema, item, depth + 1));
      });
    });
  return all.map((each) => (value, depth) => (isKnownList(value) ? each(value, depth) : noViolations));
}

type PropertyValues = Readonly<Record<string, PartialValue>>;

function ofObject(api: Api, schema: Schema): readonly SchemaEvaluator[] {
  const { properties = [], unevaluatedProperties: others } = schema;
  const all: ((value: PropertyValues, depth: number) => readonly SchemaViolation[])[] = [];
  const required = [
    ...new Set([...(schema.required ?? []), ...properties.filter((each) => each.required).map(({ name }) => name)]),
  ];
  if (required.length > 0)
    all.push((value) => {
      const missing = required.filter((name) => !Object.hasOwn(value, name));
      return missing.length === 0 ? noViolations : missing.map((name) => violation("required", name));
    });
  for (const [name, names] of Object.entries(schema.dependentRequired ?? {}))
    all.push((value) =>
      Object.hasOwn(value, name)
        ? names.filter((each) => !Object.hasOwn(value, each)).map((each) => violation("dependentRequired", each))
        : noViolations,
    );
  for (const { name, schema: propertySchema } of properties)
    all.push((value, depth) =>
      Object.hasOwn(value, name)
        ? violationsUnder(name, evaluateSchema(api, propertySchema, value[name] ?? null, depth + 1))
        : noViolations,
    );
  all.push(...ofAdditionalProperties(api, schema));
  for (const [name, of] of Object.entries(schema.dependentSchemas ?? {}))
    all.push((value, depth) => (Object.hasOwn(value, name) ? evaluateSchema(api, of, value, depth + 1) : noViolations));
  if (others !== undefined) {
    const { unevaluatedProperties: _, ...beside } = schema;
    all.push((value, depth) => {
      const evaluated = evaluatedBy(api, beside, value, depth);
      return Object.entries(value).flatMap(([key, each]) =>
        evaluated.has(key) ? noViolations : violationsUnder(key, evaluateSchema(api, others, each, depth + 1)),
      );
    });
  }
  return all.map((each) => (value, depth) => (isKnownObject(value) ? each(value, depth) : noViolations));
}

/** Evaluates `additionalProperties` and `patternProperties`. */
function ofAdditionalProperties(
  api: Api,
  schema: Schema,
): readonly ((value: PropertyValues, depth: number) => readonly SchemaViolation[])[] {
  const { additionalProperties, propertyNames } = schema;
  const declared = new Set((schema.properties ?? []).map(({ name }) => name));
  const patterns = Object.entries(schema.patternProperties ?? {});
  if (patterns.length === 0 && additionalProperties === undefined && propertyNames === undefined) return [];
  const ofName = (key: string, value: PartialValue, depth: number): readonly SchemaViolation[] => {
    const matching = patterns.filter(([pattern]) => matchesPattern(pattern, key));
    const isBad = propertyNames !== undefined && evaluateSchema(api, propertyNames, key, depth + 1).length > 0;
    const isMore = additionalProperties !== undefined && !declared.has(key) && matching.length === 0;
    return [
      ...matching.flatMap(([, of]) => violationsUnder(key, evaluateSchema(api, of, value, depth + 1))),
      ...(isBad ? [violation("propertyNames", key)] : []),
      ...(isMore ? violationsUnder(key, evaluateSchema(api, additionalProperties, value, depth + 1)) : []),
    ];
  };
  return [(value, depth) => Object.entries(value).flatMap(([key, each]) => ofName(key, each, depth))];
}

/** The evaluated properties, for `unevaluatedProperties`; of branches only the matching ones count. */
function evaluatedBy(api: Api, schema: Schema, value: PropertyValues, depth: number): ReadonlySet<string> {
  const keys = Object.keys(value);
  if (depth > maxSchemaDepth || schema.additionalProperties !== undefined || schema.unevaluatedProperties !== undefined)
    return new Set(keys);
  const fits = (each: Schema): boolean => evaluateSchema(api, each, value, depth + 1).length === 0;
  const target = schema.ref === undefined ? undefined : schemasByName(api).get(schema.ref);
  const { if: condition, then, else: otherwise, allOf = [], anyOf = [], oneOf = [] } = schema;
  const isMet = condition !== undefined && fits(condition);
  const parts = [
    target,
    ...allOf,
    ...[...anyOf, ...oneOf].filter(fits),
    ...(isMet ? [condition, then] : [otherwise]),
    ...Object.entries(schema.dependentSchemas ?? {}).flatMap(([name, of]) => (Object.hasOwn(value, name) ? [of] : [])),
  ].filter((each) => each !== undefined);
  const patterns = Object.keys(schema.patternProperties ?? {});
  return new Set([
    ...(schema.properties ?? []).map(({ name }) => name),
    ...keys.filter((key) => patterns.some((pattern) => matchesPattern(pattern, key))),
    ...parts.flatMap((each) => [...evaluatedBy(api, each, value, depth + 1)]),
  ]);
}

function ofParts(api: Api, schema: Schema): readonly SchemaEvaluator[] {
  const { allOf = [], anyOf, oneOf, not, if: condition, then, else: otherwise } = schema;
  const inner = (each: Schema): SchemaEvaluator => within(api, each);
  const all: SchemaEvaluator[] = allOf.map(inner);
  for (const [branches, onlyOne] of [[anyOf, false] as const, [oneOf, true] as const]) {
    const forms = branches?.map(inner);
    if (forms !== undefined)
      all.push((value, depth) =>
        ofChoice(
          forms.map((evaluate) => evaluate(value, depth)),
          { onlyOne, property: schema.discriminator?.propertyName },
        ),
      );
  }
  if (not !== undefined)
    all.push((value, depth) =>
      evaluateSchema(api, not, value, depth + 1).length === 0
        ? [isKnownObject(value) || isKnownList(value) ? { ...violation("not"), isAmbiguous: true } : violation("not")]
        : noViolations,
    );
  if (condition !== undefined)
    all.push((value, depth) => {
      const follows = evaluateSchema(api, condition, value, depth + 1).length === 0 ? then : otherwise;
      return follows === undefined ? noViolations : evaluateSchema(api, follows, value, depth + 1);
    });
  return all;
}

interface Choice {
  readonly onlyOne: boolean;
  /** The property that selects the branch. */
  readonly property: string | undefined;
}

/** The violations of the intended branch: the only one whose constants, and values of the discriminator, match. */
function ofChoice(
  branches: readonly (readonly SchemaViolation[])[],
  { onlyOne, property }: Choice,
): readonly SchemaViolation[] {
  const fitting = branches.filter((each) => each.length === 0).length;
  if (fitting === 1 || (fitting > 1 && !onlyOne)) return noViolations;
  if (fitting > 1) return [{ ...violation("oneOf"), isAmbiguous: true }];
  const selects = ({ keyword, path }: SchemaViolation): boolean =>
    path.length < 2 && (keyword === "const" || (keyword === "enum" && path[0] === property));
  const tagged = branches.filter((violations) => !violations.some(selects));
  const [meant] = tagged;
  if (tagged.length === 1 && meant !== undefined) return meant;
  return [{ ...violation("union"), isAmbiguous: true }];
}

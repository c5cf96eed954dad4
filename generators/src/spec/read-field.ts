import { nearest } from "./nearest.js";
import { follow, type JsonSchema } from "./vocabulary.js";

/** An issue in the value of an extension field. */
export interface Fault {
  /** The path from the value of the field to the node. */
  readonly path: readonly string[];
  readonly message: string;
  readonly fix?: string;
}

/** A value of a shared definition, such as `when` or `errorId`, inside an extension field. */
export interface Use {
  readonly kind: string;
  readonly path: readonly string[];
  readonly value: unknown;
}

export interface Reading {
  readonly faults: readonly Fault[];
  readonly uses: readonly Use[];
}

/**
 * Validates an extension field against a schema of the vocabulary. The result agrees with a JSON Schema validator (a
 * test compares them).
 * Reports issues of the intended branch, and returns expressions, conditions, names of errors and other shared
 * definitions.
 */
export function readField(schema: JsonSchema, value: unknown): Reading {
  return read(schema, value, []);
}

// Rules of their own check these, with better messages than "does not match the pattern".
const judgedElsewhere: Readonly<Record<string, (value: unknown) => boolean>> = {
  duration: () => true,
  expression: (value) => typeof value === "string",
};

function read(written: JsonSchema, value: unknown, path: readonly string[]): Reading {
  const { schema, kind } = follow(written);
  const uses = kind === undefined ? [] : [{ kind, path, value }];
  if (kind !== undefined && judgedElsewhere[kind]?.(value)) return { faults: [], uses };
  const typed = faultOfType(schema, value, path);
  if (typed) return { faults: [typed], uses };
  const parts = [
    ofValue(schema, value, path),
    ...(Array.isArray(value) ? [ofList(schema, value, path)] : []),
    ...(isRecord(value) ? [ofObject(schema, value, path)] : []),
    ...(schema.allOf ?? []).map((each) => read(each, value, path)),
    ...(schema.anyOf ? [ofBranches({ branches: schema.anyOf, schema, exactly: false }, value, path)] : []),
    ...(schema.oneOf ? [ofBranches({ branches: schema.oneOf, schema, exactly: true }, value, path)] : []),
    ...(schema.not && matches(schema.not, value) ? [fault(path, "This is not allowed here.", schema.$comment)] : []),
    ...(schema.if && schema.then && matches(schema.if, value) ? [read(schema.then, value, path)] : []),
  ];
  return { faults: parts.flatMap((each) => each.faults), uses: [...uses, ...parts.flatMap((each) => each.uses)] };
}

function faultOfType(schema: JsonSchema, value: unknown, path: readonly string[]): Fault | undefined {
  if (schema.type === undefined) return undefined;
  const types = typeof schema.type === "string" ? [schema.type] : schema.type;
  const actual = typeOf(value);
  if (types.includes(actual) || (actual === "integer" && types.includes("number"))) return undefined;
  return {
    path,
    message: `This is ${article(actual)}; ${types.map(article).join(" or ")} is expected.`,
    ...fixOf(schema.description),
  };
}

function ofValue(schema: JsonSchema, value: unknown, path: readonly string[]): Reading {
  if (schema.enum && !schema.enum.includes(value)) {
    const names = schema.enum.map(String);
    return fault(path, `${show(value)} is not one of ${names.join(", ")}.`, suggestion(String(value), names));
  }
  if (schema.const !== undefined && schema.const !== value)
    return fault(path, `${show(value)} is not allowed here.`, `Write ${show(schema.const)}.`);
  if (typeof value === "string") {
    const tooShort = value.length < (schema.minLength ?? 0);
    if (tooShort) return fault(path, "This is empty.", schema.description);
    if (value.length > (schema.maxLength ?? Number.POSITIVE_INFINITY))
      return fault(path, `This is longer than ${schema.maxLength} characters.`);
    if (schema.pattern !== undefined && !new RegExp(schema.pattern, "u").test(value)) {
      return fault(
        path,
        `${show(value)} is not ${article((schema.title ?? "value").toLowerCase())} of the form ${schema.pattern}.`,
        schema.description,
      );
    }
  }
  if (typeof value === "number") {
    if (value < (schema.minimum ?? Number.NEGATIVE_INFINITY))
      return fault(path, `${value} is less than ${schema.minimum}.`, schema.description);
    if (value > (schema.maximum ?? Number.POSITIVE_INFINITY))
      return fault(path, `${value} is more than ${schema.maximum}.`, schema.description);
  }
  return nothing;
}

function ofList(schema: JsonSchema, value: readonly unknown[], path: readonly string[]): Reading {
  const { prefixItems = [], items = true, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
  const own: Reading[] = [];
  if (value.length < minItems)
    own.push(
      fault(
        path,
        minItems === 1 ? "This list is empty." : `This list has fewer than ${minItems} items.`,
        schema.description,
      ),
    );
  if (value.length > maxItems) own.push(fault(path, `This list has more than ${maxItems} items.`, schema.description));
  if (schema.uniqueItems === true && new Set(value.map((each) => JSON.stringify(each))).size < value.length)
    own.push(fault(path, "This list names something twice."));
  const children = value.map((item, index) => {
    const of = prefixItems[index] ?? items;
    return typeof of === "boolean" ? nothing : read(of, item, [...path, String(index)]);
  });
  return merge([...own, ...children]);
}

function ofObject(schema: JsonSchema, value: Readonly<Record<string, unknown>>, path: readonly string[]): Reading {
  const { properties = {}, required = [], additionalProperties: others = true, minProperties = 0 } = schema;
  const name = schema.title === undefined ? "this object" : article(schema.title.toLowerCase());
  const own: Reading[] = [];
  for (const key of required) {
    if (!Object.hasOwn(value, key)) own.push(fault(path, `"${key}" is missing.`, describe(properties[key])));
  }
  for (const [key, needed] of Object.entries(schema.dependentRequired ?? {})) {
    if (!Object.hasOwn(value, key)) continue;
    for (const other of needed) {
      if (!Object.hasOwn(value, other))
        own.push(fault([...path, key], `"${key}" stands without "${other}".`, describe(properties[other])));
    }
  }
  if (Object.keys(value).length < minProperties) own.push(fault(path, "This object is empty.", schema.description));
  const children = Object.entries(value).map(([key, child]) => {
    const of = Object.hasOwn(properties, key) ? properties[key] : others;
    if (of === false)
      return fault([...path, key], `"${key}" is not a key of ${name}.`, suggestion(key, Object.keys(properties)));
    return of === true || of === undefined ? nothing : read(of, child, [...path, key]);
  });
  return merge([...own, ...children]);
}

interface Choice {
  readonly branches: readonly JsonSchema[];
  readonly schema: JsonSchema;
  readonly exactly: boolean;
}

function ofBranches({ branches, schema, exactly }: Choice, value: unknown, path: readonly string[]): Reading {
  const readings = branches.map((each) => ({ each, reading: read(each, value, path) }));
  const fitting = readings.filter(({ reading }) => reading.faults.length === 0);
  const [first] = fitting;
  if (first && (!exactly || fitting.length === 1))
    return merge(fitting.map(({ reading }) => ({ faults: [], uses: reading.uses })));
  if (first) return fault(path, "This matches several alternatives, of which only one is allowed.", schema.$comment);
  const inside = readings.filter(
    ({ each, reading }) =>
      fitsRoughly(each, value) && reading.faults.some((found) => found.path.length > path.length || isRecord(value)),
  );
  const best = inside.toSorted((a, b) => a.reading.faults.length - b.reading.faults.length)[0];
  if (best && !exactly) return best.reading;
  return fault(
    path,
    exactly
      ? "This matches none of the alternatives."
      : `${capital(article(typeOf(value)))} of this form is not allowed here.`,
    schema.$comment,
  );
}

/** True if the branch is the intended one: of the same type, and for objects with a common key. */
function fitsRoughly(branch: JsonSchema, value: unknown): boolean {
  const { schema } = follow(branch);
  if (schema.not || schema.type === undefined) return false;
  if (faultOfType(schema, value, [])) return false;
  if (!isRecord(value) || schema.properties === undefined) return Array.isArray(value) || isRecord(value);
  const keys = Object.keys(schema.properties);
  return Object.keys(value).some(
    (key) => key !== "x-source" && keys.some((known) => known === key || nearest(key, [known]) !== undefined),
  );
}

function matches(schema: JsonSchema, value: unknown): boolean {
  return read(schema, value, []).faults.length === 0;
}

const nothing: Reading = { faults: [], uses: [] };

function merge(readings: readonly Reading[]): Reading {
  return { faults: readings.flatMap((each) => each.faults), uses: readings.flatMap((each) => each.uses) };
}

function fault(path: readonly string[], message: string, fix?: string): Reading {
  return { faults: [{ path, message, ...fixOf(fix) }], uses: [] };
}

function fixOf(fix: string | undefined): { readonly fix?: string } {
  return fix === undefined ? {} : { fix };
}

function suggestion(wrong: string, names: readonly string[]): string {
  const meant = nearest(wrong, names);
  return meant === undefined
    ? `Use one of ${names.filter((each) => each !== "x-source").join(", ")}.`
    : `Did you mean "${meant}"?`;
}

function describe(schema: JsonSchema | undefined): string | undefined {
  return schema?.description;
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value;
}

function article(noun: string): string {
  if (noun === "null") return "null";
  return `${/^[aeiou]/i.test(noun) ? "an" : "a"} ${noun}`;
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function show(value: unknown): string {
  return typeof value === "string" ? `"${value}"` : (JSON.stringify(value) ?? "This");
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

import { isJsonObject, sizeLimits } from "../../model/index.js";
import { findNearest } from "../read/edit-distance.js";
import { followVocabularyReference, type JsonSchema } from "./vocabulary.js";

/** An issue in the value of an extension field. */
export interface ExtensionIssue {
  /** The path from the value of the field to the node. */
  readonly path: readonly string[];
  readonly message: string;
  readonly fix?: string;
}

/** A value of a shared definition, such as `when` or `errorId`, inside an extension field. */
export interface ExtensionUse {
  readonly kind: string;
  readonly path: readonly string[];
  readonly value: unknown;
}

export interface ExtensionReading {
  readonly issues: readonly ExtensionIssue[];
  readonly uses: readonly ExtensionUse[];
}

/**
 * Validates an extension field against a schema of the vocabulary. The result agrees with a JSON Schema validator (a
 * test compares them).
 * Reports issues of the intended branch, and returns expressions, conditions, names of errors and other shared
 * definitions.
 */
export function validateExtension(schema: JsonSchema, value: unknown): ExtensionReading {
  return read(schema, value, []);
}

// Rules of their own check these, with better messages than "does not match the pattern".
const checkedByOtherRules: Readonly<Record<string, (value: unknown) => boolean>> = {
  duration: () => true,
  expression: (value) => typeof value === "string",
};

function read(written: JsonSchema, value: unknown, path: readonly string[]): ExtensionReading {
  const { schema, kind } = followVocabularyReference(written);
  const uses = kind === undefined ? [] : [{ kind, path, value }];
  if (kind !== undefined && checkedByOtherRules[kind]?.(value)) return { issues: [], uses };
  const typed = typeIssue(schema, value, path);
  if (typed) return { issues: [typed], uses };
  const parts = [
    ofValue(schema, value, path),
    ...(Array.isArray(value) ? [ofList(schema, value, path)] : []),
    ...(isJsonObject(value) ? [ofObject(schema, value, path)] : []),
    ...(schema.allOf ?? []).map((each) => read(each, value, path)),
    ...(schema.anyOf ? [ofBranches({ branches: schema.anyOf, schema, exactly: false }, value, path)] : []),
    ...(schema.oneOf ? [ofBranches({ branches: schema.oneOf, schema, exactly: true }, value, path)] : []),
    ...(schema.not && matches(schema.not, value)
      ? [singleIssue(path, "This is not allowed here.", schema.$comment)]
      : []),
    ...(schema.if && schema.then && matches(schema.if, value) ? [read(schema.then, value, path)] : []),
  ];
  return { issues: parts.flatMap((each) => each.issues), uses: [...uses, ...parts.flatMap((each) => each.uses)] };
}

function typeIssue(schema: JsonSchema, value: unknown, path: readonly string[]): ExtensionIssue | undefined {
  if (schema.type === undefined) return undefined;
  const types = typeof schema.type === "string" ? [schema.type] : schema.type;
  const actual = typeOf(value);
  if (types.includes(actual) || (actual === "integer" && types.includes("number"))) return undefined;
  return {
    path,
    message: `This is ${article(actual)}; ${types.map(article).join(" or ")} is expected.`,
    ...fixMember(schema.description),
  };
}

function ofValue(schema: JsonSchema, value: unknown, path: readonly string[]): ExtensionReading {
  if (schema.enum && !schema.enum.includes(value)) {
    const names = schema.enum.map(String);
    return singleIssue(
      path,
      `${formatValue(value)} is not one of ${names.join(", ")}.`,
      suggestName(String(value), names),
    );
  }
  if (schema.const !== undefined && schema.const !== value)
    return singleIssue(path, `${formatValue(value)} is not allowed here.`, `Write ${formatValue(schema.const)}.`);
  if (typeof value === "string") {
    const { least = 0, most = Number.POSITIVE_INFINITY } = sizeLimits("characters", [schema]);
    if (value.length < least) return singleIssue(path, "This is empty.", schema.description);
    if (value.length > most) return singleIssue(path, `This is longer than ${most} characters.`);
    if (schema.pattern !== undefined && !new RegExp(schema.pattern, "u").test(value)) {
      return singleIssue(
        path,
        `${formatValue(value)} is not ${article((schema.title ?? "value").toLowerCase())} of the form ${schema.pattern}.`,
        schema.description,
      );
    }
  }
  if (typeof value === "number") {
    const { least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY } = sizeLimits("number", [schema]);
    if (value < least) return singleIssue(path, `${value} is less than ${least}.`, schema.description);
    if (value > most) return singleIssue(path, `${value} is more than ${most}.`, schema.description);
  }
  return emptyReading;
}

function ofList(schema: JsonSchema, value: readonly unknown[], path: readonly string[]): ExtensionReading {
  const { prefixItems = [], items = true } = schema;
  const { least = 0, most = Number.POSITIVE_INFINITY } = sizeLimits("items", [schema]);
  const readings: ExtensionReading[] = [];
  if (value.length < least)
    readings.push(
      singleIssue(
        path,
        least === 1 ? "This list is empty." : `This list has fewer than ${least} items.`,
        schema.description,
      ),
    );
  if (value.length > most)
    readings.push(singleIssue(path, `This list has more than ${most} items.`, schema.description));
  if (schema.uniqueItems === true && new Set(value.map((each) => JSON.stringify(each))).size < value.length)
    readings.push(singleIssue(path, "This list names something twice."));
  const children = value.map((item, index) => {
    const itemSchema = prefixItems[index] ?? items;
    return typeof itemSchema === "boolean" ? emptyReading : read(itemSchema, item, [...path, String(index)]);
  });
  return mergeReadings([...readings, ...children]);
}

function ofObject(
  schema: JsonSchema,
  value: Readonly<Record<string, unknown>>,
  path: readonly string[],
): ExtensionReading {
  const { properties = {}, required = [], additionalProperties: others = true } = schema;
  const { least = 0 } = sizeLimits("properties", [schema]);
  const name = schema.title === undefined ? "this object" : article(schema.title.toLowerCase());
  const readings: ExtensionReading[] = [];
  for (const key of required) {
    if (!Object.hasOwn(value, key)) readings.push(singleIssue(path, `"${key}" is missing.`, describe(properties[key])));
  }
  for (const [key, needed] of Object.entries(schema.dependentRequired ?? {})) {
    if (!Object.hasOwn(value, key)) continue;
    for (const other of needed) {
      if (!Object.hasOwn(value, other))
        readings.push(singleIssue([...path, key], `"${key}" stands without "${other}".`, describe(properties[other])));
    }
  }
  if (Object.keys(value).length < least) readings.push(singleIssue(path, "This object is empty.", schema.description));
  const children = Object.entries(value).map(([key, child]) => {
    const property = Object.hasOwn(properties, key) ? properties[key] : others;
    if (property === false)
      return singleIssue(
        [...path, key],
        `"${key}" is not a key of ${name}.`,
        suggestName(key, Object.keys(properties)),
      );
    return property === true || property === undefined ? emptyReading : read(property, child, [...path, key]);
  });
  return mergeReadings([...readings, ...children]);
}

interface BranchChoice {
  readonly branches: readonly JsonSchema[];
  readonly schema: JsonSchema;
  readonly exactly: boolean;
}

function ofBranches(
  { branches, schema, exactly }: BranchChoice,
  value: unknown,
  path: readonly string[],
): ExtensionReading {
  const readings = branches.map((each) => ({ each, reading: read(each, value, path) }));
  const fitting = readings.filter(({ reading }) => reading.issues.length === 0);
  const [first] = fitting;
  if (first && (!exactly || fitting.length === 1))
    return mergeReadings(fitting.map(({ reading }) => ({ issues: [], uses: reading.uses })));
  if (first)
    return singleIssue(path, "This matches several alternatives, of which only one is allowed.", schema.$comment);
  const inside = readings.filter(
    ({ each, reading }) =>
      isLikelyBranch(each, value) &&
      reading.issues.some((issue) => issue.path.length > path.length || isJsonObject(value)),
  );
  const best = inside.toSorted((a, b) => a.reading.issues.length - b.reading.issues.length)[0];
  if (best && !exactly) return best.reading;
  return singleIssue(
    path,
    exactly
      ? "This matches none of the alternatives."
      : `${capital(article(typeOf(value)))} of this form is not allowed here.`,
    schema.$comment,
  );
}

/** True if the branch is the intended one: of the same type, and for objects with a common key. */
function isLikelyBranch(branch: JsonSchema, value: unknown): boolean {
  const { schema } = followVocabularyReference(branch);
  if (schema.not || schema.type === undefined) return false;
  if (typeIssue(schema, value, [])) return false;
  if (!isJsonObject(value) || schema.properties === undefined) return Array.isArray(value) || isJsonObject(value);
  const keys = Object.keys(schema.properties);
  return Object.keys(value).some(
    (key) => key !== "x-source" && keys.some((name) => name === key || findNearest(key, [name]) !== undefined),
  );
}

function matches(schema: JsonSchema, value: unknown): boolean {
  return read(schema, value, []).issues.length === 0;
}

const emptyReading: ExtensionReading = { issues: [], uses: [] };

function mergeReadings(readings: readonly ExtensionReading[]): ExtensionReading {
  return { issues: readings.flatMap((each) => each.issues), uses: readings.flatMap((each) => each.uses) };
}

function singleIssue(path: readonly string[], message: string, fix?: string): ExtensionReading {
  return { issues: [{ path, message, ...fixMember(fix) }], uses: [] };
}

function fixMember(fix: string | undefined): { readonly fix?: string } {
  return fix === undefined ? {} : { fix };
}

function suggestName(wrong: string, names: readonly string[]): string {
  const meant = findNearest(wrong, names);
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

function formatValue(value: unknown): string {
  return typeof value === "string" ? `"${value}"` : (JSON.stringify(value) ?? "This");
}

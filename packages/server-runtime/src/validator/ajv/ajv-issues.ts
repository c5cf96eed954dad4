import { isArray, isObject, maxIssues, valueAt, type Issue, type IssueCode, type Issues } from "../../http/index.js";
import type { JsonSchema } from "../schemas.js";
import type { AjvError } from "./ajv-instance.js";

/** An issue of an error of Ajv, with the message that replaces the issue's own text. */
export interface AjvIssue {
  readonly issue: Issue;
  readonly message: string | undefined;
}

/**
 * Converts errors of Ajv to issues. Of a union, only one issue is left, which names the closest mismatch.
 *
 * @param isLocalized whether the messages of all errors replace the texts of issues
 */
export function toIssues(errors: readonly AjvError[], schema: JsonSchema, isLocalized: boolean): readonly AjvIssue[] {
  const found: Located[] = [];
  for (const error of errors) {
    if (error.propertyName !== undefined && error.keyword !== "propertyNames") continue;
    const unionErrors = isUnion(error) || error.keyword === "contains" ? takeInner(found, error) : [];
    // Its branch has errors of its own.
    if (error.keyword === "if" && found.some(({ error: each }) => isInside(each, error))) continue;
    found.push({ error, issue: toIssue(error, schema, unionErrors) });
  }
  return found
    .filter((each) => !isReportedBeside(each, found) && !followsFromUnion(each, found))
    .slice(0, maxIssues)
    .map(({ error, issue }) => {
      const isOwnText = !isLocalized && issue.code !== "rule";
      return { issue, message: isOwnText ? undefined : error.message };
    });
}

/** Adds issues without messages of their own to a list: for responses, whose issues are reported and not sent. */
export function addAjvIssues(issues: Issues, found: readonly AjvIssue[]): void {
  for (const { issue, message } of found) {
    if (issues.length >= maxIssues) return;
    issues.push(message === undefined ? issue : { ...issue, code: "rule", first: message });
  }
}

interface Located {
  readonly error: AjvError;
  readonly issue: Issue;
}

/** Whether a union's closest mismatch is an issue of another part of the schema, too. */
function isReportedBeside({ issue: { code, path, first } }: Located, found: readonly Located[]): boolean {
  if (code !== "union" || !isObject(first) || !isArray(first["path"])) return false;
  const closest = [...path, ...first["path"]].join("/");
  return found.some(({ issue }) => issue.code === first["code"] && issue.path.join("/") === closest);
}

/** Whether a field or an item is only unevaluated since no branch of a union matches. */
function followsFromUnion({ error: { keyword, instancePath } }: Located, found: readonly Located[]): boolean {
  return (
    keyword.startsWith("unevaluated") &&
    found.some(({ error }) => isUnion(error) && error.instancePath === instancePath)
  );
}

function isUnion({ keyword, params }: AjvError): boolean {
  return keyword === "anyOf" || (keyword === "oneOf" && !isArray(params["passingSchemas"]));
}

/** Removes the errors of a union's branches, which Ajv reports before the union. Errors beside the union stay. */
function takeInner(found: Located[], union: AjvError): readonly Located[] {
  const parent = union.schemaPath.slice(0, union.schemaPath.lastIndexOf("/"));
  const isInner = ({ error }: Located): boolean => {
    const { schemaPath } = error;
    const isBeside = schemaPath.slice(0, schemaPath.lastIndexOf("/")) === parent;
    return isInside(error, union) && !isBeside;
  };
  const first = found.findLastIndex((each) => !isInner(each)) + 1;
  return found.splice(first);
}

function isInside(inner: AjvError, outer: AjvError): boolean {
  return inner.instancePath === outer.instancePath || inner.instancePath.startsWith(`${outer.instancePath}/`);
}

function toIssue(error: AjvError, schema: JsonSchema, inner: readonly Located[]): Issue {
  const path = tokensOf(error.instancePath);
  if (isUnion(error)) {
    // The deepest error: the branch with it fits best.
    const [closest] = inner.toSorted((a, b) => b.issue.path.length - a.issue.path.length);
    const best = closest && { ...closest.issue, path: closest.issue.path.slice(path.length) };
    return { path, code: "union", first: best };
  }
  const range = toRange(error, schema);
  if (range !== undefined) return { path, ...range };
  const convert = Object.hasOwn(converters, error.keyword) ? converters[error.keyword] : undefined;
  const { key, ...rest } = convert?.(error.params) ?? { code: "rule", first: error.message, second: error.keyword };
  return { path: key === undefined ? path : [...path, key], ...rest };
}

/** The codes of keywords with two sides, by what follows `min` and `max`. */
const rangeCodes: Readonly<Record<string, IssueCode>> = {
  imum: "range",
  Length: "length",
  Items: "items",
  Properties: "fields",
};

/** An issue has both limits, of which Ajv reports one. Of `items`, uniqueness is another keyword. */
function toRange(error: AjvError, schema: JsonSchema): Omit<Issue, "path"> | undefined {
  const { keyword, params } = error;
  const [, side, what = ""] = /^(min|max|unique)(.+)$/.exec(keyword) ?? [];
  const code = Object.hasOwn(rangeCodes, what) ? rangeCodes[what] : undefined;
  if (side === undefined || code === undefined) return undefined;
  if (side === "unique") return { code: "unique" };
  const limit = params["limit"];
  const other = limitBeside(error, schema, `${side === "min" ? "max" : "min"}${what}`);
  return side === "min" ? { code, first: limit, second: other } : { code, first: other, second: limit };
}

/**
 * Returns the value of the other keyword in the schema of an error. Ajv reports where that is in one of the definitions, not in which: if
 * several have such a schema, they have to agree.
 */
function limitBeside({ keyword, params, schemaPath }: AjvError, schema: JsonSchema, other: string): unknown {
  const tokens = tokensOf(schemaPath.replace(/^#/, ""), decodeURIComponent).slice(0, -1);
  const definitions = isObject(schema["$defs"]) ? Object.values(schema["$defs"]) : [];
  const values = new Set<unknown>();
  for (const root of [schema, ...definitions]) {
    const found = valueAt(root, tokens);
    if (isObject(found) && found[keyword] === params["limit"]) values.add(found[other]);
  }
  return values.size === 1 ? [...values][0] : undefined;
}

type Converted = Omit<Issue, "path"> & { readonly key?: string | undefined };

type Converter = (params: AjvError["params"]) => Converted;

/** The issue of each other keyword of JSON Schema. Every further keyword is a rule of its own, whose message is the text. */
const converters: Readonly<Record<string, Converter>> = {
  type: ({ type }) => ({ code: "type", first: typesOf(type) }),
  required: ({ missingProperty }) => ({ code: "required", key: String(missingProperty) }),
  dependentRequired: ({ property, missingProperty }) => ({
    code: "dependentRequired",
    first: property,
    key: String(missingProperty),
  }),
  additionalProperties: ({ additionalProperty }) => ({ code: "unknown", key: String(additionalProperty) }),
  unevaluatedProperties: ({ unevaluatedProperty }) => ({ code: "unknown", key: String(unevaluatedProperty) }),
  propertyNames: ({ propertyName }) => ({ code: "propertyNames", key: String(propertyName) }),
  enum: ({ allowedValues }) => ({ code: "enum", first: allowedValues }),
  const: ({ allowedValue }) => ({ code: "const", first: allowedValue }),
  pattern: ({ pattern }) => ({ code: "pattern", first: pattern }),
  format: ({ format }) =>
    format === "int32" ? { code: "range", first: -(2 ** 31), second: 2 ** 31 - 1 } : { code: "format", first: format },
  exclusiveMinimum: ({ limit }) => ({ code: "exclusiveMinimum", first: limit }),
  exclusiveMaximum: ({ limit }) => ({ code: "exclusiveMaximum", first: limit }),
  multipleOf: ({ multipleOf }) => ({ code: "multiple", first: multipleOf }),
  items: ({ limit }) => ({ code: "items", second: limit }),
  unevaluatedItems: ({ limit, len }) => ({ code: "items", second: limit ?? len }),
  contains: ({ minContains, maxContains }) => ({ code: "contains", first: minContains, second: maxContains }),
  oneOf: () => ({ code: "oneOf" }),
  not: () => ({ code: "not" }),
  "false schema": () => ({ code: "false" }),
  if: () => ({ code: "false" }),
};

function typesOf(type: unknown): unknown {
  return typeof type === "string" && type.includes(",") ? type.split(",") : type;
}

function tokensOf(pointer: string, decode: (token: string) => string = String): string[] {
  const [, ...tokens] = pointer.split("/");
  return tokens.map((token) => decode(token).replaceAll("~1", "/").replaceAll("~0", "~"));
}

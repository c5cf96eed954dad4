import {
  isArray,
  isObject,
  ownField,
  reasonOf,
  safeAssign,
  toValidationIssue,
  validateBody,
  type Check,
  type Issue,
  type Issues,
  type Operation,
  type OperationDefinition,
  type ParameterDefinition,
  type UnknownFieldPolicy,
} from "../../http/index.js";
import type { JsonSchema, OperationSchemas } from "../schemas.js";
import { createJsonSchemaTargets } from "./json-schema-targets.js";
import { inlineRoot } from "./root-schema.js";
import type { Describe, StandardOptions, StandardResult, StandardSchema } from "./standard-schema.js";

export { withOptions } from "./with-options.js";
export type {
  StandardIssue,
  StandardJsonSchema,
  StandardOptions,
  StandardProps,
  StandardResult,
  StandardSchema,
  StandardValue,
} from "./standard-schema.js";
export type { JsonSchema, OperationSchemas } from "../schemas.js";

/** The input of an operation as a Standard Schema, and each of its parts. `SentParts` are those that differ before defaults. */
export type StandardInput<Input, SentParts = unknown> = StandardSchema<SentInput<Input, SentParts>, Input> & {
  readonly [Part in keyof Input as string extends Part ? never : Part]-?: StandardSchema<
    NonNullable<Part extends keyof SentParts ? SentParts[Part] : Input[Part]>,
    NonNullable<Input[Part]>
  >;
};

/** The input of an operation before defaults, which is what a client may send. */
export type SentInput<Input, SentParts> = Omit<Input, keyof SentParts> & SentParts;

/** Creates the Standard Schema of a named schema. */
export function standardSchema<Value>(check: Check, schema: JsonSchema): StandardSchema<Value> {
  return createStandard<Value, Value>({
    validate: (value, { issues, unknown }) => {
      if (unknown !== "ignore")
        throw new TypeError(
          "A named schema accepts undocumented properties. Use `unknown` for the input of an operation.",
        );
      check(value, issues);
      return value;
    },
    describe: () => schema,
    locate: (issue) => [issue, "body"],
  });
}

/**
 * Creates the Standard Schema of an operation's input: decoded parameters by location, and the body.
 *
 * @param filled the properties of the body that validation fills with their defaults
 */
export function standardInput<Input, SentParts = unknown>(
  operation: Operation<Input>,
  schemas: OperationSchemas,
  filled: readonly string[] = [],
): StandardInput<Input, SentParts> {
  const { definition } = operation;
  const parts = new Map<string, InputPart>();
  for (const [location, name] of Object.entries(groups) as [
    keyof typeof groups,
    (typeof groups)[keyof typeof groups],
  ][]) {
    const own = (definition.parameters ?? []).filter((each) => each.in === location);
    const schema = schemas[name];
    if (own.length > 0 && schema !== undefined) {
      const usual = own.filter((each) => each.default !== undefined).map((each) => each.name);
      parts.set(name, {
        validate: (value, { issues }) => validateGroup(own, value, issues),
        describe: (side) => (side === "input" ? schema : requireFields(schema, usual)),
        locate: ({ path: [parameter, ...path], ...issue }) => [
          { ...issue, path },
          location,
          parameter === undefined ? undefined : String(parameter),
        ],
      });
    }
  }
  const bodySchema = (schemas.body && preferred(schemas.body)) ?? {};
  const { body } = definition;
  if (body !== undefined)
    parts.set("body", {
      validate: (value, context) => validateBody(body, value, context),
      describe: (side) =>
        side === "input" || filled.length === 0 ? bodySchema : requireFields(inlineRoot(bodySchema), filled),
      locate: (issue) => [issue, "body"],
    });
  const isRequired = (name: string): boolean => isRequiredPart(definition, name);
  const schemasOfParts = [...parts].map(([name, part]) => [name, createStandard(part)] as const);
  const whole = createStandard<SentInput<Input, SentParts>, Input>({
    validate: (value, context) => validateParts(parts, isRequired, { value, ...context }),
    // Validation adds groups of parameters that are absent.
    describe: (side) =>
      describeParts(parts, side, (name) => isRequired(name) || (side === "output" && name !== "body")),
    locate: (issue) => {
      const [name, ...path] = issue.path;
      return parts.get(String(name))?.locate({ ...issue, path }) ?? [issue, "request"];
    },
  });
  return Object.assign(whole, Object.fromEntries(schemasOfParts)) as StandardInput<Input, SentParts>;
}

const groups = { path: "path", query: "query", header: "headers", cookie: "cookies" } as const satisfies Record<
  ParameterDefinition["in"],
  keyof OperationSchemas
>;

interface InputPart {
  /** Adds issues, or returns the normalized value. */
  readonly validate: (value: unknown, context: ValidationContext) => unknown;
  readonly describe: Describe;
  /** Returns an issue with the path inside its body or parameter, and its location. */
  readonly locate: (issue: Issue) => Parameters<typeof toValidationIssue>;
}

interface ValidationContext {
  readonly issues: Issues;
  readonly unknown: UnknownFieldPolicy;
}

function createStandard<Sent, Value>({ validate, describe, locate }: InputPart): StandardSchema<Sent, Value> {
  return {
    "~standard": {
      version: 1,
      vendor: "plumbline",
      validate: (value, { libraryOptions = {} } = {}): StandardResult<Value> => {
        const { unknown = "ignore", reason } = libraryOptions as StandardOptions;
        const issues: Issues = [];
        const valid = validate(value, { issues, unknown });
        if (issues.length === 0) return { value: valid as Value };
        const messageOf = (issue: Issue): string | undefined => {
          const [detail, ...where] = locate(issue);
          return reason?.(toValidationIssue(detail, ...where), detail);
        };
        return { issues: issues.map((issue) => ({ message: messageOf(issue) ?? reasonOf(issue), path: issue.path })) };
      },
      jsonSchema: createJsonSchemaTargets(describe),
    },
  };
}

function validateGroup(parameters: readonly ParameterDefinition[], value: unknown, issues: Issues): unknown {
  if (!isObject(value)) {
    issues.push({ path: [], code: "type", first: "object" });
    return undefined;
  }
  const valid: Record<string, unknown> = {};
  for (const parameter of parameters) {
    const sent = valueOf(parameter, value);
    const before = issues.length;
    const result = sent === undefined ? missing(parameter, issues) : validateParameter(parameter, sent, issues);
    for (const issue of issues.slice(before)) issue.path.unshift(parameter.name);
    if (result !== undefined) safeAssign(valid, parameter.name, result);
  }
  return valid;
}

/** Frameworks write names of headers in lower case. */
function valueOf({ name, in: location }: ParameterDefinition, values: Readonly<Record<string, unknown>>): unknown {
  const value = ownField(values, name);
  return value === undefined && location === "header" ? ownField(values, name.toLowerCase()) : value;
}

function missing(parameter: ParameterDefinition, issues: Issues): unknown {
  if (parameter.required === true) issues.push({ path: [], code: "required" });
  return typeof parameter.default === "object" ? structuredClone(parameter.default) : parameter.default;
}

/** A text that is not valid itself, or that nothing checks, is decoded as in a request: frameworks hand over texts. */
function validateParameter({ name, check, decode }: ParameterDefinition, value: unknown, issues: Issues): unknown {
  const before = issues.length;
  const found: Issues = [];
  check?.(value, found);
  const isText = isEncoded(value);
  if (found.length === 0 && (check !== undefined || !isText)) return value;
  if (!isText) {
    issues.push(...found);
    return undefined;
  }
  const decoded = decode({ get: () => value, names: () => [name], decode: (text) => text }, name, issues);
  if (issues.length === before && decoded !== undefined) check?.(decoded, issues);
  return decoded;
}

function isEncoded(value: unknown): value is string | readonly string[] {
  return typeof value === "string" || (isArray(value) && value.every((each) => typeof each === "string"));
}

function preferred<Value>(contents: Readonly<Record<string, Value>>): Value | undefined {
  return contents["application/json"] ?? Object.values(contents)[0];
}

type Parts = ReadonlyMap<string, InputPart>;

function isRequiredPart({ parameters = [], body }: OperationDefinition, name: string): boolean {
  if (name === "body") return body?.required === true;
  return parameters.some((each) => groups[each.in] === name && each.required === true);
}

function validateParts(
  parts: Parts,
  isRequired: (name: string) => boolean,
  { value, issues, unknown }: ValidationContext & { readonly value: unknown },
): unknown {
  if (!isObject(value)) {
    issues.push({ path: [], code: "type", first: "object" });
    return undefined;
  }
  const valid: Record<string, unknown> = {};
  for (const [name, part] of parts) {
    const given = ownField(value, name) ?? (name === "body" ? undefined : {});
    if (given === undefined) {
      if (isRequired(name)) issues.push({ path: [name], code: "required" });
      continue;
    }
    const found: Issues = [];
    valid[name] = part.validate(given, { issues: found, unknown });
    for (const issue of found) issues.push({ ...issue, path: [name, ...issue.path] });
  }
  return valid;
}

function describeParts(parts: Parts, side: Parameters<Describe>[0], isRequired: (name: string) => boolean): JsonSchema {
  const definitions: Record<string, unknown> = {};
  const properties: Record<string, unknown> = {};
  for (const [name, part] of parts) {
    const { $defs, ...schema } = part.describe(side);
    properties[name] = schema;
    Object.assign(definitions, $defs);
  }
  const required = [...parts.keys()].filter(isRequired);
  return {
    type: "object",
    properties,
    ...(required.length === 0 ? {} : { required }),
    ...(Object.keys(definitions).length === 0 ? {} : { $defs: definitions }),
  };
}

function requireFields(schema: JsonSchema, names: readonly string[]): JsonSchema {
  const required = new Set([...((schema["required"] as readonly string[] | undefined) ?? []), ...names]);
  return { ...schema, ...(required.size > 0 && { required: [...required] }) };
}

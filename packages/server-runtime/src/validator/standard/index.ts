import {
  isArray,
  isObject,
  ownField,
  reasonOf,
  safeAssign,
  type Check,
  type Issue,
  type Issues,
  type Operation,
  type OperationDefinition,
  type ParameterDefinition,
} from "../../http/index.js";
import type { JsonSchema, OperationSchemas } from "../schemas.js";
import { createJsonSchemaTargets } from "./json-schema-targets.js";
import type { Describe, StandardResult, StandardSchema } from "./standard-schema.js";

export type {
  StandardIssue,
  StandardJsonSchema,
  StandardProps,
  StandardResult,
  StandardSchema,
  StandardValue,
} from "./standard-schema.js";
export type { JsonSchema, OperationSchemas } from "../schemas.js";

/** The input of an operation as a Standard Schema, and each of its parts. */
export type StandardInput<Input> = StandardSchema<Input> & {
  readonly [Part in keyof Input as string extends Part ? never : Part]-?: StandardSchema<NonNullable<Input[Part]>>;
};

/** Creates the Standard Schema of a named schema. */
export function standardSchema<Value>(check: Check, schema: JsonSchema): StandardSchema<Value> {
  return createStandard<Value>(
    (value, issues) => {
      check(value, issues);
      return value;
    },
    () => schema,
  );
}

/** Creates the Standard Schema of an operation's input: decoded parameters by location, and the body. */
export function standardInput<Input>(operation: Operation<Input>, schemas: OperationSchemas): StandardInput<Input> {
  const { definition } = operation;
  const parts = new Map<string, StandardSchema<unknown>>();
  for (const [location, name] of Object.entries(groups)) {
    const own = (definition.parameters ?? []).filter((each) => each.in === location);
    const schema = schemas[name];
    if (own.length > 0 && schema !== undefined)
      parts.set(
        name,
        createStandard(
          (value, issues) => validateGroup(own, value, issues),
          () => schema,
        ),
      );
  }
  const bodySchema = schemas.body === undefined ? undefined : preferred(schemas.body);
  if (definition.body !== undefined)
    parts.set(
      "body",
      createStandard(
        (value, issues) => validateBody(definition, value, issues),
        () => bodySchema ?? {},
      ),
    );
  const isRequired = (name: string): boolean => isRequiredPart(definition, name);
  const whole = createStandard<Input>(
    (value, issues) => validateParts(parts, isRequired, { value, issues }),
    () => describeParts(parts, isRequired),
  );
  return Object.assign(whole, Object.fromEntries(parts)) as StandardInput<Input>;
}

const groups = { path: "path", query: "query", header: "headers", cookie: "cookies" } as const satisfies Record<
  ParameterDefinition["in"],
  keyof OperationSchemas
>;

/** Validates a value: adds issues, or returns the normalized value. */
type Validate = (value: unknown, issues: Issues) => unknown;

function createStandard<Value>(validate: Validate, describe: Describe): StandardSchema<Value> {
  return {
    "~standard": {
      version: 1,
      vendor: "plumbline",
      validate: (value): StandardResult<Value> => {
        const issues: Issues = [];
        const valid = validate(value, issues);
        return issues.length === 0 ? { value: valid as Value } : { issues: issues.map(toStandardIssue) };
      },
      jsonSchema: createJsonSchemaTargets(describe),
    },
  };
}

function toStandardIssue(issue: Issue) {
  return { message: reasonOf(issue), path: issue.path };
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

/** A text that is not valid itself is decoded, as in a request: frameworks hand over texts. */
function validateParameter({ name, check, decode }: ParameterDefinition, value: unknown, issues: Issues): unknown {
  const before = issues.length;
  const found: Issues = [];
  check?.(value, found);
  if (found.length === 0) return value;
  if (!isEncoded(value)) {
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

function validateBody({ body }: OperationDefinition, value: unknown, issues: Issues): unknown {
  const content = body === undefined ? undefined : preferred(body.contents);
  content?.check?.(value, issues);
  return issues.length > 0 || content?.normalize === undefined ? value : content.normalize(value);
}

type Parts = ReadonlyMap<string, StandardSchema<unknown>>;

function isRequiredPart({ parameters = [], body }: OperationDefinition, name: string): boolean {
  if (name === "body") return body?.required === true;
  return parameters.some((each) => groups[each.in] === name && each.required === true);
}

function validateParts(
  parts: Parts,
  isRequired: (name: string) => boolean,
  { value, issues }: { readonly value: unknown; readonly issues: Issues },
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
    const result = part["~standard"].validate(given);
    if (result.issues === undefined) valid[name] = result.value;
    // The messages are complete already.
    else
      for (const { message, path } of result.issues)
        issues.push({ path: [name, ...path], code: "rule", first: message });
  }
  return valid;
}

function describeParts(parts: Parts, isRequired: (name: string) => boolean): JsonSchema {
  const definitions: Record<string, unknown> = {};
  const properties: Record<string, unknown> = {};
  for (const [name, part] of parts) {
    const { $schema: _, $defs, ...schema } = part["~standard"].jsonSchema.input({ target: "draft-2020-12" });
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

import {
  binaryBody,
  defineOperation,
  isObject,
  jsonBody,
  maxIssues,
  ownField,
  type BodyDecoder,
  type Check,
  type ContentDefinition,
  type IssueCode,
  type Issues,
  type Operation,
  type ValidatorOptions,
  type OperationDefinition,
  type ParameterDefinition,
  type ResponseValidators,
} from "../../http/index.js";
import { recordReplacement } from "../adapters/replaced-operations.js";
import type { SecurityOptions } from "../adapters/security-options.js";
import { acceptEchoedValues } from "../checks/composition.js";
import type { JsonSchema, OperationSchemas } from "../schemas.js";
import type { NullRemover } from "./absent-nulls.js";
import type { AjvCheck, AjvCompiler } from "./ajv-compiler.js";
import type { SlowPatterns } from "./slow-patterns.js";

/** What a description states about a body that JSON Schema cannot express. */
export interface AjvBodyRules {
  /** `createNullRemover`, if nulls of properties that are not nullable count as absent. */
  readonly nulls?: (schema: JsonSchema, slowPatterns?: SlowPatterns) => NullRemover;
  /** `x-limits` and `x-scopes`, which the compiled check has. */
  readonly limits?: true;
  /** Schemas of properties that a change may repeat as a response has them. */
  readonly echoed?: Readonly<Record<string, JsonSchema>>;
}

/** What a generator provides: compiled operations, their schemas, and further rules by operation and media type. */
export interface AjvSource {
  readonly operations: readonly Operation[];
  readonly schemas: Readonly<Record<string, OperationSchemas>>;
  readonly rules: Readonly<Record<string, Readonly<Record<string, AjvBodyRules>>>>;
  /** Every format of the schemas. */
  readonly formats: readonly string[];
  /** The patterns with which a text could make `RegExp` slow. */
  readonly slowPatterns?: SlowPatterns;
  /** What the adapters have to know of security schemes. Absent if all operations are public. */
  readonly security?: Pick<SecurityOptions<never>, "securityCheck"> & Pick<ValidatorOptions, "queryCredentials">;
}

/** Operations whose schemas Ajv validates. */
export interface AjvOperations {
  readonly operations: readonly Operation[];
  readonly responses: ResponseValidators;
  /** Compiles the schemas of requests. */
  readonly compile: (names?: readonly string[]) => void;
}

/** Replaces the checks of operations by those of Ajv. Routes, decoders and normalizers stay. */
export function createAjvOperations(source: AjvSource, compiler: AjvCompiler): AjvOperations {
  const { operations, schemas, rules, slowPatterns } = source;
  const replacements: Operation[] = [];
  const checks = new Map<string, readonly AjvCheck[]>();
  for (const operation of operations) {
    const { name } = operation.definition;
    const replacement = replaceChecks(operation.definition, schemas[name] ?? { responses: {} }, {
      compiler,
      rules: rules[name] ?? {},
      slowPatterns,
    });
    const replaced = defineOperation(replacement.definition);
    recordReplacement(replaced, operation);
    replacements.push(replaced);
    checks.set(name, replacement.checks);
  }
  return {
    operations: replacements,
    responses: mapValues(schemas, ({ responses }, name) =>
      mapValues(responses, (contents, status) =>
        mapValues(contents, (schema) => compiler.responseCheck(schema, `response ${status} of ${name}`)),
      ),
    ),
    compile: (names = [...checks.keys()]) => {
      for (const name of names) {
        const own = checks.get(name);
        if (own === undefined) throw new TypeError(`Unknown operation "${name}".`);
        for (const check of own) check.compile();
      }
    },
  };
}

interface ReplaceContext {
  readonly compiler: AjvCompiler;
  readonly rules: Readonly<Record<string, AjvBodyRules>>;
  readonly slowPatterns: SlowPatterns | undefined;
}

function replaceChecks(
  definition: OperationDefinition,
  schemas: OperationSchemas,
  { compiler, rules, slowPatterns }: ReplaceContext,
): { readonly definition: OperationDefinition; readonly checks: readonly AjvCheck[] } {
  const checks: AjvCheck[] = [];
  const checkOf = (schema: JsonSchema, what: string): AjvCheck => {
    const check = compiler.requestCheck(schema, `${what} of ${definition.name}`);
    checks.push(check);
    return check;
  };
  const parameter = (each: ParameterDefinition): ParameterDefinition => {
    const schema = parameterSchema(each, schemas);
    if (schema === undefined) return each;
    const ajv = checkOf(schema, `parameter "${each.name}"`);
    return { ...each, check: each.check === undefined ? ajv : withOwnIssues(ajv, each.check) };
  };
  const content = (each: ContentDefinition, mediaType: string): ContentDefinition => {
    const schema = schemas.body?.[mediaType];
    if (schema === undefined || each.decode === binaryBody) return each;
    const { nulls, limits, echoed } = rules[mediaType] ?? {};
    const ajv = checkOf(schema, "body");
    const own = each.check;
    const accepting = echoed === undefined ? ajv : acceptingEchoed(ajv, mapValues(echoed, checkOf));
    const decode =
      nulls === undefined ? each.decode : removingNulls(each.decode ?? jsonBody, nulls(schema, slowPatterns));
    return {
      ...each,
      ...(decode === undefined ? {} : { decode }),
      check: own === undefined ? accepting : withOwnIssues(accepting, own, limits === true ? "always" : "rejecting"),
    };
  };
  const { parameters, body, ...rest } = definition;
  return {
    definition: {
      ...rest,
      ...(parameters === undefined ? {} : { parameters: parameters.map(parameter) }),
      ...(body === undefined ? {} : { body: { ...body, contents: mapValues(body.contents, content) } }),
    },
    checks,
  };
}

const groups = { path: "path", query: "query", header: "headers", cookie: "cookies" } as const satisfies Record<
  ParameterDefinition["in"],
  keyof OperationSchemas
>;

/** Returns the schema of one parameter, which its location's schema has as a property. */
function parameterSchema(parameter: ParameterDefinition, schemas: OperationSchemas): JsonSchema | undefined {
  const group = schemas[groups[parameter.in]];
  const properties = group?.["properties"];
  const schema = isObject(properties) ? ownField(properties, parameter.name) : undefined;
  if (schema === false) return { not: {} };
  if (!isObject(schema)) return undefined;
  return group?.["$defs"] === undefined ? schema : { ...schema, $defs: group["$defs"] };
}

/** Codes of issues that no keyword of JSON Schema has. */
const ownCodes: ReadonlySet<IssueCode> = new Set(["bytes", "combined", "serialized", "scopes"]);

/** Adds the issues of a compiled check that Ajv cannot find: those of `x-limits` and `x-scopes`, and undocumented properties. */
function withOwnIssues(ajv: Check, own: Check, when: "always" | "rejecting" = "always"): Check {
  return (value, issues, reject) => {
    const before = issues.length;
    ajv(value, issues);
    if (when === "rejecting" && reject !== true) return;
    const known = new Set(issues.slice(before).map(({ path, code }) => [code, ...path].join("/")));
    const found: typeof issues = [];
    own(value, found, reject);
    for (const issue of found) {
      const { path, code, first } = issue;
      const isOwn = ownCodes.has(code) || (code === "unique" && first !== undefined);
      const isUndocumented = reject === true && code === "unknown" && !known.has([code, ...path].join("/"));
      if ((isOwn || isUndocumented) && issues.length < maxIssues) issues.push(issue);
    }
  };
}

/** Accepts values of a change that a response would contain. */
function acceptingEchoed(ajv: Check, echoed: Readonly<Record<string, Check>>): Check {
  return (value, issues) => {
    const before = issues.length;
    ajv(value, issues);
    if (issues.length > before) acceptEchoedValues(value, issues, before, echoed);
  };
}

function removingNulls(decode: BodyDecoder, remove: NullRemover): BodyDecoder {
  return Object.assign(((bytes, type, issues) => remove(decode(bytes, type, issues))) satisfies BodyDecoder, {
    ...decode,
    parsed: decode.parsed && ((value: unknown, issues: Issues) => remove(decode.parsed?.(value, issues))),
  });
}

function mapValues<Value, Result>(
  fields: Readonly<Record<string, Value>>,
  change: (value: Value, key: string) => Result,
): Readonly<Record<string, Result>> {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, change(value, key)] as const));
}

import * as formats from "@plumbline/server-runtime/validator";
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import { redactSecretValues } from "../http/secrets.js";
import type { Json, JsonSchema, Suite } from "../suite.js";
import { formatError } from "../values/format-error.js";
import { resolvePointer, unescapePointerToken } from "../values/json-pointer.js";
import { formatJson } from "../values/json.js";
import { compilePattern } from "./compile-pattern.js";
import { evaluatePlainSchema } from "./plain-schemas.js";
import { requirementsAtPointer, requirementsOfFailure } from "./requirement-attribution.js";
import { createStrictSchemaBuilder, type StrictSchemaBuilder } from "./strict-schemas.js";
import {
  differencesOfError,
  isUnexpectedProperty,
  listDocumentedFields,
  type ValueDifference,
} from "./value-differences.js";

/** A part of a value that does not match a schema. */
export interface SchemaViolation {
  readonly difference: ValueDifference;
  /** The expected value in full. */
  readonly expected: string;
  /** The received value in full. */
  readonly received: string;
  /** The requirements to which it is attributed. Empty when the schema names none. */
  readonly requirements: readonly string[];
}

/** Compiles schemas on first use, once each. */
export class SchemaValidators {
  readonly #ajv = new Ajv2020(options);
  readonly #builder: StrictSchemaBuilder;
  readonly #documented: "closed" | "open";
  /** The named schemas. */
  readonly #parts: Readonly<Record<string, JsonSchema>>;
  readonly #byObject = new WeakMap<object, ValidateFunction>();
  readonly #byText = new Map<string, ValidateFunction>();

  constructor({ schemas, strict }: Pick<Suite, "schemas" | "strict">) {
    this.#builder = createStrictSchemaBuilder(schemas);
    this.#documented = strict ? "closed" : "open";
    const partOf = (schema: JsonSchema): JsonSchema =>
      strict ? this.#builder.part(schema) : this.#builder.plain(schema);
    this.#parts = Object.fromEntries(Object.entries(schemas).map(([name, each]) => [name, partOf(each)]));
    this.#ajv.addSchema({ $id: "suite", $defs: this.#parts });
  }

  /** Validates a documented body or header. In a strict suite an undocumented field is a violation. */
  validateDocumented(schema: JsonSchema, value: Json): readonly SchemaViolation[] {
    return this.#violationsOf(this.#compiled(schema, this.#documented), value);
  }

  /** Validates by a schema of a case. */
  validate(schema: JsonSchema, value: Json): readonly SchemaViolation[] {
    if (evaluatePlainSchema(schema as Json, value) === true) return [];
    return this.#violationsOf(this.#compiled(schema, "open"), value);
  }

  matches(schema: JsonSchema, value: Json): boolean {
    return evaluatePlainSchema(schema as Json, value) ?? this.#compiled(schema, "open")(value);
  }

  /** The requirements that a schema names for a location in a value. */
  requirementsAt(schema: JsonSchema, path: readonly string[]): readonly string[] {
    return requirementsAtPointer(schema, path, (ref) => this.#resolve(ref.startsWith("#") ? `suite${ref}` : ref));
  }

  #compiled(schema: JsonSchema, as: "closed" | "open"): ValidateFunction {
    if (typeof schema === "boolean") return this.#ajv.compile(schema);
    const cached = this.#byObject.get(schema);
    if (cached !== undefined) return cached;
    const text = `${as} ${JSON.stringify(schema)}`;
    const validate = this.#byText.get(text) ?? this.#compile(schema, as);
    this.#byObject.set(schema, validate);
    this.#byText.set(text, validate);
    // Schemas with evaluated templates are used only once.
    if (this.#byText.size > 2000) this.#byText.delete(this.#byText.keys().next().value ?? "");
    return validate;
  }

  #compile(schema: JsonSchema, as: "closed" | "open"): ValidateFunction {
    const complete = as === "closed" ? this.#builder.strict(schema) : this.#builder.plain(schema);
    try {
      return this.#ajv.compile(complete);
    } catch (error) {
      throw new Error(`${formatJson(schema as Json)} is not a valid JSON Schema: ${formatError(error)}`, {
        cause: error,
      });
    } finally {
      this.#ajv.removeSchema(complete);
    }
  }

  #violationsOf(validate: ValidateFunction, value: Json): readonly SchemaViolation[] {
    if (validate(value)) return [];
    const resolve = (ref: string): unknown => this.#resolve(ref);
    const context = { value, matches: (schema: JsonSchema, part: Json) => this.matches(schema, part) };
    return relevantErrors(validate.errors ?? []).flatMap((error) => {
      const isUnexpected = isUnexpectedProperty(error);
      const requirements = requirementsOfFailure({
        root: validate.schema,
        failing: error.parentSchema,
        path: error.instancePath,
        missing: error.keyword === "required" ? String(error.params["missingProperty"]) : undefined,
        isUnexpected,
        resolve,
      });
      return differencesOfError(error, context).map((difference) => ({
        difference,
        expected: isUnexpected ? listDocumentedFields(error, resolve) : difference.expected,
        received: formatReceived(difference, value),
        requirements,
      }));
    });
  }

  #resolve(ref: string): unknown {
    const [, name = "", rest = ""] = /^suite#\/\$defs\/([^/]+)([^]*)$/.exec(ref) ?? [];
    const part: unknown = this.#parts[unescapePointerToken(name)];
    return rest === "" ? part : resolvePointer(part as Json, rest);
  }
}

const options = {
  strict: false,
  allErrors: true,
  verbose: true,
  logger: false,
  validateSchema: false,
  addUsedSchema: false,
  ownProperties: true,
  formats: {
    base64: formats.isBase64,
    byte: formats.isBase64,
    date: formats.isDate,
    "date-time": formats.isDateTime,
    duration: formats.isDuration,
    email: formats.isEmail,
    hostname: formats.isHostname,
    "idn-email": formats.isIdnEmail,
    int32: { type: "number", validate: (value: number) => value >= -(2 ** 31) && value < 2 ** 31 },
    int64: { type: "number", validate: (value: number) => value >= -(2 ** 63) && value <= 2 ** 63 },
    ipv4: formats.isIpv4,
    ipv6: formats.isIpv6,
    "json-pointer": formats.isJsonPointer,
    regex: formats.isRegex,
    time: formats.isTime,
    uri: formats.isUri,
    "uri-reference": formats.isUriReference,
    uuid: formats.isUuid,
  },
  // A schema validates a few hundred values at most, so optimizing its code takes longer than it saves.
  code: { optimize: false, regExp: Object.assign(compilePattern, { code: "compilePattern" }) },
} as const;

/** At most this many violations of one value are reported. */
const maxViolations = 10;

/** Drops errors of alternatives that the value does not come close to. */
function relevantErrors(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const dropped = new Set<ErrorObject>();
  for (const [index, error] of errors.entries()) {
    if (error.keyword === "if") dropped.add(error);
    // Why each single item is not the one that is missing.
    if (error.keyword === "contains")
      for (const each of errors.slice(0, index))
        if (isWithin(each, error) && each.schemaPath.startsWith(`${error.schemaPath}/`)) dropped.add(each);
    if (error.keyword !== "anyOf" && error.keyword !== "oneOf") continue;
    const within = errors.slice(0, index).filter((each) => !dropped.has(each) && isWithin(each, error));
    const deeper = within.filter((each) => each.instancePath !== error.instancePath || each.keyword === "required");
    for (const each of within) if (!deeper.includes(each)) dropped.add(each);
    if (deeper.length > 0) dropped.add(error);
  }
  const reported = errors.filter((each) => !dropped.has(each));
  return reported.filter((each) => !reported.some((other) => isEcho(each, other))).slice(0, maxViolations);
}

/** A failed object leaves its fields unevaluated, so each of them, and the object in its parent, is reported as undocumented too. */
function isEcho(error: ErrorObject, other: ErrorObject): boolean {
  if (error.keyword !== "unevaluatedProperties" || !isWithin(other, error)) return false;
  return other.keyword !== "unevaluatedProperties" || other.instancePath !== error.instancePath;
}

function isWithin(error: ErrorObject, outer: ErrorObject): boolean {
  return error.instancePath === outer.instancePath || error.instancePath.startsWith(`${outer.instancePath}/`);
}

/** The received value, without secrets: of a length, the value that is too long. */
function formatReceived({ at, received }: ValueDifference, value: Json): string {
  const part = resolvePointer(value, at);
  const name = at.split("/").findLast((token) => !/^\d+$/.test(token));
  return part === undefined ? received : formatJson(redactSecretValues(part, name));
}

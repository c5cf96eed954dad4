import { type JsonType, limitNames, type Schema, sizeLimits } from "../../../model/index.js";
import { code, joinCode, jsonLiteral, type Code } from "../../printer.js";
import { isBinary } from "../../types/bytes.js";
import { validatorFunction } from "../runtime.js";
import { arrayChecks } from "./arrays.js";
import { conditionChecks } from "./conditions.js";
import { customKeywordChecks } from "./custom.js";
import { declaredProperties } from "./declared-properties.js";
import { stringLimits, valueLimits } from "./limits.js";
import { numberChecks } from "./numbers.js";
import { objectChecks } from "./objects.js";
import { emitIf, emitNested, emitIssue, type FunctionScope, type CheckSite } from "./scope.js";
import { stringChecks } from "./strings.js";
import { emitTypeChain, allJsonTypes, type TypeGroup } from "./types.js";
import { unionChecks } from "./unions.js";
import { valueChecks, allowedValues } from "./values.js";

/** Returns all checks of a schema, in its order. Each issue is added once. */
export function schemaChecks(scope: FunctionScope, schema: Schema, spot: CheckSite): readonly Code[] {
  if (schema.never) return [emitIssue(spot, "false")];
  const again = (each: Schema, at: CheckSite): readonly Code[] => schemaChecks(scope, each, at);
  return [
    ...referenceChecks(scope, schema, spot),
    ...valueChecks(scope, schema, spot),
    ...typeChecks(scope, schema, spot),
    ...(schema.allOf ?? []).flatMap((each) => again(each, spot)),
    ...unionChecks(scope, schema, spot),
    ...conditionChecks(scope, schema, spot, { schema: again, issue: (at) => emitIssue(at, "not", excluded(schema)) }),
    ...valueLimits(schema, spot),
    ...customKeywordChecks(scope, schema, spot),
  ];
}

/** Returns the fields that exclude each other, or the excluded pattern, if `not` contains nothing else. */
function excluded({ not }: Schema): readonly string[] | string | undefined {
  if (not?.pattern !== undefined) {
    const { types, pattern, origin: _origin, sources: _sources, ...others } = not;
    return Object.keys(others).every((key) => key === maximumLength) && types.every((type) => type === "string")
      ? pattern
      : undefined;
  }
  if (not?.required === undefined || not.required.length < 2) return undefined;
  const { required, types, properties = [], origin: _origin, sources: _sources, ...others } = not;
  const isPlain = Object.keys(others).length === 0 && types.every((type) => type === "object");
  return isPlain && properties.every(({ schema }) => isTypeOnly(schema)) ? required : undefined;
}

/** Beside a pattern, it only bounds the time to match it. */
const [, maximumLength] = limitNames("characters");

function isTypeOnly({ types: _types, origin: _origin, sources: _sources, ...others }: Schema): boolean {
  return Object.keys(others).length === 0;
}

/** Returns the same checks for a complete body, field or item, where unknown fields can be rejected. */
export function valuePositionChecks(scope: FunctionScope, schema: Schema, spot: CheckSite): readonly Code[] {
  const declared = declaredProperties(scope.context.schemas, schema);
  if (declared === undefined) return schemaChecks(scope, schema, spot);
  if (isBareReference(schema))
    return emitNested(scope, spot, (inner) => [
      ...schemaChecks(scope, schema, inner),
      code`if (reject) ${rejectOthers(scope, declared, { ...inner, hint: schema.ref ?? inner.hint })}`,
    ]);
  const checks = schemaChecks(scope, schema, spot);
  const rejection = scope.block(() => emitNested(scope, spot, (inner) => [rejectOthers(scope, declared, inner)]));
  return [...checks, emitIf(code`reject`, rejection)];
}

function rejectOthers(scope: FunctionScope, declared: ReadonlySet<string>, { value, hint }: CheckSite): Code {
  const set = scope.context.constants.set(`${hint} fields`, [...declared], `all ${hint} fields`);
  return code`${validatorFunction("rejectUnknown")}(${value}, issues, ${set});`;
}

/** Whether a schema states nothing beside its reference. */
export function isBareReference(schema: Schema): boolean {
  const { ref, types, origin: _origin, title: _title, description: _description, sources: _sources, ...rest } = schema;
  return ref !== undefined && types.length === 0 && Object.keys(rest).length === 0;
}

function referenceChecks(scope: FunctionScope, { ref }: Schema, spot: CheckSite): readonly Code[] {
  if (ref === undefined) return [];
  const check = scope.context.refer(ref, scope.context.nulls);
  const reject = scope.context.canReject(scope.resolve(ref)) ? code`, reject` : code``;
  return emitNested(scope, spot, ({ value }) => [code`${check}(${value}, issues${reject});`]);
}

function typeChecks(scope: FunctionScope, schema: Schema, spot: CheckSite): readonly Code[] {
  const isListed = allowedValues(schema) !== undefined; // the list of values is stricter than the types
  const types = schema.types.length === 0 || isListed ? allJsonTypes : schema.types;
  const groups = checksByType(scope, schema, spot, types);
  const checks = emitTypeChain(groups, schema.types.length === 0 || isListed ? undefined : schema.types, spot);
  return isBinary(schema) && checks.length > 0
    ? [code`if (!(${spot.value} instanceof Blob)) {\n${checks}\n}${fileSizeChecks(schema, spot)}`] // a file of a form, which is text wherever there are none
    : checks;
}

/** The length of binary data is that of its bytes. */
function fileSizeChecks(schema: Schema, spot: CheckSite): Code {
  const { least, most } = sizeLimits("characters", [schema]);
  const tests = [
    ...(least === undefined ? [] : [code`${spot.value}.size < ${jsonLiteral(least)}`]),
    ...(most === undefined ? [] : [code`${spot.value}.size > ${jsonLiteral(most)}`]),
  ];
  return tests.length === 0
    ? code``
    : code` else ${emitIf(joinCode(tests, code` || `), [emitIssue(spot, "bytes", most, least)])}`;
}

/** Returns the checks that a schema has for values of each type. */
export function checksByType(
  scope: FunctionScope,
  schema: Schema,
  spot: CheckSite,
  types: readonly JsonType[],
): readonly TypeGroup[] {
  const distinct = types.includes("number") ? types.filter((type) => type !== "integer") : types;
  return distinct.map((type) => ({ type, statements: scope.block(() => typeStatements(scope, schema, spot, type)) }));
}

function typeStatements(scope: FunctionScope, schema: Schema, spot: CheckSite, type: JsonType): readonly Code[] {
  switch (type) {
    case "string":
      return [...stringChecks(scope, schema, spot), ...stringLimits(scope, schema, spot)];
    case "number":
    case "integer":
      return numberChecks(scope, schema, { spot, isInteger: type === "integer" });
    case "array":
      return emitNested(scope, spot, (inner) => arrayChecks(scope, schema, inner));
    case "object":
      return emitNested(scope, spot, (inner) => objectChecks(scope, schema, inner));
    case "boolean":
    case "null":
      return [];
  }
}

import { type Property, type Schema, sizeLimits } from "../../../model/index.js";
import { code, joinCode, jsonLiteral, type Code } from "../../printer.js";
import { validatorFunction } from "../runtime.js";
import { emitMatches } from "./conditions.js";
import { isEvaluatedField } from "./evaluated.js";
import { objectLimits } from "./limits.js";
import { valuePositionChecks, schemaChecks } from "./schemas.js";
import { emitElse, emitIf, emitIssue, emitRead, type FunctionScope, type CheckSite } from "./scope.js";
import { allowsNull } from "./types.js";

/** Returns the checks of an object, without its type check. Issues of fields get their paths from the runtime. */
export function objectChecks(scope: FunctionScope, schema: Schema, spot: CheckSite): readonly Code[] {
  return [
    ...sizeChecks(schema, spot),
    ...(schema.properties ?? []).flatMap((property) =>
      scope.attempt(() => propertyChecks(scope, schema, property, spot)),
    ),
    ...undeclaredRequiredChecks(scope, schema, spot),
    ...dependencyChecks(scope, schema, spot),
    ...scope.block(() => keyChecks(scope, schema, spot)),
    ...objectLimits(scope, schema, spot),
  ];
}

function sizeChecks(schema: Schema, spot: CheckSite): readonly Code[] {
  const { least = 0, most } = sizeLimits("properties", [schema]);
  const count = code`Object.keys(${spot.value}).length`;
  const tests = [
    ...(least === 0 ? [] : [code`${count} < ${jsonLiteral(least)}`]),
    ...(most === undefined ? [] : [code`${count} > ${jsonLiteral(most)}`]),
  ];
  if (tests.length === 0) return [];
  return [emitIf(joinCode(tests, code` || `), [emitIssue(spot, "fields", least === 0 ? undefined : least, most)])];
}

function propertyChecks(
  scope: FunctionScope,
  schema: Schema,
  property: Property,
  { value, hint }: CheckSite,
): readonly Code[] {
  const at = jsonLiteral(property.name);
  const access = emitFieldAccess(value, property.name);
  const { variable: field, isNew } = scope.field(property.name, { owner: value, access });
  const checks = scope.block(() =>
    valuePositionChecks(scope, property.schema, { value: field, at, hint: `${hint} ${property.name}` }),
  );
  const isRequired = property.required || schema.required?.includes(property.name) === true;
  if (checks.length === 0 && !isRequired) return [];
  const read = isNew ? [code`const ${field} = ${access};`] : [];
  const nulls = scope.context.nulls === "absent" && !allowsNull(scope, property.schema);
  if (isRequired) {
    const missing = emitIf(isAbsent(field, nulls), [emitIssue({ value: field, at, hint }, "required")]);
    return [...read, checks.length === 0 ? missing : code`${missing}${emitElse(checks)}`];
  }
  const presence = nulls ? code`${field} !== undefined && ${field} !== null` : code`${field} !== undefined`;
  return [...read, emitIf(presence, checks)];
}

function isAbsent(field: Code, nulls: boolean): Code {
  return nulls ? code`${field} === undefined || ${field} === null` : code`${field} === undefined`;
}

/** Returns checks for required names that are not among the properties. */
function undeclaredRequiredChecks(
  scope: FunctionScope,
  { properties = [], required = [] }: Schema,
  spot: CheckSite,
): readonly Code[] {
  const described = new Set(properties.map((property) => property.name));
  return required
    .filter((each) => !described.has(each))
    .map((each) => emitIf(isMissing(scope, spot, each), [emitIssue({ ...spot, at: jsonLiteral(each) }, "required")]));
}

function dependencyChecks(scope: FunctionScope, schema: Schema, spot: CheckSite): readonly Code[] {
  const required = Object.entries(schema.dependentRequired ?? {}).flatMap(([field, needed]) => {
    const tests = needed.map(
      (each) =>
        code`if (${isMissing(scope, spot, each)}) ${emitIssue({ ...spot, at: jsonLiteral(each) }, "dependentRequired", field)}`,
    );
    return tests.length === 0 ? [] : [emitIf(isPresent(scope, spot, field), tests)];
  });
  const schemas = Object.entries(schema.dependentSchemas ?? {}).flatMap(([field, each]) => {
    const checks = scope.block(() => schemaChecks(scope, each, spot));
    return checks.length === 0 ? [] : [emitIf(isPresent(scope, spot, field), checks)];
  });
  return [...required, ...schemas];
}

function isPresent(scope: FunctionScope, { value }: CheckSite, field: string): Code {
  if (scope.context.nulls !== "absent") return code`${validatorFunction("hasOwn")}(${value}, ${jsonLiteral(field)})`;
  // A static property access takes a tenth of the time of a call with the name as an argument.
  return inherited.has(field)
    ? code`${validatorFunction("isPresent")}(${value}, ${jsonLiteral(field)})`
    : code`(${value}[${jsonLiteral(field)}] ?? null) !== null`;
}

function isMissing(scope: FunctionScope, spot: CheckSite, field: string): Code {
  return scope.context.nulls === "absent" && !inherited.has(field)
    ? code`(${spot.value}[${jsonLiteral(field)}] ?? null) === null`
    : code`!${isPresent(scope, spot, field)}`;
}

/** Emits the checks of keys: `patternProperties`, `additionalProperties`, `unevaluatedProperties` and `propertyNames`. */
function keyChecks(scope: FunctionScope, schema: Schema, { value, hint }: CheckSite): readonly Code[] {
  const {
    properties = [],
    patternProperties = {},
    additionalProperties,
    unevaluatedProperties,
    propertyNames,
  } = schema;
  const others = additionalProperties ?? unevaluatedProperties;
  if (propertyNames === undefined && others === undefined && Object.keys(patternProperties).length === 0) return [];
  const key = scope.variable("key", value);
  const field = scope.variable("other", value);
  const at = (each: Schema, more: string): readonly Code[] =>
    scope.block(() => valuePositionChecks(scope, each, { value: field, at: key, hint: `${hint} ${more}` }));
  const statements: Code[] = [];
  if (propertyNames !== undefined) {
    const fits = emitMatches(scope, propertyNames, { value: key, hint: `${hint} names` });
    statements.push(code`if (!${fits}) ${emitIssue({ value: key, at: key, hint }, "propertyNames")}`);
  }
  const testOf = (pattern: string): Code =>
    code`${scope.context.constants.pattern(hint, pattern, schema)}.test(${key})`;
  for (const [pattern, each] of Object.entries(patternProperties)) {
    const checks = at(each, "matching");
    if (checks.length > 0) statements.push(emitIf(testOf(pattern), checks));
  }
  const checks = others?.never
    ? [emitIssue({ value: field, at: key, hint }, "unknown")]
    : others
      ? at(others, "others")
      : [];
  if (checks.length > 0) {
    const { unevaluatedProperties: _own, ...beside } = schema;
    const described = additionalProperties
      ? [...isOneOf(scope, properties, hint, key), ...Object.keys(patternProperties).map(testOf)]
      : [isEvaluatedField(scope, beside, { value, hint }, key)].filter((each) => each !== undefined);
    const isOther = described.length === 0 ? undefined : joinCode(described, code` || `);
    statements.push(isOther === undefined ? code`${checks}` : emitIf(code`!(${isOther})`, checks));
  }
  if (statements.length === 0) return [];
  return [
    code`for (const ${key} of Object.keys(${value})) {\n${[...emitRead(field, code`${value}[${key}]`, statements), ...statements]}\n}`,
  ];
}

function isOneOf(scope: FunctionScope, properties: readonly Property[], hint: string, key: Code): readonly Code[] {
  if (properties.length === 0) return [];
  const names = properties.map((property) => property.name);
  return [code`${scope.context.constants.set(`${hint} fields`, names)}.has(${key})`];
}

/** Emits a property access. For names on `Object.prototype`, only own properties are read. */
export function emitFieldAccess(value: Code, field: string): Code {
  return inherited.has(field)
    ? code`${validatorFunction("ownField")}(${value}, ${jsonLiteral(field)})`
    : code`${value}[${jsonLiteral(field)}]`;
}

const inherited: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

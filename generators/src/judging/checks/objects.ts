import { code, join, literal, type Code } from "../../emit/printer.js";
import type { Property, Shape } from "../../model/api.js";
import { $ } from "../runtime.js";
import { holds } from "./conditions.js";
import { isEvaluatedField } from "./evaluated.js";
import { objectLimits } from "./limits.js";
import { fault, reading, type Scope, type Spot } from "./scope.js";
import { positionChecks, shapeChecks } from "./shapes.js";
import { allowsNull } from "./types.js";

/** Returns the checks of an object, without its type check. Issues of fields get their paths from the runtime. */
export function objectChecks(scope: Scope, shape: Shape, spot: Spot): readonly Code[] {
  return [
    ...sizeChecks(shape, spot),
    ...(shape.properties ?? []).flatMap((property) => propertyChecks(scope, shape, property, spot)),
    ...undescribedRequired(scope, shape, spot),
    ...dependencyChecks(scope, shape, spot),
    ...keyChecks(scope, shape, spot),
    ...objectLimits(scope, shape, spot),
  ];
}

function sizeChecks({ minProperties = 0, maxProperties }: Shape, spot: Spot): readonly Code[] {
  const count = code`Object.keys(${spot.value}).length`;
  const tests = [
    ...(minProperties === 0 ? [] : [code`${count} < ${literal(minProperties)}`]),
    ...(maxProperties === undefined ? [] : [code`${count} > ${literal(maxProperties)}`]),
  ];
  if (tests.length === 0) return [];
  return [
    code`if (${join(tests, code` || `)}) ${fault(spot, "fields", minProperties === 0 ? undefined : minProperties, maxProperties)}`,
  ];
}

function propertyChecks(scope: Scope, shape: Shape, property: Property, { value, hint }: Spot): readonly Code[] {
  const field = scope.field(property.name);
  const at = literal(property.name);
  const checks = positionChecks(scope, property.shape, { value: field, at, hint: `${hint} ${property.name}` });
  const isRequired = property.required || shape.required?.includes(property.name) === true;
  if (checks.length === 0 && !isRequired) return [];
  const read = code`const ${field} = ${readField(value, property.name)};`;
  const nulls = scope.around.nulls === "absent" && !allowsNull(scope, property.shape);
  if (isRequired) {
    const missing = code`if (${absent(field, nulls)}) ${fault({ value: field, at, hint }, "required")}`;
    return [read, checks.length === 0 ? missing : code`${missing}\nelse {\n${checks}\n}`];
  }
  const given = nulls ? code`${field} !== undefined && ${field} !== null` : code`${field} !== undefined`;
  return [read, code`if (${given}) {\n${checks}\n}`];
}

function absent(field: Code, nulls: boolean): Code {
  return nulls ? code`${field} === undefined || ${field} === null` : code`${field} === undefined`;
}

/** Returns checks for required names that are not among the properties. */
function undescribedRequired(scope: Scope, { properties = [], required = [] }: Shape, spot: Spot): readonly Code[] {
  const described = new Set(properties.map((property) => property.name));
  return required
    .filter((each) => !described.has(each))
    .map((each) => code`if (${isMissing(scope, spot, each)}) ${fault({ ...spot, at: literal(each) }, "required")}`);
}

function dependencyChecks(scope: Scope, shape: Shape, spot: Spot): readonly Code[] {
  const required = Object.entries(shape.dependentRequired ?? {}).flatMap(([field, needed]) => {
    const tests = needed.map(
      (each) => code`if (${isMissing(scope, spot, each)}) ${fault({ ...spot, at: literal(each) }, "needs", field)}`,
    );
    return tests.length === 0 ? [] : [code`if (${isGiven(scope, spot, field)}) {\n${tests}\n}`];
  });
  const shapes = Object.entries(shape.dependentSchemas ?? {}).flatMap(([field, each]) => {
    const checks = shapeChecks(scope, each, spot);
    return checks.length === 0 ? [] : [code`if (${isGiven(scope, spot, field)}) {\n${checks}\n}`];
  });
  return [...required, ...shapes];
}

function isGiven(scope: Scope, { value }: Spot, field: string): Code {
  if (scope.around.nulls !== "absent") return code`${$("hasOwn")}(${value}, ${literal(field)})`;
  // A static property access takes a tenth of the time of a call with the name as an argument.
  return inherited.has(field)
    ? code`${$("isGiven")}(${value}, ${literal(field)})`
    : code`(${value}[${literal(field)}] ?? null) !== null`;
}

function isMissing(scope: Scope, spot: Spot, field: string): Code {
  return scope.around.nulls === "absent" && !inherited.has(field)
    ? code`(${spot.value}[${literal(field)}] ?? null) === null`
    : code`!${isGiven(scope, spot, field)}`;
}

/** Emits the checks of keys: `patternProperties`, `additionalProperties`, `unevaluatedProperties` and `propertyNames`. */
function keyChecks(scope: Scope, shape: Shape, { value, hint }: Spot): readonly Code[] {
  const { properties = [], patternProperties = {}, additionalProperties, unevaluatedProperties, propertyNames } = shape;
  const others = additionalProperties ?? unevaluatedProperties;
  if (propertyNames === undefined && others === undefined && Object.keys(patternProperties).length === 0) return [];
  const key = scope.variable("key");
  const field = scope.variable("other");
  const at = (each: Shape, more: string): readonly Code[] =>
    positionChecks(scope, each, { value: field, at: key, hint: `${hint} ${more}` });
  const statements: Code[] = [];
  if (propertyNames !== undefined) {
    const fits = holds(scope, propertyNames, { value: key, hint: `${hint} names` });
    statements.push(code`if (!${fits}) ${fault({ value: key, at: key, hint }, "name")}`);
  }
  const testOf = (pattern: string): Code =>
    code`${scope.around.pool.pattern(hint, pattern, shape.origin)}.test(${key})`;
  for (const [index, [pattern, each]] of Object.entries(patternProperties).entries()) {
    const checks = at(each, `matching ${index}`);
    if (checks.length > 0) statements.push(code`if (${testOf(pattern)}) {\n${checks}\n}`);
  }
  const checks = others?.never
    ? [fault({ value: field, at: key, hint }, "unknown")]
    : others
      ? at(others, "others")
      : [];
  if (checks.length > 0) {
    const { unevaluatedProperties: _own, ...beside } = shape;
    const described = additionalProperties
      ? [...isOneOf(scope, properties, hint, key), ...Object.keys(patternProperties).map(testOf)]
      : [isEvaluatedField(scope, beside, { value, hint }, key)].filter((each) => each !== undefined);
    const isOther = described.length === 0 ? undefined : join(described, code` || `);
    statements.push(isOther === undefined ? code`${checks}` : code`if (!(${isOther})) {\n${checks}\n}`);
  }
  if (statements.length === 0) return [];
  return [
    code`for (const ${key} of Object.keys(${value})) {\n${[...reading(field, code`${value}[${key}]`, statements), ...statements]}\n}`,
  ];
}

function isOneOf(scope: Scope, properties: readonly Property[], hint: string, key: Code): readonly Code[] {
  if (properties.length === 0) return [];
  const names = properties.map((property) => property.name);
  return [code`${scope.around.pool.set(`${hint} fields`, names)}.has(${key})`];
}

/** Emits a property access. For names on `Object.prototype`, only own properties are read. */
export function readField(value: Code, field: string): Code {
  return inherited.has(field) ? code`${$("ownField")}(${value}, ${literal(field)})` : code`${value}[${literal(field)}]`;
}

const inherited: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

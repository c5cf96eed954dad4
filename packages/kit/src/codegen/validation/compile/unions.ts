import { assertions, isOfJsonType, type JsonType, type Schema } from "../../../model/index.js";
import { code, joinCode, propertyKey, jsonLiteral, type Code } from "../../printer.js";
import { isBinary } from "../../types/bytes.js";
import { validatorFunction, validatorType } from "../runtime.js";
import { callCheckFunction, checkFunction } from "./functions.js";
import { schemaWords } from "./schema-words.js";
import { checksByType, schemaChecks } from "./schemas.js";
import { emitNested, type FunctionScope, type CheckSite } from "./scope.js";
import { emitTypeChain, declaredTypes, type TypeGroup } from "./types.js";
import { allowedValues } from "./values.js";

/** Emits `anyOf` and `oneOf`. If the type or a discriminator determines the branch, only that branch is checked. */
export function unionChecks(scope: FunctionScope, schema: Schema, spot: CheckSite): readonly Code[] {
  const { anyOf, oneOf } = schema;
  return [
    ...(anyOf === undefined ? [] : branchChecks(scope, { schema, of: anyOf, matcher: "anyOf" }, spot)),
    ...(oneOf === undefined ? [] : branchChecks(scope, { schema, of: oneOf, matcher: "oneOf" }, spot)),
  ];
}

interface UnionBranches {
  readonly schema: Schema;
  readonly of: readonly Schema[];
  readonly matcher: "anyOf" | "oneOf";
}

function branchChecks(scope: FunctionScope, union: UnionBranches, spot: CheckSite): readonly Code[] {
  const [only] = union.of;
  if (only !== undefined && union.of.length === 1) return schemaChecks(scope, only, spot);
  return byType(scope, union, spot) ?? byTag(scope, union, spot) ?? byTrial(scope, union, spot);
}

/** Emits branches that allow disjoint types. */
function byType(scope: FunctionScope, { of }: UnionBranches, spot: CheckSite): readonly Code[] | undefined {
  return emitGroups(typeGroups(scope, of, spot), spot);
}

function emitGroups(groups: readonly TypeGroup[] | undefined, spot: CheckSite): readonly Code[] | undefined {
  return (
    groups &&
    emitTypeChain(
      groups,
      groups.map((group) => group.type),
      spot,
    )
  );
}

/** Returns the checks of the branches by type, or `undefined` if two branches share a type or one allows any type. */
function typeGroups(scope: FunctionScope, parts: readonly Schema[], spot: CheckSite): readonly TypeGroup[] | undefined {
  const typed = parts.map((schema) => ({ schema, types: declaredTypes(scope, schema) ?? [] }));
  const all = typed.flatMap(({ types }) => (types.includes("integer") ? [...types, "number" as const] : types));
  if (typed.some(({ types }) => types.length === 0) || new Set(all).size < all.length) return undefined;
  return typed.flatMap(({ schema, types }): readonly TypeGroup[] => {
    const isPlain = Object.keys(schema).every((each) => typeKeywords.has(each));
    return isPlain
      ? checksByType(scope, schema, spot, types)
      : types.map((type) => ({ type, statements: scope.block(() => checksOfNarrowed(scope, schema, { spot, type })) }));
  });
}

/** Checks that test for other types do not compile where the type is known: a function of their own sees `unknown`. */
function checksOfNarrowed(
  scope: FunctionScope,
  schema: Schema,
  { spot, type }: { readonly spot: CheckSite; readonly type: JsonType },
): readonly Code[] {
  if (testsOnly(schema, type)) return schemaChecks(scope, schema, spot);
  const hint = `${spot.hint} ${schema.title ?? type}`;
  return emitNested(scope, spot, ({ value }) => [callCheckFunction(scope.context, schema, { value, hint })]);
}

/** True if the checks of a schema test a value, outside of functions of their own, for one type alone. */
function testsOnly(schema: Schema, type: JsonType): boolean {
  if (schema.never) return true;
  const values = allowedValues(schema);
  if (values !== undefined && !values.every((value) => isOfJsonType(value, type))) return false;
  const { types, allOf = [], anyOf = [], oneOf = [], then, else: otherwise } = schema;
  const isTyped = types.length > 0 && types.every((each) => each === type);
  if (isBinary(schema) || !(isTyped || Object.keys(schema).every((each) => untyped.has(each)))) return false;
  const applied = [...allOf, ...anyOf, ...oneOf, ...[then, otherwise].filter((each) => each !== undefined)];
  return applied.every((each) => testsOnly(each, type));
}

/** Keywords whose checks do not depend on the type of a value. */
const untyped: ReadonlySet<string> = new Set(
  "types ref origin title description examples default sources const enum not if then else allOf anyOf oneOf keywords".split(
    " ",
  ),
);

/** Keywords that the checks of one type cover. A schema with others gets all of its checks for each type. */
const typeKeywords: ReadonlySet<string> = new Set([
  ..."types origin title description examples default sources".split(" "),
  ..."items prefixItems properties required additionalProperties patternProperties".split(" "),
  ...assertions.filter(({ types }) => types.length > 0 && !types.includes("object")).map(({ name }) => name),
]);

/** Emits branches that a discriminator selects. Branches for other types than objects, such as null, may stand beside them. */
function byTag(scope: FunctionScope, { schema, of }: UnionBranches, spot: CheckSite): readonly Code[] | undefined {
  const { discriminator } = schema;
  if (discriminator === undefined) return undefined;
  const { mapping, propertyName } = discriminator;
  const tagged = new Set(mapping.map((each) => each.schema));
  const references = new Set(of.map((branch) => branch.ref));
  if (mapping.length === 0 || [...tagged].some((each) => !references.has(each))) return undefined;
  const rest = of.filter((branch) => branch.ref === undefined || !tagged.has(branch.ref));
  const others = typeGroups(scope, rest, spot);
  if (others === undefined || others.some(({ type }) => type === "object")) return undefined;
  const entries = mapping.map(
    (each) => code`${propertyKey(each.value)}: ${scope.context.refer(each.schema, scope.context.nulls)}`,
  );
  const table = scope.context.constants.share(
    `${scope.context.nulls === "absent" ? "sent " : ""}${spot.hint} by ${propertyName}`,
    (name) =>
      code`const ${name}: () => Readonly<Record<string, ${validatorType("Check")}>> = () => ({ ${joinCode(entries, code`, `)} });`,
  );
  const reject = of.some((branch) => scope.context.canReject(branch)) ? code`, reject` : code``;
  const statements = emitNested(scope, spot, ({ value }) => [
    code`${validatorFunction("discriminator")}(${value}, issues, ${jsonLiteral(propertyName)}, ${table}()${reject});`,
  ]);
  return others.length === 0 ? statements : emitGroups([...others, { type: "object", statements }], spot);
}

/** Emits branches that have to be tried one by one. */
function byTrial(scope: FunctionScope, { of, matcher }: UnionBranches, spot: CheckSite): readonly Code[] {
  const { context } = scope;
  const checks = of.map((branch, index) => {
    const words = schemaWords(branch) || `${matcher === "anyOf" ? "any" : "one"} ${index + 1}`;
    return checkFunction(context, branch, `${spot.hint} ${words}`);
  });
  const reject = of.some((branch) => context.canReject(branch)) ? code`, reject` : code``;
  return emitNested(scope, spot, ({ value }) => [
    code`${validatorFunction(matcher)}(${value}, issues, [${joinCode(checks, code`, `)}]${reject});`,
  ]);
}

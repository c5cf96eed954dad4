import { code, join, key, literal, type Code } from "../../emit/printer.js";
import type { Shape } from "../../model/api.js";
import { $, $type } from "../runtime.js";
import { checkFunction } from "./functions.js";
import { below, type Scope, type Spot } from "./scope.js";
import { groupsOf, shapeChecks } from "./shapes.js";
import { chain, statedTypes, type Group } from "./types.js";

/** Emits `anyOf` and `oneOf`. If the type or a discriminator determines the branch, only that branch is checked. */
export function unionChecks(scope: Scope, shape: Shape, spot: Spot): readonly Code[] {
  const { anyOf, oneOf } = shape;
  return [
    ...(anyOf === undefined ? [] : branches(scope, { shape, of: anyOf, judge: "matchAny" }, spot)),
    ...(oneOf === undefined ? [] : branches(scope, { shape, of: oneOf, judge: "matchOne" }, spot)),
  ];
}

interface Union {
  readonly shape: Shape;
  readonly of: readonly Shape[];
  readonly judge: "matchAny" | "matchOne";
}

function branches(scope: Scope, union: Union, spot: Spot): readonly Code[] {
  const [only] = union.of;
  if (only !== undefined && union.of.length === 1) return shapeChecks(scope, only, spot);
  return byType(scope, union, spot) ?? byTag(scope, union, spot) ?? byTrial(scope, union, spot);
}

/** Emits branches that allow disjoint types. */
function byType(scope: Scope, { of }: Union, spot: Spot): readonly Code[] | undefined {
  return told(typeGroups(scope, of, spot), spot);
}

function told(groups: readonly Group[] | undefined, spot: Spot): readonly Code[] | undefined {
  return (
    groups &&
    chain(
      groups,
      groups.map((group) => group.type),
      spot,
    )
  );
}

/** Returns the checks of the branches by type, or `undefined` if two branches share a type or one allows any type. */
function typeGroups(scope: Scope, of: readonly Shape[], spot: Spot): readonly Group[] | undefined {
  const typed = of.map((shape) => ({ shape, types: statedTypes(scope, shape) ?? [] }));
  const all = typed.flatMap(({ types }) => (types.includes("integer") ? [...types, "number" as const] : types));
  if (typed.some(({ types }) => types.length === 0) || new Set(all).size < all.length) return undefined;
  return typed.flatMap(({ shape, types }): readonly Group[] => {
    const isPlain = Object.keys(shape).every((each) => plain.has(each));
    return isPlain
      ? groupsOf(scope, shape, spot, types)
      : types.map((type) => ({ type, statements: shapeChecks(scope, shape, spot) }));
  });
}

/** Keywords that apply to values of one type only. */
const plain: ReadonlySet<string> = new Set(
  `types origin title description examples default sources format pattern minLength maxLength minimum maximum exclusiveMinimum
  exclusiveMaximum multipleOf items prefixItems minItems maxItems uniqueItems properties required additionalProperties
  patternProperties`.split(/\s+/),
);

/** Emits branches that a discriminator selects. Branches for other types than objects, such as null, may stand beside them. */
function byTag(scope: Scope, { shape, of }: Union, spot: Spot): readonly Code[] | undefined {
  const { discriminator } = shape;
  if (discriminator === undefined) return undefined;
  const { mapping, property } = discriminator;
  const tagged = new Set(mapping.map((each) => each.shape));
  const named = new Set(of.map((branch) => branch.ref));
  if (mapping.length === 0 || [...tagged].some((each) => !named.has(each))) return undefined;
  const rest = of.filter((branch) => branch.ref === undefined || !tagged.has(branch.ref));
  const others = typeGroups(scope, rest, spot);
  if (others === undefined || others.some(({ type }) => type === "object")) return undefined;
  const entries = mapping.map(
    (each) => code`${key(each.value)}: ${scope.around.refer(each.shape, scope.around.nulls)}`,
  );
  const table = scope.around.pool.share(
    `${spot.hint} by ${property}`,
    (own) =>
      code`const ${own}: () => Readonly<Record<string, ${$type("Check")}>> = () => ({ ${join(entries, code`, `)} });`,
  );
  const statements = below(scope, spot, ({ value }) => [
    code`${$("matchTagged")}(${value}, faults, ${literal(property)}, ${table}(), reject);`,
  ]);
  return others.length === 0 ? statements : told([...others, { type: "object", statements }], spot);
}

/** Emits branches that have to be tried one by one. */
function byTrial(scope: Scope, { of, judge }: Union, spot: Spot): readonly Code[] {
  const checks = of.map((branch, index) =>
    checkFunction(
      scope.around,
      branch,
      `${spot.hint} ${branch.title ?? `${judge === "matchAny" ? "any" : "one"} ${index + 1}`}`,
    ),
  );
  return below(scope, spot, ({ value }) => [code`${$(judge)}(${value}, faults, [${join(checks, code`, `)}], reject);`]);
}

import { code, join, key, literal, type Code } from "../emit/printer.js";
import type { Condition, Expression, Property, Shape, Take, ValueRule } from "../model/api.js";
import { holds } from "./checks/conditions.js";
import { Scope, type Around } from "./checks/scope.js";
import { $ } from "./runtime.js";
import type { Preparation } from "./takes.js";

/**
 * Emits the rules of `x-value` that the request alone determines, as a function of the sent value. Rules end at the
 * first one that depends on
 * stored data, the caller or the platform, because its outcome decides whether later rules apply.
 */
export function emitValueRules(property: Property, how: Preparation, around: Around): readonly Code[] {
  const judged: { readonly rule: ValueRule; readonly result: Code | undefined }[] = [];
  for (const rule of property.shape.values ?? []) {
    if (rule.absent && !how.defaults) continue;
    if (isOfOthers(rule, how)) break;
    judged.push({ rule, result: resultOf(rule, how) });
    if (isAlways(rule)) break;
  }
  const last = judged.findLastIndex(({ result }) => result !== undefined);
  if (last < 0) return [];
  const statements = judged.slice(0, last + 1).map(({ rule, result }) => {
    const gives = code`return ${result ?? code`value`};`;
    return isAlways(rule) ? gives : code`if (${testOf(rule, around, property.name)}) ${gives}`;
  });
  const rest = judged.slice(0, last + 1).some(({ rule }) => isAlways(rule)) ? [] : [code`return value;`];
  return [code`${key(property.name)}: (value, fields) => {\n${[...statements, ...rest]}\n}`];
}

/** True for a rule that the request alone determines. `within`: whether the value is inside the body. */
export function isOfRequest(rule: ValueRule, within: boolean): boolean {
  const how = { nulls: "judged", defaults: true, values: true, within } as const;
  if (isOfOthers(rule, how)) return false;
  return rule.take === undefined || rule.take.kind === "ignore" || takenOf(rule.take, how) !== undefined;
}

function isAlways({ absent, sent, when }: ValueRule): boolean {
  return absent === undefined && sent === undefined && when === undefined;
}

/** True if the condition of the rule depends on more than the body. */
function isOfOthers({ when }: ValueRule, { within }: Preparation): boolean {
  return when !== undefined && (within || bodyOf(when) === undefined);
}

function testOf({ absent, sent, when }: ValueRule, around: Around, hint: string): Code {
  const scope = new Scope(around);
  const body = when === undefined ? undefined : bodyOf(when);
  const tests = [
    ...(absent ? [code`value === undefined`] : []),
    ...(sent === undefined
      ? []
      : [code`value !== undefined`, holds(scope, sent, { value: code`value`, hint: `${hint} sent` })]),
    ...(body === undefined ? [] : [holds(scope, body, { value: code`fields`, hint: `${hint} when` })]),
  ];
  return join(tests, code` && `);
}

/** Returns the condition on the body, if there is no other condition. */
function bodyOf(condition: Condition): Shape | undefined {
  const { body, ...others } = condition;
  return Object.keys(others).length === 0 ? body : undefined;
}

/** Emits the value that a rule sets, or returns `undefined` if the server determines it or the value stays as sent. */
function resultOf({ take, round, to, escape }: ValueRule, how: Preparation): Code | undefined {
  if (take !== undefined) return takenOf(take, how);
  if (round !== undefined && to !== undefined)
    return code`${$(round === "up" ? "roundUp" : "roundNearest")}(value, ${literal(to)})`;
  return escape === undefined ? undefined : code`${$("escapeAscii")}(value)`;
}

function takenOf(take: Take, how: Preparation): Code | undefined {
  if (take.kind === "value") return literal(take.value);
  if (take.kind === "ignore") return code`undefined`;
  if (take.kind === "platform" || take.times !== undefined || take.minus !== undefined) return undefined;
  const field = how.within && take.from.root === "request" ? undefined : neighbour(take.from);
  return field === undefined ? undefined : code`fields[${literal(field)}]`;
}

/** Returns the field of the same object that an expression refers to. */
function neighbour({ root, part, pointer }: Expression): string | undefined {
  const [field, ...deeper] = pointer;
  if (field === undefined || deeper.length > 0) return undefined;
  return (root === "relative" && part === "1") || (root === "request" && part === "body") ? field : undefined;
}

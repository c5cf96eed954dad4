import { code, key, literal, type Code } from "../emit/printer.js";
import type { Condition, Expression, Property, Shape, Take, ValueRule } from "../model/api.js";
import { holds } from "./checks/conditions.js";
import { Scope, type Around } from "./checks/scope.js";
import { $ } from "./runtime.js";
import type { Preparation } from "./takes.js";

/**
 * `x-value` of a property, as far as a request alone settles it: a function of what was sent. The first rule that needs the store, the caller or the
 * platform ends it, since whether that rule fits decides on those behind it.
 */
export function emitValueRules(property: Property, how: Preparation, around: Around): readonly Code[] {
  const statements: Code[] = [];
  let isSettled = false;
  let doing = 0; // statements up to the last one that gives something else than what was sent
  for (const rule of property.shape.values ?? []) {
    const test = testOf(rule, around, property.name, how);
    if (test === "never") continue;
    const result = test === "unknown" ? undefined : resultOf(rule, how);
    if (test === "unknown" || (test === "always" && result === undefined)) break;
    isSettled = test === "always";
    const statement = code`return ${result ?? code`value`};`;
    statements.push(typeof test === "string" ? statement : code`if (${test}) ${statement}`);
    if (result !== undefined) doing = statements.length;
    if (isSettled) break;
  }
  if (doing === 0) return [];
  const needed = statements.slice(0, doing);
  if (!isSettled || doing < statements.length) needed.push(code`return value;`);
  return [code`${key(property.name)}: (value, fields) => {\n${needed}\n}`];
}

function testOf(
  rule: ValueRule,
  around: Around,
  hint: string,
  how: Preparation,
): Code | "always" | "never" | "unknown" {
  const tests: Code[] = [];
  const scope = new Scope(around);
  if (rule.absent) {
    if (!how.defaults) return "never";
    tests.push(code`value === undefined`);
  }
  if (rule.sent !== undefined)
    tests.push(code`value !== undefined && ${holds(scope, rule.sent, { value: code`value`, hint: `${hint} sent` })}`);
  if (rule.when !== undefined) {
    const body = how.within ? undefined : bodyOf(rule.when);
    if (body === undefined) return "unknown";
    tests.push(holds(scope, body, { value: code`fields`, hint: `${hint} when` }));
  }
  const [first, ...others] = tests;
  if (first === undefined) return "always";
  return others.reduce((before, each) => code`${before} && ${each}`, first);
}

/** The condition on the body, where there is no other. */
function bodyOf(condition: Condition): Shape | undefined {
  const { body, ...others } = condition;
  return Object.keys(others).length === 0 ? body : undefined;
}

/** What a rule makes of a value; undefined where that is somebody else's, or what was sent. */
function resultOf({ take, round, to, escape }: ValueRule, how: Preparation): Code | undefined {
  if (take !== undefined) return takenOf(take, how);
  if (round !== undefined && to !== undefined)
    return code`${$(round === "up" ? "roundUp" : "roundNearest")}(value, ${literal(to)})`;
  return escape === undefined ? undefined : code`${$("escapeAscii")}(value)`;
}

function takenOf(take: Take, how: Preparation): Code | undefined {
  if (take.kind === "value") return literal(take.value);
  if (take.kind === "ignore") return code`undefined`;
  if (take.kind === "platform" || take.times !== undefined) return undefined;
  const field = how.within && take.from.root === "request" ? undefined : neighbour(take.from);
  return field === undefined ? undefined : code`fields[${literal(field)}]`;
}

/** The field of the same object that an expression names. */
function neighbour({ root, part, pointer }: Expression): string | undefined {
  const [field, ...deeper] = pointer;
  if (field === undefined || deeper.length > 0) return undefined;
  return (root === "relative" && part === "1") || (root === "request" && part === "body") ? field : undefined;
}

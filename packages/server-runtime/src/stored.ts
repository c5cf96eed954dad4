import type { Faults } from "@plumbline/validator-runtime";
import { contentFor, Findings, parseMediaType, type Groups } from "@plumbline/validator-runtime/serving";
import type { Case } from "./case.js";
import { blamedOn, judgeChange, merged, wrongChange, type StoredContent } from "./changes.js";
import { judgeConcurrency, judgeUnique } from "./counts.js";
import { at, valuesOf } from "./expressions.js";
import { isOfBody, isOfOperation, judgeGrants, needsPath, visibleTo } from "./grants.js";
import { findInBody, findInPath, findOwn } from "./named.js";
import { isOwnTo } from "./owners.js";
import type { Named } from "./named-in.js";
import type { NotedReference, Plan } from "./plan.js";
import { judgeRefusals } from "./refusals.js";
import { keyOf, type Chain } from "./rows.js";
import { isWithin } from "./held-scopes.js";
import { refusedBy, type StateRule } from "./states.js";
import { platformsOwn, withValues } from "./values.js";

/**
 * Checks a request against stored data, in the handler's transaction.
 *
 * @throws RefusedWith if the check fails
 */
export type Step = (one: Case) => Promise<void> | void;

/** Lists the checks of an operation in their order, without those that it does not need. The last step adds the loaded rows to the input. */
export function stepsOf(plan: Omit<Plan, "steps">): readonly Step[] {
  const { resources, grants, values, merged: whole, ceilings, changes, refusals, states, limits, operation } = plan;
  const { path, body, target, list } = resources;
  const contents = Object.values(operation.definition.body?.contents ?? {});
  const isChange = ["PUT", "PATCH", "DELETE"].includes(operation.definition.method);
  const steps: readonly (readonly [isAsked: boolean, step: Step])[] = [
    [grants.some(isOfOperation), (one) => judgeGrants(one, isOfOperation)],
    [path.length > 0, findInPath],
    [target !== undefined && target.parameter === undefined, findOwn],
    [contents.some(({ stored }) => stored !== undefined), judgeContent],
    [grants.some(needsPath), (one) => judgeGrants(one, needsPath)],
    [body.length > 0, findInBody],
    [grants.some(isOfBody), (one) => judgeGrants(one, isOfBody)],
    [values.length > 0, fillValues],
    [changes.length > 0, judgeChanges],
    [whole !== undefined, judgeWhole],
    [ceilings.length > 0, judgeCeilings],
    [refusals.length > 0, judgeRefusals],
    [isChange && target?.parameter !== undefined, judgeOwnership],
    [states.length > 0, judgeStates],
    [(limits.unique ?? []).length > 0, judgeUnique],
    [(limits.concurrency ?? []).length > 0, judgeConcurrency],
    [list !== undefined, findVisible],
  ];
  const asked = steps.flatMap(([isAsked, step]) => (isAsked ? [step] : []));
  return asked.length === 0 ? [] : [...asked, handOver];
}

/** Validates a change after its target was loaded. */
function judgeContent(one: Case): void {
  const content = storedContent(one);
  if (content === undefined || one.body === undefined) return;
  const faults: Faults = [];
  const unknown = one.around.options.unknown ?? "strip";
  one.body = judgeChange(one.body, one.target, { content, unknown, faults });
  refuse(faults, one);
}

/** The schema for the media type of the body. */
function storedContent({ plan, context }: Case): StoredContent | undefined {
  const contents = plan.operation.definition.body?.contents ?? {};
  const [only, ...others] = Object.values(contents);
  if (others.length === 0) return only?.stored;
  const type = parseMediaType(context.header("content-type") ?? "");
  return type === undefined ? undefined : contentFor(contents, type)?.stored;
}

/** A public resource can be read by all callers, but only its owner may change it. */
function judgeOwnership(one: Case): void {
  const chain = one.parameters.get(one.plan.resources.target?.parameter ?? "") ?? [];
  const { resources } = one.around.api;
  if (chain.every(({ resource }) => resources[resource]?.public === undefined)) return;
  if (!isOwnTo(one.caller, chain, one.around.shelf)) throw one.forbidden(undefined);
}

/** Sets values that depend on stored data or on the caller. */
function fillValues(one: Case): void {
  one.body = withValues(one.plan.values, one);
}

/** Validates the complete object after the change is merged into it. */
function judgeWhole(one: Case): void {
  const { merged: check, completed } = one.plan;
  const faults: Faults = [];
  check?.(merged(one.target, one.body), faults);
  if (faults.length === 0) return;
  const before: Faults = [];
  check?.(merged(one.target, undefined), before);
  const blamed = blamedOn(one.body, faults, before);
  // The platform validates the fields that it completes.
  const left = platformsOwn(completed, one);
  refuse(
    blamed.filter(({ path }) => !left.some((pointer) => pointer.every((token, index) => token === path[index]))),
    one,
  );
}

function refuse(faults: Faults, one: Case): void {
  if (faults.length === 0) return;
  const findings = new Findings();
  findings.take(faults, "body");
  throw one.refusedFor(findings.all);
}

/** Checks that scopes in a body stay within their ceilings. */
function judgeCeilings(one: Case): void {
  const { grammar } = one.around.api;
  for (const { pointer, atMost, error } of one.plan.ceilings) {
    const [ceiling] = valuesOf(atMost, one);
    const isFit = (wish: unknown) =>
      grammar !== undefined &&
      typeof wish === "string" &&
      typeof ceiling === "string" &&
      isWithin(wish, ceiling, grammar);
    const wishes = at(one.body, pointer).filter((wish) => wish !== null);
    if (!wishes.every(isFit)) throw one.refused(error);
  }
}

/** Checks that fields change only as the description allows. */
async function judgeChanges(one: Case): Promise<void> {
  const { orders = {} } = one.around.options;
  const wrong = await wrongChange(one.plan.changes, one, (order) => {
    if (orders[order] === undefined)
      throw new TypeError(
        `Missing option \`orders.${order}\`. Provide a function that returns the values in their order.`,
      );
    return orders[order](one.context);
  });
  if (wrong !== undefined) throw one.refusedAt(wrong.error, [wrong.pointer.join(".")]);
}

/** Checks that objects are in a state from which the operation has a transition. */
function judgeStates(one: Case): void {
  for (const rule of one.plan.states) {
    for (const row of movedBy(rule, one)) {
      const { states } = one.around.shelf.stores[rule.resource] ?? {};
      const state = states?.[rule.machine]?.(row) ?? keyOf(row, rule.field ?? "");
      if (typeof state !== "string")
        throw new TypeError(
          `Missing option \`resources.${rule.resource}.states.${rule.machine}\`. Provide a function that returns the state of a row.`,
        );
      const refused = refusedBy(rule, state, one);
      if (refused !== undefined) throw one.refusedAt(refused.else);
    }
  }
}

function movedBy({ on }: StateRule, { plan, chains, target, refs }: Case): readonly unknown[] {
  if (on === undefined) return target === undefined ? [] : [target];
  if (on.part === "path") return refs.parameter(on.name ?? "") ?? [];
  const key = on.pointer.join("/");
  const index = plan.named.findIndex((each) => each.key === key);
  return (chains[index] ?? []).flatMap((chain) => chain?.[0]?.row ?? []);
}

/** Finds the part of a list that the caller may see. */
async function findVisible(one: Case): Promise<void> {
  one.input["visible"] = await visibleTo(one, one.plan.resources.list ?? "");
}

/** Adds the loaded rows to the handler's input. */
function handOver(one: Case): void {
  const { input, refs: rows, target, body } = one;
  const { named, path } = one.plan;
  if (body !== undefined) input["body"] = body;
  if (target !== undefined) input["target"] = target;
  if (path.length === 0 && named.length === 0) return;
  const refs: Groups = {};
  for (const { parameter } of path) refs[parameter] = rows.parameter(parameter)?.[0];
  for (let index = 0; index < named.length; index += 1) {
    const { name, isMany } = named[index] as NotedReference;
    const chains = one.chains[index] ?? [];
    refs[name] = isMany ? rowsById(one.named[index] ?? [], chains) : chains[0]?.[0]?.row;
  }
  input["refs"] = refs;
}

function rowsById(named: readonly Named[], chains: readonly (Chain | undefined)[]): ReadonlyMap<unknown, unknown> {
  return new Map(named.map(({ id }, index) => [id, chains[index]?.[0]?.row] as const));
}

import { isGiven, isList, isObject, type Check, type Faults, type PublicFault } from "@plumbline/validator-runtime";
import { Findings, type Groups } from "@plumbline/validator-runtime/serving";
import type { RefusalRule, ServedApi } from "./api.js";
import type { Call } from "./call.js";
import { blamedOn, judgeChange, merged, wrongChange } from "./changes.js";
import { changesField, isMet } from "./conditions.js";
import { entriesOf, RefusedWith, refusalOf, sharedRefusal, type Detail } from "./errors.js";
import { at, valuesOf } from "./expressions.js";
import type { Facts } from "./facts.js";
import { isAsked, isGloballyGranted, levelOn, reaches, visibleIds, type Grant, type Grants } from "./grants.js";
import { isPending, type Awaitable } from "./handlers.js";
import type { ServeOptions } from "./options.js";
import type { NotedReference, Plan } from "./plan.js";
import {
  isKnownTo,
  keyOf,
  namedIn,
  ownerKey,
  Rows,
  type Link,
  type Named,
  type NamedRows,
  type Reference,
  type Shelf,
  type Visible,
} from "./resources.js";
import { isWithin } from "./scopes.js";
import { refusedBy } from "./states.js";
import { isOfBody } from "./steps.js";
import { withValues } from "./values.js";

/** What a server needs to judge by what is stored. */
export interface Around {
  readonly api: ServedApi;
  readonly options: ServeOptions;
  readonly shelf: Shelf;
}

/** A request that was decoded. */
export interface Decoded {
  readonly plan: Plan;
  readonly input: Groups;
  /** The row that the address of a linked operation names. */
  readonly linked?: unknown;
}

/**
 * Judges a request by what is stored, and puts what was loaded into its input: `target`, `refs` and `visible`. Within the transaction in which
 * the handler runs; throws a RefusedWith.
 */
export async function judgeByStored(decoded: Decoded, context: Call, around: Around): Promise<void> {
  const judging = new Judging(decoded, context, around);
  for (const step of decoded.plan.steps) {
    const judged = judging[step]();
    if (isPending(judged)) await judged;
  }
  judging.hand();
}

class Judging {
  readonly #plan: Plan;
  readonly #input: Groups;
  readonly #context: Call;
  readonly #around: Around;
  readonly #rows: Rows;
  readonly #chains = new Map<string, readonly Link[]>();
  #target: unknown;
  #body: unknown;
  #grants: Awaitable<Grants> | undefined;

  constructor({ plan, input, linked }: Decoded, context: Call, around: Around) {
    this.#plan = plan;
    this.#input = input;
    this.#context = context;
    this.#around = around;
    this.#rows = new Rows(around.shelf, context, { isLocked: plan.isLocking });
    this.#target = linked;
    this.#body = input["body"];
  }

  /** What the path names is there, where it has to be, and the caller's to know of. */
  async path(): Promise<void> {
    const { path, target } = this.#plan.resources;
    for (const reference of path) {
      const id = (this.#input["path"] as Groups | undefined)?.[reference.parameter];
      const loaded = this.#rows.load(reference.to, reference.by, [id]);
      const row = (isPending(loaded) ? await loaded : loaded).get(id);
      const chained = row === undefined ? undefined : this.#rows.chain(reference.to, row);
      const chain = isPending(chained) ? await chained : chained;
      if (row === undefined || chain === undefined || !this.#fits(reference, chain)) throw this.#missing(reference);
      this.#rows.noteParameter(reference.parameter, row);
      this.#chains.set(`$${reference.parameter}`, chain);
      if (target?.parameter === reference.parameter) this.#target = row;
    }
    if (target === undefined || target.parameter !== undefined || this.#target !== undefined) return;
    this.#target = await this.#rows.own(target.resource);
    if (this.#target === undefined) throw new RefusedWith(this.#shared(404));
  }

  /** A change is judged when it is known what it changes. */
  async change(): Promise<void> {
    const content = this.#plan.operation.definition.body?.contents["application/json"]?.stored;
    if (content === undefined || this.#body === undefined) return;
    const faults: Faults = [];
    this.#body = judgeChange(this.#body, this.#target, { content, unknown: this.#unknown, faults });
    this.#refuseFaults(faults);
  }

  /** What the body names is there; one query a kind. */
  async body(): Promise<void> {
    const { kinds, resources } = this.#plan;
    const named = resources.body.map(({ pointer }) => namedIn(this.#body, pointer));
    for (const { to, by, references } of kinds) {
      const ids: unknown[] = [];
      for (const index of references) for (const { id } of named[index] ?? []) ids.push(id);
      const loaded = ids.length === 0 ? undefined : this.#rows.load(to, by, ids);
      if (isPending(loaded)) await loaded;
    }
    for (let index = 0; index < named.length; index += 1) {
      const [reference, found] = [resources.body[index] as NotedReference, named[index] ?? []];
      const judged = found.length === 0 ? this.#rows.note(reference.key, nothing) : this.#judgeNamed(reference, found);
      if (isPending(judged)) await judged;
    }
  }

  async #judgeNamed(reference: NotedReference, found: readonly Named[]): Promise<void> {
    const rows = new Map<unknown, unknown>();
    this.#rows.note(reference.key, rows);
    const missing: string[] = [];
    const unfit: string[] = [];
    for (const { id, at: place } of found) {
      const row = this.#rows.loaded(reference, id);
      if (row !== undefined) rows.set(id, row);
      const chained = row === undefined ? undefined : this.#rows.chain(reference.to, row);
      const chain = isPending(chained) ? await chained : chained;
      if (chain === undefined || !this.#fits(reference, chain)) missing.push(place);
      else {
        this.#chains.set(place, chain);
        if (reference.where !== undefined && !holdsOf(reference.where, row)) unfit.push(place);
      }
    }
    if (missing.length > 0) throw this.#missing(reference, missing);
    if (unfit.length > 0) throw this.#refusedAt(reference.unfit, unfit);
  }

  /** It is within what it has to be within, and known to the caller. */
  #fits({ of }: Reference, chain: readonly Link[]): boolean {
    if (of !== undefined) {
      const [outer] = this.#chains.get(`$${of}`) ?? [];
      const inner = chain.find(({ resource }) => resource === outer?.resource);
      if (outer === undefined || inner === undefined || keyOf(inner.row, "id") !== keyOf(outer.row, "id")) return false;
    }
    return isKnownTo(this.#context.caller, chain, this.#around.shelf);
  }

  grants(): Awaitable<void> {
    return this.#judgeGrants((grant) => !isOfBody(grant));
  }

  bodyGrants(): Awaitable<void> {
    return this.#judgeGrants(isOfBody);
  }

  #judgeGrants(isMeant: (grant: Grant) => boolean): Awaitable<void> {
    if (this.#context.caller?.restricted === true) return this.#judgeRestricted(isMeant);
  }

  async #judgeRestricted(isMeant: (grant: Grant) => boolean): Promise<void> {
    const facts = this.#facts();
    for (const grant of this.#plan.grants) {
      if (isMeant(grant) && isAsked(grant, this.#context.caller, facts)) await this.#judgeGrant(grant);
    }
  }

  async #judgeGrant(grant: Grant): Promise<void> {
    const { error } = grant;
    if (grant.kind === "unrestricted") throw this.#forbidden(error);
    const held = this.#held();
    const grants = isPending(held) ? await held : held;
    if (grant.kind === "global") {
      if (!isGloballyGranted(grants, grant.global)) throw this.#forbidden(error);
      return;
    }
    const { reference, chains } = this.#entities(grant);
    for (const [place, chain] of chains) {
      const level = levelOn(chain, grants, this.#around.api.resources);
      // What nothing is held on is as absent as what is not there.
      if (level === null || level === undefined) throw this.#missing(reference, place === "" ? undefined : [place]);
      if (!reaches(level, grant.level, this.#around.api.grammar?.levels ?? {})) throw this.#forbidden(error);
    }
  }

  /** The entities that a grant is about, each with where the request names it. */
  #entities({ on }: Extract<Grant, { kind: "entity" }>): {
    readonly reference: Reference | undefined;
    readonly chains: readonly (readonly [place: string, chain: readonly Link[]])[];
  } {
    const { path, body } = this.#plan.resources;
    if (on.part === "path") {
      const chain = this.#chains.get(`$${on.name ?? ""}`);
      const reference = path.find((each) => each.parameter === on.name);
      return { reference, chains: chain === undefined ? [] : [["", chain]] };
    }
    const reference = body.find(({ pointer }) => pointer.join("/") === on.pointer.join("/"));
    const places = namedIn(this.#body, on.pointer).map((each) => each.at);
    const chains = places.map((place) => [place, this.#chains.get(place) ?? []] as const);
    return { reference, chains };
  }

  /** Values that follow from what is stored, and from who asks. */
  fill(): void {
    this.#body = withValues(this.#plan.values, this.#facts());
  }

  /** The stored object with the change on top is judged as a whole. */
  whole(): void {
    const { merged: check } = this.#plan;
    if (check === undefined) return;
    const faults: Faults = [];
    check(merged(this.#target, this.#body), faults);
    this.#refuseFaults(blamedOn(this.#body, faults));
  }

  ceilings(): void {
    const { grammar } = this.#around.api;
    const facts = this.#facts();
    for (const { pointer, atMost, error } of this.#plan.ceilings) {
      const [wish] = at(this.#body, pointer);
      const [ceiling] = valuesOf(atMost, facts);
      if (typeof wish !== "string" || grammar === undefined) continue;
      if (typeof ceiling !== "string" || !isWithin(wish, ceiling, grammar)) throw this.#refused(error);
    }
  }

  async changes(): Promise<void> {
    const { changes } = this.#plan;
    const { orders = {} } = this.#around.options;
    const wrong = await wrongChange(changes, { body: this.#body, target: this.#target }, (order) => {
      const list = orders[order];
      if (list === undefined) throw new TypeError(`orders: there is nothing for ${order}`);
      return list(this.#context);
    });
    if (wrong !== undefined) throw this.#refusedAt(wrong.error, [wrong.pointer.join(".")]);
  }

  refusals(): void {
    const { refusals } = this.#plan;
    const sent = aboutItself(this.#facts());
    let whole: Facts | undefined;
    for (const rule of refusals) {
      if (rule.isMerged === true) whole ??= aboutItself({ ...sent, body: merged(this.#target, this.#body) });
      const place = placeOf(rule, rule.isMerged === true ? (whole ?? sent) : sent);
      if (place === undefined) continue;
      const about = this.#plan.failures[rule.id]?.field;
      const field = [place, typeof about === "string" && !about.startsWith("$") ? about : ""].filter(
        (each) => each !== "",
      );
      throw this.#refused(rule.id, about === null || field.length === 0 ? {} : { field: field.join(".") });
    }
  }

  async states(): Promise<void> {
    const { states } = this.#plan;
    const facts = this.#facts();
    for (const rule of states) {
      const rows = rule.on === undefined ? [this.#target] : this.#rowsNamed(rule.on);
      for (const row of rows) {
        if (row === undefined) continue;
        const state =
          this.#around.shelf.stores[rule.resource]?.states?.[rule.machine]?.(row) ?? keyOf(row, rule.field ?? "");
        if (typeof state !== "string") throw new TypeError(`resources: nothing tells the state ${rule.machine}`);
        const refused = refusedBy(rule, state, facts);
        if (refused !== undefined) throw this.#refusedAt(refused.else);
      }
    }
  }

  async unique(): Promise<void> {
    for (const { id, by, error } of this.#plan.limits.unique ?? []) {
      if (!by.every((field) => isGiven(this.#body, field))) continue;
      if (this.#isOfTarget(id) && !by.some((field) => changesField(field, { body: this.#body, target: this.#target })))
        continue;
      const taken = this.#around.options.limits?.taken?.[id];
      if (taken === undefined) throw new TypeError(`limits.taken: there is nothing for ${id}`);
      const values = Object.fromEntries(by.map((field) => [field, (this.#body as Groups)[field]] as const));
      const except = this.#isOfTarget(id) ? this.#target : undefined;
      if (await taken(values as never, this.#context, except)) throw this.#refusedAt(error, by.slice(0, 1));
    }
  }

  /** True where the operation changes one of what has to be unique, and makes none. */
  #isOfTarget(id: string): boolean {
    const limit = this.#plan.limits.unique?.find((each) => each.id === id);
    const { method } = this.#plan.operation.definition;
    return limit?.resource === this.#plan.resources.target?.resource && (method === "PUT" || method === "PATCH");
  }

  async concurrency(): Promise<void> {
    for (const { limit, per } of this.#plan.limits.concurrency ?? []) {
      const [key] = per === undefined ? [undefined] : valuesOf(per, this.#facts());
      const unsettled = this.#around.options.limits?.unsettled?.[limit.id];
      if (unsettled === undefined) throw new TypeError(`limits.unsettled: there is nothing for ${limit.id}`);
      if ((await unsettled(key as never, this.#context)) >= limit.max) throw this.#refusedAt(limit.error);
    }
  }

  /** What of a list is the caller's to see. */
  async list(): Promise<void> {
    const { list } = this.#plan.resources;
    if (list === undefined) return;
    const { owner, public: open, grants } = this.#around.api.resources[list] ?? { owner: [] };
    const { caller } = this.#context;
    const kinds = owner.filter((each) => each !== "platform");
    const keys = kinds.map((kind) => [kind, caller === undefined ? undefined : ownerKey(caller, kind)] as const);
    const isOwned = caller !== undefined && kinds.length > 0;
    const visible: Visible = {
      ...(isOwned ? { owner: Object.fromEntries(keys) } : {}),
      ...(isOwned && caller.restricted === true && grants !== undefined
        ? { ids: visibleIds(await this.#held(), grants) }
        : {}),
      andPublic: open !== undefined || kinds.length === 0,
    };
    this.#input["visible"] = visible;
  }

  /** Puts what was found into the input of the handler. */
  hand(): void {
    const { path, body } = this.#plan.resources;
    if (this.#body !== undefined) this.#input["body"] = this.#body;
    if (this.#target !== undefined) this.#input["target"] = this.#target;
    if (path.length === 0 && body.length === 0) return;
    const refs: Groups = {};
    for (const { parameter } of path) refs[parameter] = this.#rows.parameter(parameter)?.[0];
    for (const { key, name, isMany } of body) {
      const rows = this.#rows.at(key);
      refs[name] = isMany ? new Map(rows) : rows?.values().next().value;
    }
    this.#input["refs"] = refs;
  }

  #facts(): Facts {
    return {
      caller: this.#context.caller,
      input: this.#input,
      body: this.#body,
      target: this.#target,
      refs: this.#rows,
    };
  }

  #rowsNamed(on: NonNullable<Plan["states"][number]["on"]>): readonly unknown[] {
    if (on.part === "path") return this.#rows.parameter(on.name ?? "") ?? [];
    const rows = this.#rows.at(on.pointer.join("/"));
    return rows === undefined ? [] : [...rows.values()];
  }

  #held(): Awaitable<Grants> {
    const { caller } = this.#context;
    const { grants } = this.#around.options;
    if (grants === undefined || caller === undefined) throw new TypeError("grants: nothing tells what a user holds");
    return (this.#grants ??= grants(caller, this.#context));
  }

  get #unknown(): "ignore" | "strip" | "reject" {
    return this.#around.options.unknown ?? "strip";
  }

  #refuseFaults(faults: Faults): void {
    if (faults.length === 0) return;
    const findings = new Findings();
    findings.take([...faults], "body");
    throw new RefusedWith(badRequest(findings.all));
  }

  #shared(status: 400 | 403 | 404): ReturnType<typeof sharedRefusal> {
    return sharedRefusal(status, this.#around.api.sharedFailures, this.#around.api.byStatus);
  }

  #missing(reference: Reference | undefined, places?: readonly string[]): RefusedWith {
    const id = reference?.missing;
    return id === undefined || this.#plan.failures[id] === undefined
      ? new RefusedWith(this.#shared(404))
      : this.#refusedAt(id, places);
  }

  #forbidden(id: string | undefined): RefusedWith {
    return id === undefined ? new RefusedWith(this.#shared(403)) : this.#refused(id);
  }

  #refused(id: string, detail: Detail = {}): RefusedWith {
    return new RefusedWith(refusalOf(id, this.#plan.failures, detail));
  }

  /** A failure, told of each place where the description leaves the field open. */
  #refusedAt(id: string | undefined, places: readonly string[] = []): RefusedWith {
    if (id === undefined) return new RefusedWith(this.#shared(400));
    const refusal = refusalOf(id, this.#plan.failures);
    const about = this.#plan.failures[id]?.field;
    const isOpen = about === undefined || (about !== null && about.startsWith("$"));
    if (!isOpen || places.length === 0) return new RefusedWith(refusal);
    const [first] = refusal.errors;
    const errors = places.slice(0, mostTold).map((field) => ({ field, reason: first?.reason ?? "" }));
    return new RefusedWith({ ...refusal, errors });
  }
}

const mostTold = 100;

const nothing: NamedRows = new Map();

/** What a request is told that breaks the rules of its operation. */
export function badRequest(faults: readonly PublicFault[]): {
  readonly status: 400;
  readonly errors: ReturnType<typeof entriesOf>;
} {
  return { status: 400, errors: entriesOf(faults) };
}

/** The place of the first object that fits a rule: "" for the body, `pools.0` for an item; undefined where none does. */
function placeOf({ when, pointer }: RefusalRule, facts: Facts): string | undefined {
  if (pointer.length === 0) return isMet(when, facts) ? "" : undefined;
  const found = placesIn(facts.body, pointer).find((place) => {
    const value = at(facts.body, place.map(String))[0];
    return isMet(when, { ...facts, self: { value, at: place } });
  });
  return found?.join(".");
}

/** With the body as what rules stand on. */
function aboutItself(facts: Facts): Facts {
  return { ...facts, self: { value: facts.body, at: [] } };
}

function placesIn(value: unknown, pointer: readonly string[]): readonly (readonly (string | number)[])[] {
  const [token, ...rest] = pointer;
  if (token === undefined) return value === undefined ? [] : [[]];
  const children: readonly (readonly [string | number, unknown])[] =
    token !== "*"
      ? [[token, at(value, [token])[0]]]
      : isList(value)
        ? value.map((each, index) => [index, each] as const)
        : isObject(value)
          ? Object.entries(value)
          : [];
  return children.flatMap(([key, child]) => placesIn(child, rest).map((way) => [key, ...way]));
}

function holdsOf(check: Check, value: unknown): boolean {
  const faults: Faults = [];
  check(value, faults);
  return faults.length === 0;
}

import { isObject, type Operation, type Replies } from "@plumbline/validator-runtime";
import {
  buildGuard,
  ensureKnown,
  usualBodyLimit,
  type FoundRoute,
  type Groups,
  type Guard,
} from "@plumbline/validator-runtime/serving";
import type { Answer } from "./answer.js";
import { entryOf, type ServedApi } from "./api.js";
import type { Call } from "./call.js";
import { Decoder, type Sent } from "./decoding.js";
import { RefusedWith, refusalOf, type Refusal } from "./errors.js";
import { isPending, type Awaitable } from "./handlers.js";
import { retryAfter, type LimitStore } from "./limits.js";
import { memoryStore } from "./memory-store.js";
import { serverOptions } from "./known-options.js";
import type { ServeOptions, Transaction } from "./options.js";
import { Case, type Around } from "./case.js";
import { BrokenReply } from "./broken-reply.js";
import { inOrder, type InOrder } from "./order.js";
import { planOf, type Plan } from "./plan.js";
import { countRates } from "./rates.js";
import type { Received } from "./received.js";
import { checkReply, writeReply, type HandlerReply, type ReplyTables, type Written } from "./replies.js";
import { requestNames, type Naming } from "./request-ids.js";
import { admit, type Gatekeeper } from "./scopes.js";
import type { Server } from "./server.js";
import { Returned, Telling, type AroundAnswer } from "./telling.js";
import { turnOf, type Turn } from "./turn.js";

/** Handlers by the names of their operations. */
export type AnyHandlers = Readonly<
  Record<string, ((input: never, context: never) => HandlerReply | Promise<HandlerReply>) | undefined>
>;

/**
 * A server of a description. The order of a request: route, method, authentication, scopes, rates, decoding and validation, then within a
 * transaction what is stored, grants, states and counts, then the handler, and at last its reply. Throws a TypeError for options and handlers
 * that leave something open.
 */
export function serve(api: ServedApi, handlers: AnyHandlers, options: ServeOptions): Server {
  ensureKnown(options, serverOptions);
  const all = [...api.operations, ...api.linked];
  const missing = all.filter(({ definition }) => !hasHandler(handlers, definition.name));
  if (missing.length > 0 && options.missing !== "not-implemented") {
    const names = missing.map(({ definition }) => definition.name);
    throw new TypeError(`handlers: there is none for ${names.join(", ")}; missing: "not-implemented" allows that`);
  }
  return new Serving(api, handlers, options);
}

class Serving implements Server {
  readonly #api: ServedApi;
  readonly #handlers: AnyHandlers;
  readonly #options: ServeOptions;
  readonly #telling: Telling;
  readonly #decoder: Decoder;
  readonly #guard: Guard;
  readonly #links: Guard | undefined;
  readonly #plans: ReadonlyMap<string, Plan>;
  readonly #keeper: Gatekeeper;
  readonly #around: Around;
  readonly #store: LimitStore;
  readonly #transaction: Transaction<Call> | undefined;
  readonly #inOrder: InOrder = inOrder();
  readonly #tables: ReplyTables;
  readonly #isChecked: boolean;
  #replies: Promise<Replies> | undefined;
  readonly #named: () => Naming;
  readonly #clock: () => number;

  constructor(api: ServedApi, handlers: AnyHandlers, options: ServeOptions) {
    const { bodyLimit = usualBodyLimit, links = {} } = options;
    const linked = api.linked.flatMap((operation) => {
      const link = entryOf(links, operation.definition.name);
      return link === undefined ? [] : [{ ...operation, definition: { ...operation.definition, path: link.path } }];
    }) as unknown as readonly Operation[];
    this.#api = api;
    this.#handlers = handlers;
    this.#options = options;
    this.#telling = new Telling(api, options);
    this.#decoder = new Decoder(this.#telling, options);
    const guardOptions = { bodyLimit, unknown: options.unknown ?? "strip" } as const;
    this.#guard = buildGuard(api.operations, { ...guardOptions, basePath: options.basePath ?? api.basePaths });
    this.#links = linked.length === 0 ? undefined : buildGuard(linked, guardOptions);
    this.#plans = new Map(
      [...api.operations, ...linked].map((each) => [each.definition.name, planOf(each, api)] as const),
    );
    this.#keeper = { schemes: api.schemes, grammar: api.grammar, authenticate: options.authenticate ?? {} };
    this.#around = { api, options, shelf: { resources: api.resources, stores: options.resources ?? {} } };
    this.#store = options.limits?.store ?? memoryStore();
    this.#transaction = options.transaction;
    this.#tables = { shown: api.shown, visibleTo: api.visibleTo, headers: api.replyHeaders };
    this.#isChecked = (options.replies ?? (isProduction() ? "trust" : "check")) === "check";
    this.#named = requestNames(options.requestId);
    this.#clock = options.clock ?? Date.now;
  }

  answer(received: Received): Promise<Answer> | undefined {
    const found = this.#guard.find(received);
    if (found?.kind === "route") return this.#run(found, received, this.#guard);
    const link = this.#links?.find(received);
    if (link?.kind === "route") return this.#run(link, received, this.#links ?? this.#guard);
    const nothing = found ?? (link?.kind === "method" ? link : undefined);
    return nothing === undefined ? undefined : Promise.resolve(this.#unrouted(nothing, received));
  }

  nowhere(received: Received): Answer {
    return this.#told(received, (around) => this.#telling.refuse(this.#telling.shared(404), around));
  }

  failed(error: unknown, received: Received): Answer {
    const { requestId } = this.#named();
    return this.#telling.failure(error, { requestId, received });
  }

  #unrouted(found: Exclude<NonNullable<ReturnType<Guard["find"]>>, FoundRoute>, received: Received): Answer {
    if (found.kind === "path") return this.nowhere(received);
    const allow = [...new Set([...found.allow, "OPTIONS"])].join(", ");
    return this.#told(received, (around) => {
      if (received.method === "OPTIONS")
        return { status: 204, headers: { [this.#api.headers.requestId]: around.requestId, Allow: allow } };
      const refusal = this.#telling.shared(405);
      return this.#telling.refuse({ ...refusal, headers: { ...refusal.headers, Allow: allow } }, around);
    });
  }

  #told(received: Received, tell: (around: AroundAnswer) => Answer): Answer {
    const { requestId, failure } = this.#named();
    const around = { requestId, received };
    return failure === undefined ? tell(around) : this.#telling.failure(failure.error, around);
  }

  async #run(found: FoundRoute, received: Received, guard: Guard): Promise<Answer> {
    const plan = this.#plans.get(found.route.definition.name) as Plan;
    const { requestId, failure } = this.#named();
    const around: AroundAnswer = { requestId, received, plan, turn: undefined, rate: undefined, body: undefined };
    try {
      if (failure !== undefined) throw failure.error;
      const turn = turnOf(received, { operation: plan.name, requestId, now: this.#clock() });
      around.turn = turn;
      const written = await this.#answered(plan, around, { turn, found, received, guard });
      return this.#telling.sent(written, around);
    } catch (error) {
      if (!(error instanceof Returned)) letGo(around.body);
      return this.#telling.told(error, around);
    }
  }

  async #answered(plan: Plan, around: AroundAnswer, { turn, found, received, guard }: Routed): Promise<Written> {
    const admitted = await admit(plan.gate, this.#keeper, { received, asking: turn });
    if (admitted.kind !== "admitted") {
      turn.caller = admitted.caller;
      throw new RefusedWith(this.#unadmitted(admitted.kind, plan));
    }
    turn.caller = admitted.caller;
    turn.admission = admitted.admission;
    const { general } = this.#options.limits ?? {};
    if (plan.earlyRates.length > 0 || general !== undefined)
      this.#counted(await countRates(plan.earlyRates, turn, { general, store: this.#store }), around);
    if (!hasHandler(this.#handlers, plan.name)) throw new RefusedWith(this.#telling.shared(501));
    const decoding = this.#decoder.inputOf(plan, { found, received, guard });
    const input = isPending(decoding) ? await decoding : decoding;
    if (plan.lateRates.length > 0)
      this.#counted(await countRates(plan.lateRates, turn, { store: this.#store, input }), around);
    if (this.#transaction !== undefined) {
      const { body } = input;
      return this.#transaction(turn, (added) => {
        // One that is tried again begins with what was sent; all else that is put here is found again.
        if (body !== undefined) input["body"] = body;
        return this.#handled(plan, around, { context: turn.with(added), input, found });
      });
    }
    const run = (context: Call): Promise<Written> => this.#handled(plan, around, { context, input, found });
    if (!plan.isOrdered) return run(turn);
    // Whoever sends slowly would have everybody wait, and so has those alone who send to the same place.
    const place = input["body"] instanceof ReadableStream ? JSON.stringify([plan.name, found.values]) : "";
    return this.#inOrder(place, () => run(turn));
  }

  /** Notes where the rates stand; refuses what exceeds one. */
  #counted({ refused, narrowest }: Awaited<ReturnType<typeof countRates>>, around: AroundAnswer): void {
    const { plan, turn, rate } = around;
    const isNarrower =
      narrowest !== undefined && !(rate !== undefined && rate.tally.remaining < narrowest.tally.remaining);
    if (isNarrower) around.rate = narrowest;
    if (refused === undefined || plan === undefined) return;
    around.rate = refused;
    const detail = { retryAfterSeconds: retryAfter(refused.tally, turn?.now ?? 0) };
    const id = refused.limit.error ?? this.#api.byStatus[429];
    const refusal = id === undefined ? this.#telling.shared(429) : refusalOf(id, plan.failures, detail);
    throw new RefusedWith({ ...refusal, headers: { "Retry-After": String(detail.retryAfterSeconds) } });
  }

  async #handled(plan: Plan, around: AroundAnswer, { context, input, found }: Handling): Promise<Written> {
    const link = entryOf(this.#options.links ?? {}, plan.name);
    let linked: unknown;
    if (link !== undefined) {
      const values = Object.fromEntries(found.route.names.map((name, at) => [name, decoded(found.values[at] ?? "")]));
      input["link"] = values;
      linked = (await link.target?.(values, context)) ?? undefined;
      if (link.target !== undefined && linked === undefined) throw new RefusedWith(this.#telling.shared(404));
    }
    if (plan.steps.length > 0) {
      const one = new Case(plan, input, { context, around: this.#around });
      one.target = linked;
      for (const step of plan.steps) {
        const judged = step(one);
        if (judged !== undefined) await judged;
      }
    }
    const handlers = this.#handlers as Readonly<
      Record<string, (input: Groups, context: Call) => Awaitable<HandlerReply>>
    >;
    const replying = handlers[plan.name]?.(input, context);
    const reply = isPending(replying) ? await replying : replying;
    around.body = isObject(reply) ? reply["body"] : undefined;
    const written = writeReply(reply as HandlerReply, { caller: context.caller, operation: plan.name }, this.#tables);
    if (this.#isChecked) await this.#check(written, plan);
    // A refusal that is returned changes as little as one that is thrown.
    if (written.status >= 400) throw new Returned(written);
    return written;
  }

  /** Judges what is really sent. */
  async #check(written: Written, { name }: Plan): Promise<void> {
    this.#replies ??= this.#api.replies();
    const faults = checkReply(name, written, await this.#replies);
    if (faults.length > 0) throw new BrokenReply(name, written.status, faults);
  }

  #unadmitted(kind: "missing" | "invalid" | "scope", plan: Plan): Refusal {
    const id = this.#api.grammar?.errors[kind];
    const refusal =
      id === undefined || id === "" ? this.#telling.shared(kind === "scope" ? 403 : 401) : refusalOf(id, plan.failures);
    if (refusal.status !== 401) return refusal;
    // HTTP wants it said how one may ask.
    return { ...refusal, headers: { ...refusal.headers, "WWW-Authenticate": this.#challenge(plan) } };
  }

  #challenge({ gate }: Plan): string {
    const kinds = gate.schemes.map((name) => this.#api.schemes[name]);
    const names = kinds.map((scheme) => {
      if (scheme === undefined || scheme.kind === "apiKey" || scheme.kind === "mutualTLS") return "ApiKey";
      if (scheme.kind === "basic") return 'Basic realm="api", charset="UTF-8"';
      return scheme.kind === "http" ? scheme.scheme : "Bearer";
    });
    return [...new Set(names)].join(", ");
  }
}

interface Routed extends Sent {
  readonly turn: Turn;
}

interface Handling {
  readonly context: Call;
  readonly input: Groups;
  readonly found: FoundRoute;
}

/** Whether somebody wrote a handler, perhaps as the method of a class; what every object inherits is none. */
function hasHandler(handlers: AnyHandlers, name: string): boolean {
  const inherited: unknown = name in Object.prototype ? Reflect.get(Object.prototype, name) : undefined;
  return handlers[name] !== undefined && handlers[name] !== inherited;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** What is not sent is nobody's to read. */
function letGo(body: unknown): void {
  if (body instanceof ReadableStream) body.cancel().catch(() => undefined);
}

function isProduction(): boolean {
  const { process } = globalThis as {
    readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
  };
  return process?.env?.["NODE_ENV"] === "production";
}

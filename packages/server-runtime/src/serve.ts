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
import { challengeFor } from "./challenge.js";
import { checksReplies } from "./checked-replies.js";
import { Decoder, type Sent } from "./decoding.js";
import { RefusedWith, refusalOf, type Refusal } from "./errors.js";
import { isPending, type Awaitable } from "./handlers.js";
import { oneHost } from "./host-header.js";
import { retryAfter, type LimitStore } from "./limits.js";
import { memoryStore } from "./memory-store.js";
import { serverOptions } from "./known-options.js";
import type { ServeOptions, Transaction } from "./options.js";
import { Case, type Around } from "./case.js";
import { BrokenReply } from "./broken-reply.js";
import { inOrder, type InOrder } from "./order.js";
import { failureIdOf, Outcomes, outcomeStore, type Ending } from "./outcomes.js";
import { planOf, type Plan } from "./plan.js";
import { countRates } from "./rates.js";
import type { Received } from "./received.js";
import { checkReply, writeReply, type HandlerReply, type ReplyTables, type Written } from "./replies.js";
import { requestNames, type Naming } from "./request-ids.js";
import { ResponseRoom } from "./response-room.js";
import { admit, type Admitted, type Asking, type Gatekeeper } from "./scopes.js";
import type { RejectedStatus, Server } from "./server.js";
import { Returned, Telling, type AroundAnswer } from "./telling.js";
import { turnOf, type Counted, type Turn } from "./turn.js";

/** Handlers by operation name. */
export type AnyHandlers = Readonly<
  Record<string, ((input: never, context: never) => HandlerReply | Promise<HandlerReply>) | undefined>
>;

/**
 * Creates a server. Steps of a request: route, method, authentication, scopes, rates, decoding, validation; then in one transaction
 * lookups, grants, states, counts, handler, response.
 * @throws TypeError for unknown options and missing handlers
 */
export function serve(api: ServedApi, handlers: AnyHandlers, options: ServeOptions): Server {
  ensureKnown(options, serverOptions);
  const missing = all(api).filter(({ definition }) => !hasHandler(handlers, definition.name));
  if (missing.length > 0 && options.missing !== "not-implemented") {
    const names = missing.map(({ definition }) => definition.name);
    throw new TypeError(`Missing handlers: ${names.join(", ")}. Write them, or set missing: "not-implemented".`);
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
  readonly #methods: ReadonlySet<string>;
  readonly #keeper: Gatekeeper;
  readonly #around: Around;
  readonly #store: LimitStore;
  readonly #transaction: Transaction<Call> | undefined;
  readonly #inOrder: InOrder = inOrder();
  readonly #room: ResponseRoom;
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
    this.#methods = new Set(
      all(api)
        .map(({ definition }) => definition.method)
        .toSorted(),
    );
    this.#keeper = { schemes: api.schemes, grammar: api.grammar, authenticate: options.authenticate ?? {} };
    this.#around = { api, options, shelf: { resources: api.resources, stores: options.resources ?? {} } };
    this.#store = options.limits?.store ?? memoryStore();
    this.#transaction = options.transaction;
    this.#room = new ResponseRoom(options, (status) => this.#telling.shared(status));
    this.#tables = { shown: api.shown, visibleTo: api.visibleTo, headers: api.replyHeaders };
    this.#isChecked = checksReplies(options);
    this.#named = requestNames(options.requestId);
    this.#clock = options.clock ?? Date.now;
    if ([...this.#plans.values()].some(({ limits }) => limits.outcomes !== undefined)) outcomeStore(this.#store);
  }

  get unreadTimeoutMs(): number | undefined {
    return this.#options.unreadTimeoutMs;
  }

  answer(received: Received): Promise<Answer> | undefined {
    const run = this.#found(received);
    if (run === undefined) return undefined;
    if (!received.hasOneHost)
      return Promise.resolve(this.#told(received, (around) => this.#telling.refuse(oneHost, around)));
    const earlier = received.ready();
    if (earlier === undefined) return run();
    return earlier.then(run, (error: unknown) => this.failed(error, received));
  }

  /** Returns a function that runs the request. Undefined if the request is not for this API. */
  #found(received: Received): (() => Promise<Answer>) | undefined {
    const found = this.#guard.find(received);
    if (found?.kind === "route") return () => this.#run(found, received, this.#guard);
    const link = this.#links?.find(received);
    if (link?.kind === "route") return () => this.#run(link, received, this.#links ?? this.#guard);
    const nothing = found ?? (link?.kind === "method" ? link : undefined);
    return nothing === undefined ? undefined : async () => this.#unrouted(nothing, received);
  }

  nowhere(received: Received): Answer {
    return this.#told(received, (around) => this.#telling.refuse(this.#telling.shared(404), around));
  }

  failed(error: unknown, received: Received): Answer {
    const { requestId } = this.#named();
    return this.#telling.failure(error, { requestId, received });
  }

  rejection(status: RejectedStatus, reason?: string): Answer {
    const { requestId, failure } = this.#named();
    const around = { requestId, received: { method: "GET" } };
    if (failure !== undefined) return this.#telling.failure(failure.error, around);
    const refusal = this.#telling.shared(status);
    const said = reason ?? (status === 400 ? "The request is not valid HTTP" : undefined);
    const errors = said === undefined ? refusal.errors : [{ reason: said }];
    const headers: Record<string, string> = { ...refusal.headers, Connection: "close" };
    if (status === 405) headers["Allow"] = [...this.#methods, "OPTIONS"].join(", ");
    return this.#telling.refuse({ status: refusal.status, errors, headers }, around);
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
      return this.#room.inPieces(this.#telling.sent(written, around), around);
    } catch (error) {
      around.reservation?.release();
      if (!(error instanceof Returned)) letGo(around.body);
      return this.#telling.told(error, around);
    }
  }

  async #answered(plan: Plan, around: AroundAnswer, { turn, found, received, guard }: Routed): Promise<Written> {
    const admitted = await admit(plan.gate, this.#keeper, { received, asking: turn });
    this.#let(admitted, turn, plan);
    const { general } = this.#options.limits ?? {};
    if (plan.earlyRates.length > 0 || general !== undefined)
      this.#counted(await countRates(plan.earlyRates, turn, { general, store: this.#store }), around);
    if (!hasHandler(this.#handlers, plan.name)) throw new RefusedWith(this.#telling.shared(501));
    const decoding = this.#decoder.inputOf(plan, { found, received, guard });
    const input = isPending(decoding) ? await decoding : decoding;
    if (plan.lateRates.length > 0)
      this.#counted(await countRates(plan.lateRates, turn, { store: this.#store, input }), around);
    around.reservation = await this.#room.reserve(plan, turn);
    const run = (): Promise<Written> => this.#within(plan, around, { turn, input, found, received });
    const { outcomes, renewed } = plan.limits;
    return outcomes === undefined && renewed === undefined
      ? run()
      : this.#byOutcome(plan, around, { turn, input, received, run });
  }

  /** Counts a request by its outcome, and rejects it when the limit is reached. */
  async #byOutcome(plan: Plan, around: AroundAnswer, { turn, input, run }: Outgoing): Promise<Written> {
    const outcomes = new Outcomes(plan.limits, outcomeStore(this.#store), { turn, input });
    around.outcomes = outcomes;
    let ending: Ending = { effects: [] };
    try {
      const exceeded = await outcomes.begin();
      if (exceeded !== undefined) throw this.#exceeding(exceeded, around);
      const written = await run();
      ending = { effects: around.effects ?? [] };
      return written;
    } catch (error) {
      ending = { error: failureIdOf(error), effects: [] };
      throw error;
    } finally {
      // The outcome cannot be changed any more, so an error here is logged only.
      await this.#ended(outcomes, ending, turn).catch((error: unknown) => this.#telling.report(error, around));
    }
  }

  async #ended(outcomes: Outcomes, ending: Ending, turn: Turn): Promise<void> {
    for (const { id } of await outcomes.end(ending)) {
      const reached = this.#options.limits?.reached?.[id];
      if (reached === undefined) throw new TypeError(`Missing option \`limits.reached.${id}\`. Provide a function.`);
      if (this.#transaction === undefined) await reached(turn.caller, turn);
      else await this.#transaction(turn, async (added) => void (await reached(turn.caller, turn.with(added))));
    }
  }

  /** Runs the checks against stored data, and the handler. */
  #within(
    plan: Plan,
    around: AroundAnswer,
    { turn, input, found, received }: Omit<Handling, "context"> & Timed,
  ): Promise<Written> {
    if (this.#transaction !== undefined) {
      const { body } = input;
      return this.#transaction(turn, (added) => {
        // A retried transaction starts with the body that the client sent. All other values are computed again.
        if (body !== undefined) input["body"] = body;
        return this.#current(plan, around, { turn, context: turn.with(added), input, found, received });
      });
    }
    const run = (): Promise<Written> => this.#current(plan, around, { turn, context: turn, input, found, received });
    if (!plan.isOrdered) return run();
    // A slow streamed body would block all requests, so it blocks only those to the same path.
    const place = input["body"] instanceof ReadableStream ? JSON.stringify([plan.name, found.values]) : "";
    return this.#inOrder(place, run);
  }

  /** Sets the caller of a request, or throws if authentication failed. */
  #let(admitted: Admitted, turn: Pick<Turn, "caller" | "admission">, plan: Plan): void {
    turn.caller = admitted.caller;
    if (admitted.kind !== "admitted") throw new RefusedWith(this.#unadmitted(admitted.kind, plan));
    turn.admission = admitted.admission;
  }

  /** Authenticates again: while the body arrived, the credential may have expired or been revoked, or its user been restricted. */
  async #current(
    plan: Plan,
    around: AroundAnswer,
    { turn, received, context, ...rest }: Handling & Timed,
  ): Promise<Written> {
    if (!plan.isLocking || turn.caller === undefined) return this.#handled(plan, around, { context, ...rest });
    const { operation, requestId, address } = turn;
    const header = (name: string): string | undefined => turn.header(name);
    const asking: Asking = { operation, requestId, address, header, now: this.#clock(), context };
    this.#let(await admit(plan.gate, this.#keeper, { received, asking }), turn, plan);
    const { caller, admission } = turn;
    return this.#handled(plan, around, { context: Object.assign(context, { caller, admission }), ...rest });
  }

  /** Notes the rate with the fewest remaining requests. Throws if one is exceeded. */
  #counted({ refused, narrowest }: Awaited<ReturnType<typeof countRates>>, around: AroundAnswer): void {
    const { rate } = around;
    const isNarrower =
      narrowest !== undefined && !(rate !== undefined && rate.tally.remaining < narrowest.tally.remaining);
    if (isNarrower) around.rate = narrowest;
    if (refused === undefined) return;
    around.rate = refused;
    throw this.#exceeding(refused, around);
  }

  #exceeding({ limit, tally }: Counted, { plan, turn }: AroundAnswer): RefusedWith {
    const seconds = retryAfter(tally, turn?.now ?? 0);
    const id = limit.error ?? this.#api.byStatus[429];
    const failures = plan?.failures ?? {};
    const refusal = id === undefined ? this.#telling.shared(429) : refusalOf(id, failures);
    // Only these errors can succeed after waiting.
    const headers = [429, 503].includes(refusal.status) ? { "Retry-After": String(seconds) } : {};
    return new RefusedWith({ ...refusal, headers });
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
    // An error response that a handler returns rolls back, like one that it throws.
    if (written.status >= 400) throw new Returned(written);
    around.effects = (reply as HandlerReply).effects ?? [];
    const exceeded = around.outcomes?.exceededBy(around.effects);
    if (exceeded !== undefined) throw this.#exceeding(exceeded, around);
    return written;
  }

  /** Validates the serialized response. */
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
    // RFC 9110 requires `WWW-Authenticate` in a 401.
    return {
      ...refusal,
      headers: { ...refusal.headers, "WWW-Authenticate": challengeFor(plan.gate.schemes, this.#api) },
    };
  }
}

interface Routed extends Sent {
  readonly turn: Turn;
}

interface Outgoing extends Timed {
  readonly input: Groups;
  readonly run: () => Promise<Written>;
}

interface Timed {
  readonly turn: Turn;
  readonly received: Received;
}

interface Handling {
  readonly context: Call;
  readonly input: Groups;
  readonly found: FoundRoute;
}

function all({ operations, linked }: ServedApi): readonly Operation[] {
  return [...operations, ...linked];
}

/** Whether there is a handler, perhaps a method of a class. What every object inherits does not count. */
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

/** Cancels a stream that is not sent. */
function letGo(body: unknown): void {
  if (body instanceof ReadableStream) body.cancel().catch(() => undefined);
}

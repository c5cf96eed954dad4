import { fetchHandler } from "../server/adapters/fetch/index.js";
import type { AnyHandlers, RateLimitStore, Server } from "../server/index.js";
import { createMemoryStore } from "../server/index.js";
import { MockUsers, type UserSnapshot } from "./access/users.js";
import { createSeeds } from "./behavior/creation.js";
import { ReplaceableHandlers, type ReplacementHandlers } from "./behavior/replaceable-handlers.js";
import { runDueEvents } from "./behavior/state-machines.js";
import type { MockContext, RunningOperation } from "./mock-context.js";
import type { MockDefinition } from "./mock-definition.js";
import { createObjects, type MockObjects } from "./mock-objects.js";
import type { MockOptions } from "./mock-options.js";
import { createMockServer } from "./mock-server.js";
import { type InjectedError, ErrorInjector } from "./responses/injected-errors.js";
import { mockServerOptions } from "./server-options.js";
import { JobQueue } from "./store/job-queue.js";
import { durationMs, MockClock } from "./store/mock-clock.js";
import { MockStore, type StoreSnapshot } from "./store/mock-store.js";
import { createRandom } from "./store/random.js";

/** A running mock. */
export interface Mock<Handlers = AnyHandlers> {
  /** Responds to a request, as `fetch` would. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** The mock as a server, for the adapters of `@plumbline/server-runtime`: Node, Express, Fastify and Hono. */
  readonly server: Server;
  /** The users, to add some, and to change grants and tokens. */
  readonly users: MockUsers;
  /** The objects, to create what only the platform can. */
  readonly objects: MockObjects;
  /** What the description says. */
  readonly definition: MockDefinition;
  /** The time of the mock, in milliseconds since 1970. */
  now(): number;
  /**
   * Moves the clock forward. What becomes due meanwhile happens.
   *
   * @param by - an ISO 8601 duration such as `PT24H`, or milliseconds
   */
  advance(by: string | number): void;
  /** Moves the clock forward until no object is in a transient state, or 100,000 states have ended. Returns how many have. */
  settle(): number;
  /** While held, transient states do not end. */
  hold(isHeld: boolean): void;
  /** Returns to the start: its users, its objects, its handlers, its faults and the real time. */
  reset(): void;
  /** Copies the state. Handlers, faults, counted rates and `hold` are no part of it. */
  snapshot(): MockSnapshot;
  /** Returns to the state of a snapshot. */
  restore(snapshot: MockSnapshot): void;
  /**
   * Replaces handlers until `reset`, on top of earlier ones. A status that the description does not document is sent as it is.
   *
   * @throws TypeError for an unknown operation
   *
   * @example
   * mock.use({ getStations: () => ({ status: 503, body: { title: "Closed" } }) });
   */
  use(handlers: ReplacementHandlers<Handlers>): void;
  /** Replaces the faults that requests receive. */
  setFaults(faults: readonly InjectedError<Handlers>[]): void;
}

/** The state of a mock at one moment. Plain data, which later changes do not touch. */
export interface MockSnapshot {
  readonly store: StoreSnapshot;
  readonly users: UserSnapshot;
  readonly clockOffsetMs: number;
  readonly running: readonly RunningOperation[];
}

/** `createServer` of a generated package. It gets a handler for every operation, and every option. */
export type CreateServer = (handlers: never, options: never) => Server;

const defaultMaxObjects = 100_000;
/** The most jobs that one call of `settle` ends: a description may have states that follow each other without end. */
const maxSettledJobs = 100_000;

/**
 * Creates a mock: a server whose handlers do what the description says.
 *
 * @param definition - What the description says, as `readDefinition` returns it.
 * @param createServer - The function of the generated server.
 * @param options - Its users, its data and its clock.
 */
export function createBaseMock<Handlers = AnyHandlers>(
  definition: MockDefinition,
  createServer: CreateServer,
  options: MockOptions<Handlers> = {},
): Mock<Handlers> {
  const { data = {}, faults: initialFaults = [], formats, keywords } = options;
  const mock = createContext(definition, options);
  const { clock, jobs, users } = mock;
  const objects = createObjects(mock);
  const faults = new ErrorInjector<Handlers>(initialFaults, mock);
  const rates = createRates();
  const handlers = new ReplaceableHandlers(mock, { ...options.handlers });
  const generated = createServer(
    handlers.handlers as never,
    { ...mockServerOptions(mock, rates.store), ...(formats && { formats }), ...(keywords && { keywords }) } as never,
  );
  const server = createMockServer(mock, { server: generated, faults });
  createSeeds(mock);
  for (const [resource, values] of Object.entries(data)) for (const each of values) objects.create(resource, each, {});
  const initial = snapshotOf(mock);
  return {
    users,
    objects,
    definition,
    server,
    fetch: fetchHandler(server),
    now: () => clock.now(),
    advance: (by) => {
      clock.advance(typeof by === "string" ? durationMs(by) : by);
      runDueEvents(mock);
    },
    settle: () => settleJobs(mock),
    hold: (isHeld) => {
      jobs.isHeld = isHeld;
      jobs.rescan();
    },
    reset: () => {
      rates.clear();
      jobs.isHeld = false;
      faults.replace(initialFaults);
      handlers.reset();
      restoreSnapshot(mock, initial);
    },
    snapshot: () => snapshotOf(mock),
    restore: (snapshot) => restoreSnapshot(mock, snapshot),
    use: (replacements) => handlers.replace(replacements as AnyHandlers),
    setFaults: (next) => faults.replace(next),
  };
}

function createContext<Handlers>(definition: MockDefinition, options: MockOptions<Handlers>): MockContext {
  const store = new MockStore(options.maxObjects ?? defaultMaxObjects, ({ resource, values }) => {
    const field = definition.resources[resource]?.identifier.field;
    return field === undefined ? undefined : values[field];
  });
  return {
    definition,
    store,
    clock: new MockClock(options.clock ?? Date.now),
    jobs: new JobQueue(store, definition.stateMachines),
    users: new MockUsers(options.users),
    random: createRandom(options.seed ?? 1),
    pace: options.pace ?? 1,
    origin: options.publicUrl,
    running: [],
    exampleResponses: new Set(),
    capacityErrors: new Map(),
  };
}

/** Counts of rates, which a reset clears. */
function createRates(): { readonly store: RateLimitStore; readonly clear: () => void } {
  let counts = createMemoryStore();
  return {
    store: {
      consume: (hit) => counts.consume(hit),
      undo: (hit) => counts.undo(hit),
      reset: (key) => counts.reset(key),
    },
    clear: () => {
      counts = createMemoryStore();
    },
  };
}

function settleJobs(mock: MockContext): number {
  const { clock, jobs } = mock;
  let ended = 0;
  for (let job = jobs.nextJob(); job !== undefined && ended < maxSettledJobs; job = jobs.nextJob()) {
    clock.advance(Math.max(0, job.at - clock.now()));
    jobs.rescan();
    runDueEvents(mock);
    ended += 1;
  }
  return ended;
}

function snapshotOf(mock: MockContext): MockSnapshot {
  return {
    store: mock.store.snapshot(),
    users: mock.users.snapshot(),
    clockOffsetMs: mock.clock.offsetMs,
    running: [...mock.running],
  };
}

function restoreSnapshot(mock: MockContext, { store, users, clockOffsetMs, running }: MockSnapshot): void {
  mock.store.restore(store);
  mock.users.restore(users);
  mock.clock.setOffset(clockOffsetMs);
  mock.running.splice(0, mock.running.length, ...running);
  mock.jobs.rescan();
}

import { bytes } from "@plumbline/validator-runtime";
import {
  usualBodyLimit,
  type FoundRoute,
  type Groups,
  type Guard,
  type Pending,
  type Verdict,
} from "@plumbline/validator-runtime/serving";
import { entriesOf, RefusedWith, refusalOf } from "./errors.js";
import { isPending, type Awaitable } from "./handlers.js";
import { Intake, isBodyEnd } from "./intake.js";
import type { ServeOptions } from "./options.js";
import type { Plan } from "./plan.js";
import { BodyEaten, ClientLeft, type Received } from "./received.js";
import type { Telling } from "./telling.js";

/** A request and its route. */
export interface Sent {
  readonly found: FoundRoute;
  readonly received: Received;
  readonly guard: Guard;
}

/** Reads requests and validates them without stored data. */
export class Decoder {
  readonly #telling: Telling;
  readonly #options: ServeOptions;
  readonly #intake: Intake;

  constructor(telling: Telling, options: ServeOptions) {
    const { bodyLimit = usualBodyLimit, bodyMemory = usualBodyMemory } = options;
    this.#telling = telling;
    this.#options = options;
    // One body of the maximum size has to fit.
    this.#intake = new Intake(Math.max(bodyMemory, bodyLimit));
  }

  /**
   * Returns the decoded input of a request.
   *
   * @throws RefusedWith if the request is not valid
   */
  inputOf(plan: Plan, { found, received, guard }: Sent): Awaitable<Groups> {
    const limit = plan.limits.bytes?.max ?? streamLimitOf(plan, this.#options);
    const verdict = guard.judgeFound(found, received, limit);
    return verdict.kind === "pending" ? this.#read(plan, verdict, received) : this.#judged(plan, verdict);
  }

  async #read(plan: Plan, pending: Pending, received: Received): Promise<Groups> {
    const meter = this.#intake.watch(this.#timeOf(plan, pending));
    if (pending.isStream) return this.#judged(plan, pending.judgeStream(received.stream(pending.limit, meter)));
    const whole = await received.bytes(pending.limit, pending.isDeclared, meter).catch(leaving);
    const judged = whole === undefined ? pending.judgeTooLarge() : pending.judgeBody(whole);
    return this.#judged(plan, isPending(judged) ? await judged : judged);
  }

  /** Milliseconds in which the body has to arrive. The time of the description applies if it limits the bytes of the operation. */
  #timeOf({ limits }: Plan, { isStream }: Pending): number {
    const { bodyTimeoutMs = usualBodyTimeoutMs, streamTimeoutMs = usualStreamTimeoutMs } = this.#options;
    const seconds = limits.bytes?.windowSeconds;
    if (seconds !== undefined) return seconds * 1000;
    return isStream ? streamTimeoutMs : bodyTimeoutMs;
  }

  #judged(plan: Plan, verdict: Verdict): Groups {
    if (verdict.kind === "accepted") return verdict.input;
    if (verdict.kind === "pass") return {};
    const { status, faults, headers } = verdict;
    const id = status === 413 ? plan.limits.bytes?.error : undefined;
    if (id !== undefined) throw new RefusedWith(refusalOf(id, plan.failures));
    // An id that is not valid gets the same response as one that does not exist.
    if (status === 404) throw new RefusedWith(this.#telling.shared(404));
    const { connection } = headers;
    throw new RefusedWith({
      status,
      errors: entriesOf(faults),
      ...(connection === undefined ? {} : { headers: { Connection: connection } }),
    });
  }
}

function streamLimitOf(
  { operation }: Plan,
  { bodyLimit = usualBodyLimit, streamLimit = usualStreamLimit }: ServeOptions,
): number {
  const contents = Object.values(operation.definition.body?.contents ?? {});
  return contents.length > 0 && contents.every(({ read }) => read === bytes) ? streamLimit : bodyLimit;
}

const usualStreamLimit = 1_073_741_824;
const usualBodyMemory = 67_108_864;
const usualBodyTimeoutMs = 60_000;
const usualStreamTimeoutMs = 3_600_000;

function leaving(error: unknown): never {
  throw error instanceof BodyEaten || isBodyEnd(error) ? error : new ClientLeft(error);
}

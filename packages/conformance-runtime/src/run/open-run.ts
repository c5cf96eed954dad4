import { openServerClock } from "./server-clock.js";
import { openHttpClient } from "../http/http-client.js";
import { openJournal } from "../cleanup/journal.js";
import { createObjectRegistry } from "../cleanup/created-objects.js";
import { createRequestThrottle } from "./request-throttle.js";
import type { RunOptions } from "../results.js";
import { createSchemaValidators } from "../assert/schemas.js";
import { createSecretRegistry } from "../http/secrets.js";
import type { RunContext } from "./step-context.js";
import type { Capability, Suite } from "../suite.js";
import type { Timer } from "./timer.js";

export interface OpenRunOptions extends Pick<
  RunOptions,
  "url" | "controls" | "credentials" | "scenarios" | "journal" | "signal"
> {
  readonly runId: string;
  readonly seed: number;
  readonly started: string;
  readonly note: (text: string) => void;
  readonly timer: Timer;
}

/** Opens the resources of a run; `close` releases them. */
export function openRun(
  suite: Suite,
  options: OpenRunOptions,
): { readonly run: RunContext; readonly close: () => void } {
  const http = openHttpClient();
  const { runId, url, started, timer } = options;
  const journal = openJournal(options.journal, { runId, url, started });
  const capabilities = detectCapabilities(suite, options);
  const clock = openServerClock(capabilities.has("clock") ? suite.clock : undefined);
  const signal = options.signal ?? new AbortController().signal;
  const run: RunContext = {
    suite,
    options,
    runId,
    seed: options.seed,
    tag: `c${runId}`,
    capabilities,
    http,
    schemas: createSchemaValidators(suite),
    secrets: createSecretRegistry(),
    createdObjects: createObjectRegistry(journal),
    clock,
    throttle: createRequestThrottle({ isEnabled: !clock.isControlled, note: options.note, signal, timer }),
    timer,
    signal,
    note: options.note,
    requests: { sent: 0 },
    controlIds: new Set(),
  };
  return {
    run,
    close() {
      http.close();
      journal.close();
    },
  };
}

/** The capabilities that the server and the options of the run provide. */
export function detectCapabilities(
  { actors, clock }: Pick<Suite, "actors" | "clock">,
  { controls, credentials }: Pick<RunOptions, "controls" | "credentials">,
): ReadonlySet<Capability> {
  const hasControls = controls !== undefined;
  const makesUsers = hasControls && actors.user !== undefined;
  const has = {
    controls: hasControls,
    "other-account": makesUsers || credentials.otherAccount !== undefined,
    users: makesUsers,
    tokens: makesUsers || actors.token !== undefined,
    clock: hasControls && clock !== undefined,
    listener: true,
  } satisfies Record<Capability, boolean>;
  return new Set((Object.keys(has) as Capability[]).filter((each) => has[each]));
}

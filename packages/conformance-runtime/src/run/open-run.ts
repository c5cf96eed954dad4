import { SchemaValidators } from "../assert/schemas.js";
import { createObjectRegistry } from "../cleanup/created-objects.js";
import { openJournal } from "../cleanup/journal.js";
import { openHttpClient } from "../http/http-client.js";
import { createRequestThrottle } from "../http/request-throttle.js";
import { createSecretRegistry } from "../http/secrets.js";
import type { TargetServer } from "../http/target.js";
import { systemTimer } from "../http/timer.js";
import type { RunOptions } from "../results.js";
import type { Capability, Suite } from "../suite.js";
import { createResponseStatistics } from "./response-statistics.js";
import type { RunContext } from "./run-context.js";
import { openServerClock } from "./server-clock.js";

export interface OpenRunOptions extends Pick<
  RunOptions,
  "url" | "controls" | "credentials" | "scenarios" | "journal" | "signal" | "timer"
> {
  readonly runId: string;
  readonly seed: number;
  readonly started: string;
  readonly note: (text: string) => void;
}

/** Opens the resources of a run; `close` releases them. */
export function openRun(
  suite: Suite,
  options: OpenRunOptions,
): { readonly run: RunContext; readonly close: () => void } {
  const target = openTarget(suite, options);
  const { runId, url, started, seed, credentials, scenarios = {}, note, timer = systemTimer } = options;
  const journal = openJournal(options.journal, { runId, url, started });
  const capabilities = detectCapabilities(suite, options);
  const clock = openServerClock(capabilities.has("clock") ? suite.clock : undefined);
  const signal = options.signal ?? new AbortController().signal;
  const run: RunContext = {
    suite,
    target,
    credentials,
    capabilities,
    scenarios,
    seed,
    tag: `c${runId}`,
    schemas: new SchemaValidators(suite),
    secrets: createSecretRegistry(),
    createdObjects: createObjectRegistry(journal),
    controlIds: new Set(),
    clock,
    throttle: createRequestThrottle({ isEnabled: !clock.isControlled, note, signal, timer }),
    statistics: createResponseStatistics({ createsUsers: capabilities.has("users") }),
    timer,
    signal,
    note,
  };
  return {
    run,
    close() {
      target.client.close();
      journal.close();
    },
  };
}

function openTarget(
  { operations, controls, command, version }: Suite,
  { url, controls: controlsUrl }: Pick<RunOptions, "url" | "controls">,
): TargetServer {
  return {
    operations,
    controls,
    url: withoutLastSlash(url),
    controlsUrl: controlsUrl === undefined ? undefined : withoutLastSlash(controlsUrl),
    userAgent: `${command}/${version}`,
    client: openHttpClient(),
    requests: { sent: 0 },
  };
}

function withoutLastSlash(url: string): string {
  return url.replace(/\/$/, "");
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
    callers: makesUsers || Object.keys(credentials.callers ?? {}).length > 0,
    tokens: makesUsers || actors.token !== undefined || (credentials.tokens ?? []).length > 0,
    clock: hasControls && clock !== undefined,
    listener: true,
    // Only a response shows that there is none.
    object: true,
  } satisfies Record<Capability, boolean>;
  return new Set((Object.keys(has) as Capability[]).filter((each) => has[each]));
}

import { openClock } from "./clock.js";
import { openHttp } from "./http.js";
import { openJournal } from "./journal.js";
import { keepLedger } from "./ledger.js";
import { openPace } from "./pace.js";
import type { RunOptions } from "./results.js";
import { readSchemas } from "./schemas.js";
import { keepSecrets } from "./secrets.js";
import type { Run } from "./stage.js";
import type { Capability, Suite } from "./suite.js";
import type { Timer } from "./timer.js";

export interface OpenOptions extends Pick<
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
export function openRun(suite: Suite, options: OpenOptions): { readonly run: Run; readonly close: () => void } {
  const http = openHttp();
  const { runId, url, started, timer } = options;
  const journal = openJournal(options.journal, { runId, url, started });
  const capabilities = capabilitiesOf(suite, options);
  const clock = openClock(capabilities.has("clock") ? suite.clock : undefined);
  const signal = options.signal ?? new AbortController().signal;
  const run: Run = {
    suite,
    options,
    runId,
    seed: options.seed,
    tag: `c${runId}`,
    capabilities,
    http,
    schemas: readSchemas(suite),
    secrets: keepSecrets(),
    ledger: keepLedger(journal),
    clock,
    pace: openPace({ isKept: !clock.isControlled, note: options.note, signal, timer }),
    timer,
    signal,
    note: options.note,
    requests: { sent: 0 },
    controlled: new Set(),
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
export function capabilitiesOf(
  { actors, clock }: Pick<Suite, "actors" | "clock">,
  { controls, credentials }: Pick<RunOptions, "controls" | "credentials">,
): ReadonlySet<Capability> {
  const hasControls = controls !== undefined;
  const makesUsers = hasControls && actors.user !== undefined;
  const has = {
    controls: hasControls,
    stranger: makesUsers || credentials.stranger !== undefined,
    users: makesUsers,
    tokens: makesUsers || actors.token !== undefined,
    clock: hasControls && clock !== undefined,
    listener: true,
  } satisfies Record<Capability, boolean>;
  return new Set((Object.keys(has) as Capability[]).filter((each) => has[each]));
}

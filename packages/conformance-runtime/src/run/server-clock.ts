import { toText } from "../values/json.js";
import { runFixture } from "./run-fixture.js";
import { SetupError, type StepContext } from "./step-context.js";
import type { ClockControls } from "../suite.js";

/** The server's clock and jobs. Without test controls it only reads the time of this machine. */
export interface ServerClock {
  readonly isControlled: boolean;
  /** Counts advances, so that two waiters for the same moment advance the clock once. */
  advanceCount(): number;
  /** The last known time, in milliseconds since 1970. */
  now(): number;
  /** Reads the time from the server. */
  refresh(stage: StepContext): Promise<void>;
  advance(duration: string, stage: StepContext): Promise<void>;
  settle(stage: StepContext): Promise<void>;
  hold(hold: boolean, stage: StepContext): Promise<void>;
}

export function openServerClock(controls: ClockControls | undefined): ServerClock {
  let offset = 0;
  let moves = 0;
  let held = false;
  let asking = false;

  return {
    isControlled: controls !== undefined,
    advanceCount: () => moves,
    now: () => Date.now() + offset,
    async refresh(stage) {
      // The fixture may itself use `$time`.
      if (controls === undefined || asking) return;
      asking = true;
      try {
        read(await runFixture(controls.now, {}, stage));
      } finally {
        asking = false;
      }
    },
    async advance(duration, stage) {
      const { advance } = controlled("move its clock");
      read(await runFixture(advance, { by: duration }, stage));
      moves++;
    },
    async settle(stage) {
      if (controls !== undefined && !held) await runFixture(controls.settle, {}, stage);
    },
    async hold(hold, stage) {
      if (hold === held) return;
      const fixture = controlled("hold its jobs").hold;
      held = hold;
      await runFixture(fixture, { hold }, stage);
    },
  };

  function controlled(wish: string): ClockControls {
    if (controls !== undefined) return controls;
    throw new SetupError([
      {
        message: `The server has no test controls to ${wish}. Pass their address with --controls.`,
        expected: "test controls",
        received: "none",
        requirements: [],
      },
    ]);
  }

  function read(time: Parameters<typeof toText>[0]): void {
    const moment = Date.parse(toText(time));
    if (!Number.isNaN(moment)) offset = moment - Date.now();
  }
}

import { SetupError } from "../errors.js";
import type { ClockControls, Fixture, Json } from "../suite.js";
import { toText, type JsonObject } from "../values/json.js";

/** Runs a fixture of the test controls. */
export type FixtureRunner = (fixture: Fixture, inputs: JsonObject) => Promise<Json>;

/** The server's clock and jobs. Without test controls it only reads the time of this machine. */
export interface ServerClock {
  readonly isControlled: boolean;
  /** True for a test control that only reads or moves the clock, or runs jobs. */
  isClockCall(call: string): boolean;
  /** Counts advances, so that two waiters for the same moment advance the clock once. */
  advanceCount(): number;
  /** The last known time, in milliseconds since 1970. */
  now(): number;
  /** Reads the time from the server, in milliseconds since 1970. */
  refresh(runFixture: FixtureRunner): Promise<number>;
  advance(duration: string, runFixture: FixtureRunner): Promise<void>;
  settle(runFixture: FixtureRunner): Promise<void>;
  hold(hold: boolean, runFixture: FixtureRunner): Promise<void>;
}

export function openServerClock(controls: ClockControls | undefined): ServerClock {
  let offset = 0;
  let moves = 0;
  let isHeld = false;
  let asking = false;
  const fixtures = controls === undefined ? [] : [controls.now, controls.advance, controls.settle, controls.hold];
  const calls = new Set(fixtures.flatMap(({ steps }) => steps.flatMap((step) => ("call" in step ? [step.call] : []))));

  return {
    isControlled: controls !== undefined,
    isClockCall: (call) => calls.has(call),
    advanceCount: () => moves,
    now,
    async refresh(runFixture) {
      // The fixture may itself use `$time`.
      if (controls === undefined || asking) return now();
      asking = true;
      try {
        return synchronize(await runFixture(controls.now, {}));
      } finally {
        asking = false;
      }
    },
    async advance(duration, runFixture) {
      const { advance } = controlled("move its clock");
      synchronize(await runFixture(advance, { by: duration }));
      moves++;
    },
    async settle(runFixture) {
      if (controls !== undefined && !isHeld) synchronize(await runFixture(controls.settle, {}));
    },
    async hold(hold, runFixture) {
      if (hold === isHeld) return;
      const fixture = controlled("hold its jobs").hold;
      isHeld = hold;
      await runFixture(fixture, { hold });
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

  function now(): number {
    return Date.now() + offset;
  }

  function synchronize(time: Json): number {
    const moment = Date.parse(toText(time));
    if (Number.isNaN(moment)) return now();
    offset = moment - Date.now();
    return moment;
  }
}

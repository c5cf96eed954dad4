import { asText } from "./json.js";
import { runRecipe } from "./recipes.js";
import { CannotRun, type Stage } from "./stage.js";
import type { ClockControls } from "./suite.js";

/** The server's clock and jobs. Without test controls it only reads the time of this machine. */
export interface Clock {
  readonly isControlled: boolean;
  /** Counts advances, so that two waiters for the same moment advance the clock once. */
  moves(): number;
  /** The last known time, in milliseconds since 1970. */
  now(): number;
  /** Reads the time from the server. */
  refresh(stage: Stage): Promise<void>;
  advance(duration: string, stage: Stage): Promise<void>;
  settle(stage: Stage): Promise<void>;
  hold(hold: boolean, stage: Stage): Promise<void>;
}

export function openClock(controls: ClockControls | undefined): Clock {
  let offset = 0;
  let moves = 0;
  let held = false;
  let asking = false;

  return {
    isControlled: controls !== undefined,
    moves: () => moves,
    now: () => Date.now() + offset,
    async refresh(stage) {
      // The recipe may itself use `$time`.
      if (controls === undefined || asking) return;
      asking = true;
      try {
        read(await runRecipe(controls.now, {}, stage));
      } finally {
        asking = false;
      }
    },
    async advance(duration, stage) {
      const { advance } = controlled("move its clock");
      read(await runRecipe(advance, { by: duration }, stage));
      moves++;
    },
    async settle(stage) {
      if (controls !== undefined && !held) await runRecipe(controls.settle, {}, stage);
    },
    async hold(hold, stage) {
      if (hold === held) return;
      const recipe = controlled("hold its jobs").hold;
      held = hold;
      await runRecipe(recipe, { hold }, stage);
    },
  };

  function controlled(wish: string): ClockControls {
    if (controls !== undefined) return controls;
    throw new CannotRun([
      {
        message: `The server has no test controls to ${wish}. Pass their address with --controls.`,
        expected: "test controls",
        received: "none",
        requirements: [],
      },
    ]);
  }

  function read(time: Parameters<typeof asText>[0]): void {
    const moment = Date.parse(asText(time));
    if (!Number.isNaN(moment)) offset = moment - Date.now();
  }
}

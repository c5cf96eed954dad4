import { anonymous, newUser } from "./actors.js";
import { onStage, type Identity, type Lane, type Run, type Stage } from "./stage.js";
import { perform } from "./steps.js";
import { keep } from "./credentials.js";
import { newTrail } from "./trail.js";
import { uniqueValues } from "./unique.js";

export interface LaneOptions {
  readonly index: number;
  /** A number that no case and no other lane of the run has. */
  readonly whose: number;
  /** An account that it is to have for its own; null: the one of the given token. */
  readonly account: string | null;
}

/** A lane, with a user of its own where the test controls make one. */
export async function openLane(run: Run, { index, whose, account }: LaneOptions): Promise<Lane> {
  const unique = uniqueValues({ tag: run.tag, seed: run.seed, whose });
  const shared = { index, unique, callers: new Map(), byToken: new Map(), fixtures: new Map(), had: new Map() };
  const { main: token, stranger } = run.options.credentials;
  keep(token, "TOKEN", run.secrets);
  keep(stranger, "STRANGER_TOKEN", run.secrets);
  const main: Identity = token === undefined ? anonymous : { words: "main", token, username: null, account: null };
  const given: Lane = { ...shared, account: null, main };
  if (account === null) return given;
  const own = await newUser({ account: "own" }, laneStage(run, given), { words: "main", secret: "$TOKEN", account });
  return { ...given, account, main: own };
}

/** A stage for what belongs to the lane, and to no case. */
export function laneStage(run: Run, lane: Lane): Stage {
  return onStage({
    run,
    lane,
    bound: new Map(),
    unique: lane.unique,
    caller: lane.main,
    prepares: true,
    trail: newTrail(),
    requirements: [],
    perform,
    differ: () => undefined,
    onEnd: () => undefined,
  });
}

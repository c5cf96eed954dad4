import { anonymous, newUser } from "./actors.js";
import { onStage, type Identity, type Lane, type Run, type Stage } from "./stage.js";
import { perform } from "./steps.js";
import { keep } from "./credentials.js";
import { newTrail } from "./trail.js";
import { uniqueValues } from "./unique.js";

export interface LaneOptions {
  readonly index: number;
  /** A number that is unique among the cases and lanes of the run. */
  readonly whose: number;
  /** The account to create for the lane. Null: the account of the main token. */
  readonly account: string | null;
}

/** Opens a lane. With test controls it creates a user for the lane. */
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

/** A stage for steps of the lane itself, outside of cases. */
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

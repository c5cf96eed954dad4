import { registerToken } from "../http/credential-encoding.js";
import { createExchangeLog } from "../http/exchange-log.js";
import { anonymousIdentity, type Identity } from "../http/identity.js";
import { createUniqueGenerator } from "../values/unique-values.js";
import { createUser } from "./identities.js";
import { performStep } from "./perform-step.js";
import type { RunContext } from "./run-context.js";
import { createStepContext, type StepContext } from "./step-context.js";
import type { Worker } from "./worker.js";

export interface WorkerOptions {
  readonly index: number;
  /** A number that is unique among the cases and workers of the run. */
  readonly owner: number;
  /** The account to create for the worker. Null: the account of the main token. */
  readonly account: string | null;
}

/** Opens a worker. With test controls it creates a user for the worker. */
export async function openWorker(run: RunContext, { index, owner, account }: WorkerOptions): Promise<Worker> {
  const unique = createUniqueGenerator({ tag: run.tag, seed: run.seed, owner });
  const shared = {
    index,
    unique,
    identities: new Map(),
    identitiesByToken: new Map(),
    sharedFixtures: new Map(),
    initialSnapshot: new Map(),
    frame: { changes: 0, world: undefined, acceptedFields: new Map() },
  };
  const { main: token, otherAccount } = run.credentials;
  registerToken(token, "TOKEN", run.secrets);
  registerToken(otherAccount, "OTHER_ACCOUNT_TOKEN", run.secrets);
  const main: Identity =
    token === undefined ? anonymousIdentity : { label: "main", token, username: null, account: null };
  const worker: Worker = { ...shared, account: null, main };
  if (account === null) return worker;
  const user = await createUser({ account: "own" }, workerContext(run, worker), {
    label: "main",
    secret: "$TOKEN",
    account,
  });
  return { ...worker, account, main: user };
}

/** A scope for steps of the worker itself, outside of cases. */
export function workerContext(run: RunContext, worker: Worker): StepContext {
  return createStepContext({
    caseContext: {
      run,
      worker,
      unique: worker.unique,
      log: createExchangeLog(),
      requirements: [],
      reportFailure: () => undefined,
      onEnd: () => undefined,
    },
    variables: new Map(),
    caller: worker.main,
    isSetup: true,
    isFull: false,
    performStep,
  });
}

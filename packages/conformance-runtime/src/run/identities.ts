import { resolvePointer, isJsonObject, formatJson, type JsonObject } from "../values/json.js";
import { runFixture } from "./run-fixture.js";
import { SetupError, createStepContext, type Identity, type StepContext } from "./step-context.js";
import type { ActorStep, Caller, Json, NewUser, Fixture } from "../suite.js";
import { evaluateTemplate, UnavailableValueError } from "../values/template.js";
import { appendExchanges, createExchangeLog } from "../http/exchange-log.js";

export const anonymousIdentity: Identity = { label: "anonymous", username: null, account: null };

/** The identity of a caller. The first call of its kind in a worker creates it. */
export async function resolveIdentity(by: Caller | undefined, stage: StepContext): Promise<Identity> {
  const { worker, values } = stage;
  if (by === undefined) return stage.caller;
  if (by === "main") return worker.main;
  if (by === "anonymous") return anonymousIdentity;
  if (by === "other-account") return otherAccountIdentity(stage);
  if ("user" in by)
    return identityOfToken(tokenOf(values.get(by.user), by.user), { label: `the user ${by.user}`, stage });
  if ("token" in by)
    return identityOfToken(textOf(evaluateTemplate(by.token, values)), { label: "a token of its own", stage });
  if ("authorization" in by)
    return {
      ...worker.main,
      label: "its own Authorization",
      authorization: textOf(evaluateTemplate(by.authorization, values)),
    };
  const grants = "grants" in by ? evaluateTemplate(by.grants, values) : undefined;
  const key = JSON.stringify([by.scopes, grants]);
  return cachedIdentity(key, stage, (shared) =>
    grants === undefined
      ? scopedIdentity(by.scopes ?? "*", shared)
      : createUser({ account: "own", restricted: true, grants, scopes: by.scopes ?? "*" }, shared, {
          label: "a restricted user",
          secret: "$RESTRICTED_TOKEN",
        }),
  );
}

/** Creates a user for one case. */
export async function createActor(step: ActorStep, stage: StepContext): Promise<Json> {
  const { grants, ...rest } = step.actor;
  const user = { ...rest, ...(grants === undefined ? {} : { grants: evaluateTemplate(grants, stage.values) }) };
  const secret = `$${step.as.toUpperCase()}_TOKEN`;
  const made = await createUser(user, stage, { label: `the user ${step.as}`, secret });
  const { token = "" } = made;
  if (typeof token !== "string") throw new UnavailableValueError(`${step.as} has several tokens.`);
  stage.log.secrets.push(token);
  return { username: made.username, token };
}

/** Creates a user by the suite's fixture, through the test controls. */
export async function createUser(
  user: NewUser,
  stage: StepContext,
  { label, secret, account }: { readonly label: string; readonly secret: string; readonly account?: string },
): Promise<Identity> {
  const fixture = stage.run.suite.actors.user;
  if (fixture === undefined) throw missingFixtureError("users");
  const whose = account ?? (user.account === "own" ? stage.worker.account : stage.unique("label"));
  const inputs = {
    username: stage.unique("username"),
    account: whose,
    restricted: user.restricted ?? false,
    grants: user.grants ?? {},
    scopes: user.scopes ?? "*",
  };
  return identityOf(await runFixture(fixture, inputs, stage), { label, secret, account: whose, stage });
}

async function otherAccountIdentity(stage: StepContext): Promise<Identity> {
  const { credentials } = stage.run.options;
  return cachedIdentity("other-account", stage, async (shared) => {
    if (stage.run.suite.actors.user !== undefined && stage.run.capabilities.has("users"))
      return createUser({ account: "other" }, shared, { label: "other account", secret: "$OTHER_ACCOUNT_TOKEN" });
    if (credentials.otherAccount === undefined) throw missingFixtureError("a second account");
    return {
      label: "other account",
      token: credentials.otherAccount,
      username: null,
      account: "other-account",
    };
  });
}

/** The worker's user with another token. Without a fixture for tokens: another user of its account. */
async function scopedIdentity(scopes: string, stage: StepContext): Promise<Identity> {
  const options = { label: `a token with the scopes ${scopes}`, secret: "$SCOPED_TOKEN" };
  const fixture: Fixture | undefined = stage.run.suite.actors.token;
  if (fixture === undefined) return createUser({ account: "own", scopes }, stage, options);
  const inputs: JsonObject = { scopes, username: stage.worker.main.username, account: stage.worker.account };
  const answer = await runFixture(fixture, inputs, createStepContext(stage, { caller: stage.worker.main }));
  return {
    ...identityOf(answer, { ...options, account: stage.worker.account, stage }),
    username: stage.worker.main.username,
  };
}

function identityOf(
  answer: Json,
  about: {
    readonly label: string;
    readonly secret: string;
    readonly account: string | null;
    readonly stage: StepContext;
  },
): Identity {
  const token = tokenOf(answer, about.label);
  about.stage.run.secrets.add(token, about.secret);
  const username = resolvePointer(answer, "/username");
  const identity = {
    label: about.label,
    token,
    username: typeof username === "string" ? username : null,
    account: about.account,
  };
  about.stage.worker.identitiesByToken.set(token, identity);
  return identity;
}

/** An identity that the worker caches for all its cases. */
async function cachedIdentity(
  key: string,
  stage: StepContext,
  make: (stage: StepContext) => Promise<Identity>,
): Promise<Identity> {
  const { identities, unique } = stage.worker;
  const known = identities.get(key);
  if (known !== undefined) return known;
  // The cleanup of a case would delete a token that the case owned.
  const log = createExchangeLog();
  try {
    const identity = await make(createStepContext(stage, { log, unique }));
    identities.set(key, identity);
    return identity;
  } finally {
    appendExchanges(stage.log, log);
    stage.log.requests += log.requests;
  }
}

function identityOfToken(
  token: string,
  { label, stage }: { readonly label: string; readonly stage: StepContext },
): Identity {
  const known = stage.worker.identitiesByToken.get(token);
  if (known !== undefined) return { ...known, label };
  stage.run.secrets.add(token, "$NEW_TOKEN");
  stage.log.secrets.push(token);
  return { ...stage.worker.main, label, token };
}

function tokenOf(user: Json | undefined, name: string): string {
  const token = isJsonObject(user) ? user["token"] : undefined;
  if (typeof token !== "string") throw new UnavailableValueError(`${name} has no token: ${formatJson(user)}.`);
  return token;
}

function textOf(value: Json): string {
  if (typeof value !== "string") throw new UnavailableValueError(`${formatJson(value)} is not a token.`);
  return value;
}

function missingFixtureError(what: string): SetupError {
  const message = `The suite has no fixture for ${what}.`;
  return new SetupError([{ message, expected: what, received: "none", requirements: [] }]);
}

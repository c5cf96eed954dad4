import { MissingCapabilityError, SetupError } from "../errors.js";
import { anonymousIdentity, type Identity } from "../http/identity.js";
import type { ActorStep, Caller, Json, NewUser, Fixture } from "../suite.js";
import { attributesOf } from "../values/callers.js";
import { resolvePointer } from "../values/json-pointer.js";
import { isJsonObject, formatJson, type JsonObject } from "../values/json.js";
import { evaluateTemplate, UnavailableValueError } from "../values/template.js";
import type { CaseContext } from "./case-context.js";
import { createCleanupContext } from "./cleanup-context.js";
import { runFixture } from "./run-fixture.js";
import { discardSharedFixtures } from "./shared-objects.js";
import { createStepContext, type StepContext } from "./step-context.js";
import { createInWorkerScope } from "./worker-scope.js";

/** The identity of a caller. The first call of its kind in a worker creates it. */
export async function resolveIdentity(by: Caller | undefined, context: StepContext): Promise<Identity> {
  const { values } = context;
  const { worker } = context.caseContext;
  if (by === undefined) return context.caller;
  if (by === "main") return worker.main;
  if (by === "anonymous") return anonymousIdentity;
  if (by === "other-account") return otherAccountIdentity(context);
  if ("user" in by && isStandIn(values.get(by.user))) return worker.main;
  if ("user" in by)
    return identityOfToken(tokenOf(values.get(by.user), by.user), {
      label: `the user ${by.user}`,
      context: context.caseContext,
    });
  if ("token" in by)
    return identityOfToken(textOf(evaluateTemplate(by.token, values)), {
      label: "a token of its own",
      context: context.caseContext,
    });
  if ("authorization" in by)
    return {
      ...worker.main,
      label: "its own Authorization",
      authorization: textOf(evaluateTemplate(by.authorization, values)),
    };
  const grants = "caller" in by && by.grants !== undefined ? evaluateTemplate(by.grants, values) : undefined;
  const { capabilities, suite } = context.caseContext.run;
  // Tokens of a profile stand in for several scopes.
  const isCreated = capabilities.has("users") || suite.actors.token !== undefined;
  const key = JSON.stringify(isCreated ? ["caller" in by ? by.caller : undefined, by.scopes, grants] : by);
  return cachedIdentity(key, context, (shared) =>
    "caller" in by ? otherCaller({ ...by, grants }, shared) : scopedIdentity(by, shared),
  );
}

/** A user with other attributes or grants: a new one, or one of the profile if it needs no grant. */
async function otherCaller(by: Extract<Caller, { readonly caller: string }>, shared: StepContext): Promise<Identity> {
  const { caller, grants, scopes = "*", lacksAll } = by;
  const label = `a user: ${caller}`;
  const secret = `$${caller.replaceAll(/[^A-Za-z0-9]/g, "_").toUpperCase()}_TOKEN`;
  const { run, worker } = shared.caseContext;
  if (run.capabilities.has("users") || (grants !== undefined && lacksAll !== true))
    return createUser({ account: "own", caller, grants, scopes }, shared, { label, secret });
  const token = run.credentials.callers?.[caller];
  if (token === undefined) throw new MissingCapabilityError("callers", `The profile has no token "${caller}".`);
  run.secrets.add(token, secret);
  return { ...worker.main, label, token, username: caller };
}

/** Creates a user for one case. */
export async function createActor(step: ActorStep, context: StepContext): Promise<Json> {
  if (step.idleSeconds !== undefined && !context.caseContext.run.capabilities.has("users"))
    return standIn(step.idleSeconds, context);
  const { grants, ...rest } = step.actor;
  const user = { ...rest, ...(grants === undefined ? {} : { grants: evaluateTemplate(grants, context.values) }) };
  const secret = `$${step.as.toUpperCase()}_TOKEN`;
  const actor = await createUser(user, context, { label: `the user ${step.as}`, secret });
  const { token = "" } = actor;
  if (typeof token !== "string") throw new UnavailableValueError(`${step.as} has several tokens.`);
  context.caseContext.log.secrets.push(token);
  return { username: actor.username, token };
}

/** The worker's user in place of a new one, as if it were new. */
async function standIn(idleSeconds: number, context: StepContext): Promise<Json> {
  const { worker, run } = context.caseContext;
  await discardSharedFixtures(worker, createCleanupContext(context));
  if (idleSeconds > 0) await run.timer.wait(idleSeconds * 1000 + 20, run.signal);
  return { username: worker.main.username, isMain: true };
}

function isStandIn(value: Json | undefined): boolean {
  return isJsonObject(value) && value["isMain"] === true;
}

/** Creates a user by the suite's fixture, through the test controls. */
export async function createUser(
  user: NewUser,
  context: StepContext,
  { label, secret, account }: { readonly label: string; readonly secret: string; readonly account?: string },
): Promise<Identity> {
  const { run, worker, unique } = context.caseContext;
  const fixture = run.suite.actors.user;
  if (fixture === undefined) throw missingFixtureError("users");
  const whose = account ?? (user.account === "own" ? worker.account : unique("label"));
  const inputs = {
    username: unique("username"),
    account: whose,
    attributes: attributesOf(run.suite, user.caller ?? "main"),
    grants: user.grants ?? run.suite.grants ?? {},
    scopes: user.scopes ?? "*",
  };
  return identityOf(await runFixture(fixture, inputs, context), {
    label,
    secret,
    account: whose,
    context: context.caseContext,
  });
}

async function otherAccountIdentity(context: StepContext): Promise<Identity> {
  const { suite, capabilities, credentials } = context.caseContext.run;
  return cachedIdentity("other-account", context, async (shared) => {
    if (suite.actors.user !== undefined && capabilities.has("users"))
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
async function scopedIdentity(
  by: Extract<Caller, { readonly scopes?: string | undefined }>,
  context: StepContext,
): Promise<Identity> {
  const { scopes = "*" } = by;
  const options = { label: `a token with the scopes ${scopes}`, secret: "$SCOPED_TOKEN" };
  const { run, worker } = context.caseContext;
  const { main, account } = worker;
  const fixture: Fixture | undefined = run.suite.actors.token;
  if (fixture === undefined && !run.capabilities.has("users")) return givenToken(by, context);
  if (fixture === undefined) return createUser({ account: "own", scopes }, context, options);
  const inputs: JsonObject = { scopes, username: main.username, account };
  const outputs = await runFixture(fixture, inputs, createStepContext(context, { caller: main }));
  return { ...identityOf(outputs, { ...options, account, context: context.caseContext }), username: main.username };
}

/** A token of the profile with suitable scopes: as few as possible if it has to hold some, and as many as possible if it has to lack some. */
function givenToken(
  by: Extract<Caller, { readonly scopes?: string | undefined }>,
  { caseContext }: StepContext,
): Identity {
  const { run, worker } = caseContext;
  const { holding = [], lacking = [] } = "holding" in by || "lacking" in by ? by : {};
  const isStated = holding.length + lacking.length > 0;
  const fitting = (run.credentials.tokens ?? [])
    .map(({ token, scopes }) => ({ token, scopes: scopes.split(/[\s,]+/).filter((each) => each !== "") }))
    .filter(
      ({ scopes }) => holding.every((each) => scopes.includes(each)) && !lacking.some((each) => scopes.includes(each)),
    )
    .toSorted((a, b) => (holding.length > 0 ? a.scopes.length - b.scopes.length : b.scopes.length - a.scopes.length));
  const [found] = fitting;
  if (found === undefined || !isStated) {
    const required = [...holding, ...lacking.map((each) => `not ${each}`)].join(", ");
    throw new MissingCapabilityError(
      "tokens",
      `The profile has no token with the scopes ${required === "" ? (by.scopes ?? "*") : required}.`,
    );
  }
  run.secrets.add(found.token, "$SCOPED_TOKEN");
  return { ...worker.main, label: `a token with the scopes ${found.scopes.join(" ")}`, token: found.token };
}

function identityOf(
  answer: Json,
  about: {
    readonly label: string;
    readonly secret: string;
    readonly account: string | null;
    readonly context: CaseContext;
  },
): Identity {
  const { run, worker } = about.context;
  const token = tokenOf(answer, about.label);
  run.secrets.add(token, about.secret);
  const username = resolvePointer(answer, "/username");
  const identity = {
    label: about.label,
    token,
    username: typeof username === "string" ? username : null,
    account: about.account,
  };
  worker.identitiesByToken.set(token, identity);
  return identity;
}

/** An identity that the worker caches for all its cases. */
async function cachedIdentity(
  key: string,
  context: StepContext,
  create: (context: StepContext) => Promise<Identity>,
): Promise<Identity> {
  const { identities } = context.caseContext.worker;
  const cached = identities.get(key);
  if (cached !== undefined) return cached;
  const { value: identity } = await createInWorkerScope(context, create);
  identities.set(key, identity);
  return identity;
}

function identityOfToken(
  token: string,
  { label, context: { run, worker, log } }: { readonly label: string; readonly context: CaseContext },
): Identity {
  const cached = worker.identitiesByToken.get(token);
  if (cached !== undefined) return { ...cached, label };
  run.secrets.add(token, "$NEW_TOKEN");
  log.secrets.push(token);
  return { ...worker.main, label, token };
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

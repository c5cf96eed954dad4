import { SetupError } from "../errors.js";
import { anonymousIdentity, type Identity } from "../http/identity.js";
import { isJsonObject, formatJson, type JsonObject } from "../values/json.js";
import { resolvePointer } from "../values/json-pointer.js";
import type { CaseContext } from "./case-context.js";
import { runFixture } from "./run-fixture.js";
import { createStepContext, type StepContext } from "./step-context.js";
import type { ActorStep, Caller, Json, NewUser, Fixture } from "../suite.js";
import { evaluateTemplate, UnavailableValueError } from "../values/template.js";
import { createInWorkerScope } from "./worker-scope.js";

/** The identity of a caller. The first call of its kind in a worker creates it. */
export async function resolveIdentity(by: Caller | undefined, context: StepContext): Promise<Identity> {
  const { values } = context;
  const { worker } = context.caseContext;
  if (by === undefined) return context.caller;
  if (by === "main") return worker.main;
  if (by === "anonymous") return anonymousIdentity;
  if (by === "other-account") return otherAccountIdentity(context);
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
  const grants = "grants" in by ? evaluateTemplate(by.grants, values) : undefined;
  const key = JSON.stringify([by.scopes, grants]);
  return cachedIdentity(key, context, (shared) =>
    grants === undefined
      ? scopedIdentity(by.scopes ?? "*", shared)
      : createUser({ account: "own", restricted: true, grants, scopes: by.scopes ?? "*" }, shared, {
          label: "a restricted user",
          secret: "$RESTRICTED_TOKEN",
        }),
  );
}

/** Creates a user for one case. */
export async function createActor(step: ActorStep, context: StepContext): Promise<Json> {
  const { grants, ...rest } = step.actor;
  const user = { ...rest, ...(grants === undefined ? {} : { grants: evaluateTemplate(grants, context.values) }) };
  const secret = `$${step.as.toUpperCase()}_TOKEN`;
  const made = await createUser(user, context, { label: `the user ${step.as}`, secret });
  const { token = "" } = made;
  if (typeof token !== "string") throw new UnavailableValueError(`${step.as} has several tokens.`);
  context.caseContext.log.secrets.push(token);
  return { username: made.username, token };
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
    restricted: user.restricted ?? false,
    grants: user.grants ?? {},
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
async function scopedIdentity(scopes: string, context: StepContext): Promise<Identity> {
  const options = { label: `a token with the scopes ${scopes}`, secret: "$SCOPED_TOKEN" };
  const { run, worker } = context.caseContext;
  const { main, account } = worker;
  const fixture: Fixture | undefined = run.suite.actors.token;
  if (fixture === undefined) return createUser({ account: "own", scopes }, context, options);
  const inputs: JsonObject = { scopes, username: main.username, account };
  const outputs = await runFixture(fixture, inputs, createStepContext(context, { caller: main }));
  return { ...identityOf(outputs, { ...options, account, context: context.caseContext }), username: main.username };
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
  const known = identities.get(key);
  if (known !== undefined) return known;
  const { value: identity } = await createInWorkerScope(context, create);
  identities.set(key, identity);
  return identity;
}

function identityOfToken(
  token: string,
  { label, context: { run, worker, log } }: { readonly label: string; readonly context: CaseContext },
): Identity {
  const known = worker.identitiesByToken.get(token);
  if (known !== undefined) return { ...known, label };
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

import { at, isFields, shown, type Fields } from "./json.js";
import { runRecipe } from "./recipes.js";
import { CannotRun, onStage, type Identity, type Stage } from "./stage.js";
import type { ActorStep, Caller, Json, NewUser, Recipe } from "./suite.js";
import { evaluate, Unavailable } from "./template.js";
import { follow, newTrail } from "./trail.js";

export const anonymous: Identity = { words: "anonymous", username: null, account: null };

/** The identity of a caller. The first call of its kind in a lane creates it. */
export async function identify(by: Caller | undefined, stage: Stage): Promise<Identity> {
  const { lane, values } = stage;
  if (by === undefined) return stage.caller;
  if (by === "main") return lane.main;
  if (by === "anonymous") return anonymous;
  if (by === "stranger") return stranger(stage);
  if ("user" in by) return byToken(tokenOf(values.get(by.user), by.user), { words: `the user ${by.user}`, stage });
  if ("token" in by) return byToken(textOf(evaluate(by.token, values)), { words: "a token of its own", stage });
  if ("authorization" in by)
    return { ...lane.main, words: "its own Authorization", authorization: textOf(evaluate(by.authorization, values)) };
  const grants = "grants" in by ? evaluate(by.grants, values) : undefined;
  const key = JSON.stringify([by.scopes, grants]);
  return kept(key, stage, (shared) =>
    grants === undefined
      ? scoped(by.scopes ?? "*", shared)
      : newUser({ account: "own", restricted: true, grants, scopes: by.scopes ?? "*" }, shared, {
          words: "a restricted user",
          secret: "$RESTRICTED_TOKEN",
        }),
  );
}

/** Creates a user for one case. */
export async function act(step: ActorStep, stage: Stage): Promise<Json> {
  const { grants, ...rest } = step.actor;
  const user = { ...rest, ...(grants === undefined ? {} : { grants: evaluate(grants, stage.values) }) };
  const secret = `$${step.as.toUpperCase()}_TOKEN`;
  const made = await newUser(user, stage, { words: `the user ${step.as}`, secret });
  const { token = "" } = made;
  if (typeof token !== "string") throw new Unavailable(`${step.as} has several tokens.`);
  stage.trail.secrets.push(token);
  return { username: made.username, token };
}

/** Creates a user by the suite's recipe, through the test controls. */
export async function newUser(
  user: NewUser,
  stage: Stage,
  { words, secret, account }: { readonly words: string; readonly secret: string; readonly account?: string },
): Promise<Identity> {
  const recipe = stage.run.suite.actors.user;
  if (recipe === undefined) throw noRecipe("users");
  const whose = account ?? (user.account === "own" ? stage.lane.account : stage.unique("label"));
  const inputs = {
    username: stage.unique("username"),
    account: whose,
    restricted: user.restricted ?? false,
    grants: user.grants ?? {},
    scopes: user.scopes ?? "*",
  };
  return identityOf(await runRecipe(recipe, inputs, stage), { words, secret, account: whose, stage });
}

async function stranger(stage: Stage): Promise<Identity> {
  const { credentials } = stage.run.options;
  return kept("stranger", stage, async (shared) => {
    if (stage.run.suite.actors.user !== undefined && stage.run.capabilities.has("users"))
      return newUser({ account: "other" }, shared, { words: "stranger", secret: "$STRANGER_TOKEN" });
    if (credentials.stranger === undefined) throw noRecipe("a second account");
    return {
      words: "stranger",
      token: credentials.stranger,
      username: null,
      account: "stranger",
    };
  });
}

/** The lane's user with another token. Without a recipe for tokens: another user of its account. */
async function scoped(scopes: string, stage: Stage): Promise<Identity> {
  const options = { words: `a token with the scopes ${scopes}`, secret: "$SCOPED_TOKEN" };
  const recipe: Recipe | undefined = stage.run.suite.actors.token;
  if (recipe === undefined) return newUser({ account: "own", scopes }, stage, options);
  const inputs: Fields = { scopes, username: stage.lane.main.username, account: stage.lane.account };
  const answer = await runRecipe(recipe, inputs, onStage(stage, { caller: stage.lane.main }));
  return {
    ...identityOf(answer, { ...options, account: stage.lane.account, stage }),
    username: stage.lane.main.username,
  };
}

function identityOf(
  answer: Json,
  about: { readonly words: string; readonly secret: string; readonly account: string | null; readonly stage: Stage },
): Identity {
  const token = tokenOf(answer, about.words);
  about.stage.run.secrets.add(token, about.secret);
  const username = at(answer, "/username");
  const identity = {
    words: about.words,
    token,
    username: typeof username === "string" ? username : null,
    account: about.account,
  };
  about.stage.lane.byToken.set(token, identity);
  return identity;
}

/** An identity that the lane caches for all its cases. */
async function kept(key: string, stage: Stage, make: (stage: Stage) => Promise<Identity>): Promise<Identity> {
  const { callers, unique } = stage.lane;
  const known = callers.get(key);
  if (known !== undefined) return known;
  // The cleanup of a case would delete a token that the case owned.
  const trail = newTrail();
  try {
    const identity = await make(onStage(stage, { trail, unique }));
    callers.set(key, identity);
    return identity;
  } finally {
    follow(stage.trail, trail);
    stage.trail.requests += trail.requests;
  }
}

function byToken(token: string, { words, stage }: { readonly words: string; readonly stage: Stage }): Identity {
  const known = stage.lane.byToken.get(token);
  if (known !== undefined) return { ...known, words };
  stage.run.secrets.add(token, "$NEW_TOKEN");
  stage.trail.secrets.push(token);
  return { ...stage.lane.main, words, token };
}

function tokenOf(user: Json | undefined, name: string): string {
  const token = isFields(user) ? user["token"] : undefined;
  if (typeof token !== "string") throw new Unavailable(`${name} has no token: ${shown(user)}.`);
  return token;
}

function textOf(value: Json): string {
  if (typeof value !== "string") throw new Unavailable(`${shown(value)} is not a token.`);
  return value;
}

function noRecipe(what: string): CannotRun {
  const message = `The suite has no recipe for ${what}.`;
  return new CannotRun([{ message, expected: what, received: "none", requirements: [] }]);
}

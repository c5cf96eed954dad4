import { isObject } from "@plumbline/http-runtime";
import type { AuthenticatedCaller } from "@plumbline/server-runtime";
import { isVisible } from "../behavior/objects.js";
import type { MockContext } from "../mock-context.js";
import { callerOf, type IssuedToken, type KnownUser } from "./users.js";

/** Functions that authenticate credentials, by security scheme. */
export function authenticators(
  mock: MockContext,
): Readonly<Record<string, (credential: unknown) => AuthenticatedCaller | undefined>> {
  const authenticate = (credential: unknown): AuthenticatedCaller | undefined =>
    authenticateCredential(mock, credential);
  return Object.fromEntries(mock.definition.securitySchemes.map((name) => [name, authenticate] as const));
}

/** A token or key; or the name of a user with a password, which the mock does not check. */
function authenticateCredential(mock: MockContext, credential: unknown): AuthenticatedCaller | undefined {
  const { users, definition } = mock;
  const known = isObject(credential) ? undefined : users.token(String(credential));
  if (known !== undefined) {
    const user = users.get(known.username);
    return user === undefined || !isValidToken(mock, known)
      ? undefined
      : authenticated(user, known, definition.allScopes);
  }
  const username = isObject(credential) ? credential["username"] : undefined;
  const user = (typeof username === "string" ? users.get(username) : undefined) ?? users.anyUser;
  return user && authenticated(user, {}, definition.allScopes);
}

function authenticated(
  user: KnownUser,
  token: Partial<IssuedToken>,
  allScopes: string | undefined,
): AuthenticatedCaller {
  return { caller: callerOf(user, token, allScopes) };
}

/** A token that is an object is valid while that exists, in one of its valid states. */
function isValidToken(mock: MockContext, { object: key }: IssuedToken): boolean {
  if (key === undefined) return true;
  const object = mock.store.get(key);
  if (object === undefined || !isVisible(mock, object)) return false;
  const valid = mock.definition.credentials.filter(({ resource }) => resource === object.resource);
  return valid.some(({ stateMachine, state }) => (object.states[stateMachine]?.state ?? state) === state);
}

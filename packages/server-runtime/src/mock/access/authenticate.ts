import { isObject } from "../../http/index.js";
import type { AuthenticatedCaller } from "../../server/index.js";
import type { MockContext } from "../mock-context.js";
import { isVisible } from "../objects/objects.js";
import { callerOf } from "./caller.js";
import type { IssuedToken } from "./users.js";

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
  const { users } = mock;
  const token = isObject(credential) ? undefined : users.token(String(credential));
  if (token !== undefined) {
    const user = users.get(token.username);
    return user === undefined || !isValidToken(mock, token) ? undefined : { caller: callerOf(mock, user, token) };
  }
  const username = isObject(credential) ? credential["username"] : undefined;
  const user = (typeof username === "string" ? users.get(username) : undefined) ?? users.anyUser;
  return user && { caller: callerOf(mock, user, {}) };
}

/** A token that is an object is valid while that exists, in one of its valid states. */
function isValidToken(mock: MockContext, { object: key }: IssuedToken): boolean {
  if (key === undefined) return true;
  const object = mock.store.get(key);
  if (object === undefined || !isVisible(mock, object)) return false;
  const valid = mock.definition.credentials.filter(({ resource }) => resource === object.resource);
  return valid.some(({ stateMachine, state }) => (object.states[stateMachine]?.state ?? state) === state);
}

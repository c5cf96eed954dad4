import type { Caller } from "../../server/index.js";
import { resourceOf, type MockContext } from "../mock-context.js";
import type { MockCallers } from "../mock-definition.js";
import { findObjects } from "../objects/objects.js";
import type { IssuedToken, KnownUser } from "./users.js";

/** The caller that a user with a token is, with what the description says about accounts. */
export function callerOf(mock: MockContext, user: KnownUser, { scopes, client }: Partial<IssuedToken>): Caller {
  const { allScopes, callers } = mock.definition;
  return {
    ...defaultAttributes(callers),
    ...user.attributes,
    user: user.username,
    ...tenantOf(mock, user.account),
    client,
    ...(allScopes === undefined ? {} : { scopes: scopes ?? allScopes }),
  };
}

/** The attribute with the account of a caller. */
export function tenantOf(mock: MockContext, account: string): Readonly<Record<string, unknown>> {
  const { tenant } = mock.definition.callers;
  return tenant === undefined ? {} : { [tenant]: { ...accountValues(mock, account), id: account } };
}

function defaultAttributes({ attributes }: MockCallers): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, [value]]) => (value === undefined ? [] : [[name, value]])),
  );
}

function accountValues(mock: MockContext, account: string): object {
  const { accountResource } = mock.definition;
  if (accountResource === undefined) return {};
  const { identifier } = resourceOf(mock, accountResource);
  return findObjects(mock, accountResource, { by: identifier.field, value: account })[0]?.values ?? {};
}

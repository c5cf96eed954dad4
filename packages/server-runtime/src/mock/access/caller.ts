import type { Caller } from "../../server/index.js";
import { resourceOf, type MockContext } from "../mock-context.js";
import { findObjects } from "../objects/objects.js";
import type { IssuedToken, KnownUser } from "./users.js";

/** The caller that a user with a token is, with what the description says about accounts. */
export function callerOf(mock: MockContext, user: KnownUser, { scopes, client }: Partial<IssuedToken>): Caller {
  const { allScopes } = mock.definition;
  return {
    user: user.username,
    account: { ...accountValues(mock, user.account), id: user.account },
    restricted: user.restricted,
    client,
    ...(allScopes === undefined ? {} : { scopes: scopes ?? allScopes }),
  };
}

function accountValues(mock: MockContext, account: string): object {
  const { accountResource } = mock.definition;
  if (accountResource === undefined) return {};
  const { identifier } = resourceOf(mock, accountResource);
  return findObjects(mock, accountResource, { by: identifier.field, value: account })[0]?.values ?? {};
}

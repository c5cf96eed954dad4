import type { BaseServerOptions, RateLimitStore } from "../server/index.js";
import { authenticators } from "./access/authenticate.js";
import { grantsOf } from "./access/grants.js";
import { isTaken, operationsInProgress } from "./behavior/limits.js";
import { resourceLoaders } from "./behavior/resource-loaders.js";
import type { MockContext } from "./mock-context.js";
import { viewOf } from "./objects/objects.js";
import { serializeUndocumented } from "./responses/undocumented-responses.js";

/** What the server asks for: callers, objects, limits. */
export function mockServerOptions(mock: MockContext, rates: RateLimitStore): BaseServerOptions {
  const { definition, clock } = mock;
  const { uniqueLimits, reachedEffects, orderedLists, operations } = definition;
  const concurrency = Object.values(operations).flatMap((operation) => operation.concurrency.map(({ id }) => id));
  return {
    clock: () => clock.now(),
    authenticate: authenticators(mock),
    grants: (caller) => grantsOf(mock, caller),
    resources: resourceLoaders(mock),
    validateResponses: "off",
    undocumentedResponse: serializeUndocumented,
    limits: {
      store: rates,
      countInProgress: Object.fromEntries(
        concurrency.map((id) => [id, (per: unknown) => operationsInProgress(mock, id, per).length] as const),
      ),
      isTaken: Object.fromEntries(
        Object.entries(uniqueLimits).map(([id, limit]) => [
          id,
          (values: Readonly<Record<string, unknown>>, { caller }, except, parent: unknown) =>
            isTaken(mock, limit, { values, caller, except, parent }),
        ]),
      ),
      onReached: Object.fromEntries(Object.keys(reachedEffects).map((id) => [id, () => undefined] as const)),
    },
    orderedValues: Object.fromEntries(
      Object.entries(orderedLists).map(([operation, { resource, field }]) => [
        operation,
        () => [...mock.store.all(resource)].map((object) => viewOf(mock, object)[field]),
      ]),
    ),
    operationRoutes: Object.fromEntries(
      Object.entries(operations)
        .filter(([, { path }]) => path === "")
        .map(([name]) => [
          name,
          {
            path: `/mock/${name}/{address}`,
            target: ({ address = "" }: Readonly<Record<string, string>>) => {
              const object = mock.store.get(Number.parseInt(address, 10));
              return object && viewOf(mock, object);
            },
          },
        ]),
    ),
  };
}

import { expect, test } from "vitest";
import { expressValidator } from "./express/index.js";
import { fastifyValidator } from "./fastify/index.js";
import { fetchValidator } from "./fetch/index.js";
import { honoValidator } from "./hono/index.js";
import { nodeValidator } from "./node/index.js";

const adapters: Readonly<Record<string, (operations: readonly never[], options: object) => unknown>> = {
  node: nodeValidator,
  express: expressValidator,
  fastify: fastifyValidator,
  hono: honoValidator,
  fetch: fetchValidator,
};

test.each(Object.entries(adapters))("%s rejects misspelt options and values", (_, adapter) => {
  expect(() => adapter([], { validateRespones: "report" })).toThrow(
    new TypeError(
      "Unknown option `validateRespones`. The options are acceptParsedBody, basePath, bodyLimit, errorFormat, ignorePaths, ignoreUndocumented, onError, onInvalidResponse, operations, queryCredentials, reason, responseHeaders, responseValidators, security, securityCheck, unknown, unknownQuery, unreadBodies, validateResponses.",
    ),
  );
  expect(() => adapter([], { validateResponses: "enforced" })).toThrow(
    new TypeError('Option `validateResponses` is "enforced". Write one of "off", "report", "enforce".'),
  );
  expect(() => adapter([], { unknown: false })).toThrow(
    new TypeError('Option `unknown` is of type boolean. Write one of "ignore", "strip", "reject".'),
  );
  expect(() => adapter([], { constructor: 1 })).toThrow("Unknown option `constructor`.");
  expect(() => adapter([], { unknown: undefined, validateResponses: "off", bodyLimit: 1 })).not.toThrow();
});

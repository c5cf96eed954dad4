import { expect, test } from "vitest";
import { createBaseServer } from "./create-server.js";
import type { BaseServerOptions } from "./options.js";
import { describeApi } from "./test-server.support.js";

const api = describeApi({ lines: {} });

test.each([
  [{ validateResponse: "off" }, /^Unknown option `validateResponse`\. The options are authenticate, basePath, /],
  [{ validateResponses: "on" }, /^Option `validateResponses` is "on"\. Write one of "enforce", "off"\.$/],
  [
    { missingHandlers: true },
    /^Option `missingHandlers` is of type boolean\. Write one of "error", "not-implemented"\.$/,
  ],
])("%j is rejected in plain JavaScript", (options, message) => {
  expect(() => createBaseServer(api, {}, options as BaseServerOptions)).toThrow(message);
});

test("every option is known", () => {
  expect(() =>
    createBaseServer(api, {}, { validateResponses: "off", missingHandlers: "error", unknown: "strip", bodyLimit: 1 }),
  ).not.toThrow();
});

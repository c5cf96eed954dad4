import { expect, test } from "vitest";
import type { ServeOptions } from "./options.js";
import { serve } from "./serve.js";
import { described } from "./served.support.js";

const api = described({ lines: {} });

test.each([
  [{ replys: "check" }, /^Unknown option `replys`\. The options are authenticate, basePath, /],
  [{ replies: "checked" }, /^Option `replies` is "checked"\. Write one of "check", "trust"\.$/],
  [{ missing: true }, /^Option `missing` is of type boolean\. Write one of "error", "not-implemented"\.$/],
])("%j is rejected in plain JavaScript", (options, message) => {
  expect(() => serve(api, {}, options as ServeOptions)).toThrow(message);
});

test("every option is known", () => {
  expect(() => serve(api, {}, { replies: "trust", missing: "error", unknown: "strip", bodyLimit: 1 })).not.toThrow();
});

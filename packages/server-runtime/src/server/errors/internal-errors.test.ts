import { expect, it } from "vitest";
import { adapterNames } from "../adapters/adapters.support.js";
import { ann, startLimitedServer } from "../adapters/limited-server.support.js";
import { request } from "../adapters/raw-http.support.js";

it.each(adapterNames)("the response to an exception has neither its message nor its stack: %s", async (name) => {
  const api = startLimitedServer(
    { lines: { getPage: "GET /pages" } },
    {
      getPage: () => {
        throw new Error("a detail");
      },
    },
  );
  const wire = (await api.listen(name)).wire();
  wire.send(request("GET /v1/pages", undefined, ann));
  const { status, headers, body } = await wire.answer();
  expect(status).toBe(500);
  expect(JSON.stringify([headers, body])).not.toMatch(/a detail|Error|\.ts/);
  expect(api.log).toMatchObject([{ level: "error", message: "a detail", requestId: "r" }]);
});

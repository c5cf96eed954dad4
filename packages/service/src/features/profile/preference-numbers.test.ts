import * as api from "@cloud-compute/client";
import { expect, test } from "vitest";
import { start } from "../../testing.support.js";

test("a number that cannot be represented exactly is rejected by its path, and nothing is stored", async () => {
  const { service, token, admin } = await start();
  const put = async (body: string): Promise<unknown> => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const response = await fetch(`${service.url}/profile/preferences`, { method: "PUT", headers, body });
    return [response.status, await response.text()];
  };
  const large = '{"a":9007199254740991,"b":1e308,"c":123456789012345680000}';
  expect(await put(large)).toEqual([200, '{"a":9007199254740991,"b":1e+308,"c":123456789012345680000}']);
  const error = (field: string, max: string): unknown => {
    return [400, JSON.stringify({ errors: [{ field, reason: `must be exactly representable, at most ${max}` }] })];
  };
  expect(await put('{"a":{"b":[0,1e400]}}')).toEqual(error("a.b.1", "1.7976931348623157e+308"));
  expect(await put('{"a":-9007199254740993}')).toEqual(error("a", "9007199254740991"));
  expect(await api.getPreferences(admin)).toEqual(JSON.parse(large));
});

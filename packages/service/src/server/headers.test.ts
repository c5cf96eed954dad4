import { expect, test } from "vitest";
import { start } from "../testing.support.js";

test("every response has the headers for caches and browsers, errors too", async () => {
  const { service } = await start();
  for (const path of ["/profile", "/compute/instances/1", "/nowhere", "/images"]) {
    const { headers } = await fetch(service.url + path);
    expect(Object.fromEntries(headers)).toMatchObject({
      vary: "Authorization, X-Filter",
      "access-control-allow-origin": "*",
      "access-control-expose-headers": expect.stringContaining("X-OAuth-Scopes, X-Accepted-OAuth-Scopes, X-Status"),
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "content-security-policy": "default-src 'none'",
      "cache-control": "private, max-age=0, s-maxage=0, no-cache, no-store",
    });
  }
});

test("caches may store regions for a quarter of an hour", async () => {
  const { service } = await start();
  for (const path of ["/regions", "/regions/us-east", "/regions?page=1"])
    expect((await fetch(service.url + path)).headers.get("cache-control")).toBe("max-age=900");
});

test("responses to changes have no header for caches", async () => {
  const { service } = await start();
  const { headers } = await fetch(`${service.url}/tags`, { method: "POST" });
  expect(headers.get("cache-control")).toBeNull();
});

test("a preflight request needs no token", async () => {
  const { service } = await start();
  const asked = { Origin: "https://manager.example", "Access-Control-Request-Headers": "authorization,x-filter" };
  const { status, headers } = await fetch(`${service.url}/compute/instances`, { method: "OPTIONS", headers: asked });
  expect([status, headers.get("access-control-allow-origin")]).toEqual([204, "*"]);
  expect(headers.get("access-control-allow-methods")).toBe("HEAD, GET, OPTIONS, POST, PUT, DELETE");
  expect(headers.get("access-control-allow-headers")).toMatch(/Authorization.*Content-Type.*X-Filter/);
});

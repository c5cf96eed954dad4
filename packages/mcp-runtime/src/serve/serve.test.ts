import { describe, expect, it } from "vitest";
import { createServers } from "../create-servers.js";
import { notes } from "../notes.support.js";
import { checkRequest } from "./check-request.js";
import { serveHttp } from "./serve-http.js";
import { createSessions } from "./sessions.js";

describe("a request over HTTP", () => {
  const local = { isLocal: true, accessToken: undefined };

  it.each([
    ["a program of this machine", { host: "127.0.0.1:3000" }, undefined],
    ["a name of this machine", { host: "localhost:3000", origin: "http://localhost:6274" }, undefined],
    ["IPv6", { host: "[::1]:3000" }, undefined],
    ["another name for this machine", { host: "evil.example:3000" }, 403],
    ["a name that begins like this machine's", { host: "127.0.0.1.evil.example" }, 403],
    ["no name", {}, 403],
    ["a page of the web", { host: "127.0.0.1:3000", origin: "https://evil.example" }, 403],
    ["a page without an origin", { host: "127.0.0.1:3000", origin: "null" }, 403],
  ])("by %s", (_, headers, status) => {
    expect(checkRequest(headers, local)?.status).toBe(status);
  });

  it("needs the access token, whole", () => {
    const policy = { isLocal: false, accessToken: "abc" };
    expect(checkRequest({ host: "any", authorization: "Bearer abc" }, policy)).toBeUndefined();
    expect(checkRequest({ host: "any", authorization: "Bearer ab" }, policy)?.status).toBe(401);
    expect(checkRequest({ host: "any" }, policy)?.status).toBe(401);
  });

  it("is not served to other machines without an access token", async () => {
    await expect(serveHttp(createServers(notes), { port: 0, host: "0.0.0.0" })).rejects.toThrow("Set an access token");
  });

  it("may have 4 MB, and not more", async () => {
    const { url, close } = await serveHttp(createServers(notes), { port: 0 });
    const send = async (bytes: number) =>
      (await fetch(url, { method: "POST", body: " ".repeat(bytes), headers: { "content-type": "application/json" } }))
        .status;
    expect(await send(4_000_000)).toBe(400);
    expect(await send(4_000_001)).toBe(413);
    await close();
  });
});

it("sessions are bounded, and end when they are idle", async () => {
  const closed: string[] = [];
  let time = 0;
  const close = async (session: string) => void closed.push(session);
  const sessions = createSessions<string>({ max: 2, close, now: () => time });
  sessions.add("a", "A");
  sessions.add("b", "B");
  expect(sessions.use("a")).toBe("A");
  sessions.add("c", "C");
  expect(closed).toEqual(["B"]);
  expect(sessions.use("b")).toBeUndefined();
  time = 60 * 60_000 + 1;
  sessions.add("d", "D");
  expect(closed).toEqual(["B", "A", "C"]);
  await sessions.closeAll();
  expect(closed).toEqual(["B", "A", "C", "D"]);
});

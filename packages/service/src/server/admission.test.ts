import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { json } from "node:stream/consumers";
import * as api from "@cloud-compute/client";
import { describe, expect, test } from "vitest";
import { handsOver, nameserver, zoneWith } from "../dns/nameserver.support.js";
import { failure, start, type World } from "../testing.support.js";
import * as controls from "../testing/index.js";

interface Caller {
  /** The token of the request whose body is still arriving. */
  readonly token: string;
  readonly id: number;
  /** Another token of the same user. */
  readonly other: api.Client;
}

async function newCaller({ controls: client, as }: World, expiry?: string): Promise<Caller> {
  await controls.createUser(client, { body: { username: "eve" } });
  const path = { username: "eve" };
  const { id, token } = await controls.createUserToken(client, { path, body: expiry === undefined ? {} : { expiry } });
  const second = await controls.createUserToken(client, { path, body: {} });
  return { id, token, other: as(second.token) };
}

/** Sends a create whose body is complete only after `meanwhile`. Returns the status and the first reason. */
async function createDomain(
  { service, admin }: World,
  token: string,
  meanwhile: () => Promise<unknown>,
): Promise<readonly [status: number | undefined, reason: string | undefined]> {
  const body = JSON.stringify({ domain: "example.com", type: "master", soa_email: "eve@example.com" });
  const sending = httpRequest(`${service.url}/domains`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", "content-length": body.length },
  });
  sending.write(body.slice(0, 20));
  // The server has answered an earlier request of another connection, so it has read this head by then.
  await api.getProfile(admin);
  await meanwhile();
  sending.end(body.slice(20));
  const [response] = await once(sending, "response");
  const { errors } = (await json(response)) as { readonly errors?: readonly { readonly reason: string }[] };
  return [response.statusCode, errors?.[0]?.reason];
}

describe("while the body of a create arrives", () => {
  test("rejects a token that is revoked", async () => {
    const world = await start();
    const { token, id, other } = await newCaller(world);
    const answer = await createDomain(world, token, () => api.deleteToken(other, { path: { tokenId: id } }));
    expect(answer).toEqual([401, "Invalid Token"]);
    expect((await api.listDomains(world.admin)).results).toBe(0);
  });

  test("rejects a token that expires", async () => {
    const world = await start();
    const { now } = await controls.getClock(world.controls);
    const expiry = new Date(Date.parse(now) + 3_600_000).toISOString();
    const { token } = await newCaller(world, expiry);
    expect(await createDomain(world, token, () => world.advance("PT1H1S"))).toEqual([401, "Invalid Token"]);
    expect((await api.listDomains(world.admin)).results).toBe(0);
  });

  test("rejects a user who becomes restricted and has no grant", async () => {
    const world = await start();
    const { token, other } = await newCaller(world);
    const restrict = (): Promise<unknown> => api.updateProfile(other, { body: { restricted: true } });
    expect((await createDomain(world, token, restrict))[0]).toBe(403);
    expect((await api.listDomains(world.admin)).results).toBe(0);
  });

  test("accepts an unchanged token", async () => {
    const world = await start();
    const { token } = await newCaller(world);
    expect(await createDomain(world, token, async () => {})).toEqual([200, undefined]);
  });
});

describe("while a zone is transferred", () => {
  test.each([
    ["a token that is revoked", 401, ({ id, other }: Caller) => api.deleteToken(other, { path: { tokenId: id } })],
    ["a user who is restricted", 403, ({ other }: Caller) => api.updateProfile(other, { body: { restricted: true } })],
  ])("%s does not import a domain", async (_, status, meanwhile) => {
    const world = await start();
    const caller = await newCaller(world);
    const remote_nameserver = await nameserver(async (question) => {
      await meanwhile(caller);
      await handsOver(zoneWith([]))(question);
    });
    const importing = api.importDomain(world.as(caller.token), { body: { domain: "example.com", remote_nameserver } });
    expect((await failure(importing))[0]).toBe(status);
    expect((await api.listDomains(world.admin)).results).toBe(0);
  });
});

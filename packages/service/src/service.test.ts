import * as api from "@cloud-compute/client";
import { expect, test } from "vitest";
import { failure, start } from "./testing.support.js";
import * as controls from "./testing/index.js";

/** Milliseconds: longer than a test, and shorter than what it advances the clock by. */
const hour = 3_600_000;

test("starts with regions, public images and an unrestricted user", async () => {
  const { admin } = await start();
  const { data } = await api.listRegions(admin);
  expect(data.map(({ id }) => id)).toEqual(expect.arrayContaining(["us-east", "us-west", "eu-central", "ap-south"]));
  expect(await api.getProfile(admin)).toMatchObject({ username: "admin", restricted: false });
});

test("identifies the owner of a token until it expires", async () => {
  const { admin, as, controls: client, user, advance } = await start();
  expect(await failure(api.listEvents(as("unknown")))).toEqual([401, "Invalid Token"]);
  expect(await failure(api.listEvents(await user("eve", { scopes: "domains:read_only" })))).toEqual([
    401,
    "Your OAuth token is not authorized to use this endpoint.",
  ]);
  const { now } = await controls.getClock(client);
  const expiry = new Date(Date.parse(now) + 60_000).toISOString();
  const { token } = await controls.createUserToken(client, { path: { username: "eve" }, body: { expiry } });
  expect((await api.listEvents(as(token))).results).toBe(0);
  await advance("PT58S");
  expect((await api.listEvents(as(token))).results).toBe(0);
  await advance("PT3S");
  expect(await failure(api.listEvents(as(token)))).toEqual([401, "Invalid Token"]);
  expect((await api.listEvents(admin)).results).toBe(0);
});

test("a reset restores the initial content, with the same token and the real time", async () => {
  const { admin, controls: client, user, advance } = await start();
  const eve = await user("eve", { account: "other" });
  await advance("P1Y");
  await controls.reset(client);
  expect((await api.getProfile(admin)).uid).toBe(1);
  expect(await failure(api.getProfile(eve))).toEqual([401, "Invalid Token"]);
  expect(Math.abs(Date.parse((await controls.getClock(client)).now) - Date.now())).toBeLessThan(hour);
});

test("the clock stops before years with five digits", async () => {
  const { admin, controls: client, advance } = await start();
  const rejected = [400, "advance: That is further than dates go"];
  for (const by of ["P8000Y", "P200000Y", "P9999999999D"])
    expect(await failure(controls.advanceClock(client, { body: { advance: by } }))).toEqual(rejected);
  expect(Math.abs(Date.parse((await controls.getClock(client)).now) - Date.now())).toBeLessThan(hour);
  await advance("P99Y");
  await api.createTag(admin, { body: { label: "late" } });
  expect((await api.listTags(admin)).data).toEqual([{ label: "late" }]);
});

test("jobs that are on hold do not complete after the response", async () => {
  const { admin, controls: client, advance } = await start(["--pace", "0"]);
  const body = { region: "us-east", type: "g6-nanode-1", image: "compute/debian12", root_pass: "aComplex-P4ssword" };
  for (let round = 0; round < 9; round += 1) {
    const { id } = await api.createInstance(admin, { body });
    await controls.hold(client, { body: { hold: true } });
    const { status } = await api.getInstance(admin, { path: { computeId: id } });
    // Moving the clock runs jobs that are due.
    await advance("PT1S");
    expect((await api.getInstance(admin, { path: { computeId: id } })).status).toBe(status);
    await controls.hold(client, { body: { hold: false } });
  }
});

test("years of jobs do not block other requests", async () => {
  const { admin, advance } = await start();
  const body = { region: "us-east", type: "g6-nanode-1", backups_enabled: true };
  await api.createInstance(admin, { body });
  let isOver = false;
  const moved = advance("P3Y").then(() => (isOver = true));
  for (let asked = 0; asked < 3; asked += 1) await api.getProfile(admin);
  expect(isOver).toBe(false);
  await moved;
});

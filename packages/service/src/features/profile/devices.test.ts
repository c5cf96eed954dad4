import * as api from "@cloud-compute/client";
import { expect, test } from "vitest";
import { failure, start } from "../../testing.support.js";
import * as controls from "../../testing/index.js";

test("a trusted device is listed until it is deleted", async () => {
  const { admin, controls: client } = await start();
  const { id } = await controls.createDevice(client, { body: { user_agent: "Mozilla/5.0 (X11; Linux x86_64)" } });
  const device = await api.getDevice(admin, { path: { deviceId: id } });
  expect(device).toEqual({
    id,
    created: expect.stringMatching(/Z$/),
    expiry: new Date(Date.parse(device.created) + 30 * 86_400_000).toISOString().replace(".000", ""),
    last_authenticated: device.created,
    last_remote_addr: "203.0.113.1",
    user_agent: "Mozilla/5.0 (X11; Linux x86_64)",
  });
  expect(await api.listDevices(admin)).toEqual({ data: [device], page: 1, pages: 1, results: 1 });
  expect(await api.deleteDevice(admin, { path: { deviceId: id } })).toEqual({});
  expect((await api.listDevices(admin)).results).toBe(0);
  expect(await failure(api.getDevice(admin, { path: { deviceId: id } }))).toEqual([404, "Not found"]);
  expect(await failure(api.deleteDevice(admin, { path: { deviceId: id } }))).toEqual([404, "Not found"]);
});

test("a session lasts 30 days", async () => {
  const { admin, advance, controls: client } = await start();
  const { id } = await controls.createDevice(client, { body: { user_agent: "Mozilla/5.0" } });
  await advance("P29DT23H59M50S");
  expect((await api.listDevices(admin)).data).toEqual([await api.getDevice(admin, { path: { deviceId: id } })]);
  await advance("PT10S");
  expect(await api.listDevices(admin)).toEqual({ data: [], page: 1, pages: 1, results: 0 });
  expect(await failure(api.getDevice(admin, { path: { deviceId: id } }))).toEqual([404, "Not found"]);
  expect(await failure(api.deleteDevice(admin, { path: { deviceId: id } }))).toEqual([404, "Not found"]);
});

test("a user sees only their own devices", async () => {
  const { admin, user, controls: client } = await start();
  const eve = await user("eve");
  const { id } = await controls.createDevice(client, { body: { user_agent: "Mozilla/5.0", username: "eve" } });
  expect((await api.listDevices(admin)).results).toBe(0);
  expect(await failure(api.getDevice(admin, { path: { deviceId: id } }))).toEqual([404, "Not found"]);
  expect(await failure(api.deleteDevice(admin, { path: { deviceId: id } }))).toEqual([404, "Not found"]);
  expect((await api.listDevices(eve)).data.map((each) => each.id)).toEqual([id]);
});

test("devices come in pages", async () => {
  const { admin, controls: client } = await start();
  for (let many = 0; many < 26; many += 1)
    await controls.createDevice(client, { body: { user_agent: `agent ${many}` } });
  const second = await api.listDevices(admin, { query: { page: 2, page_size: 25 } });
  expect(second).toMatchObject({ page: 2, pages: 2, results: 26, data: [{ user_agent: "agent 25" }] });
});

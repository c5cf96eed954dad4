import * as api from "@cloud-compute/client";
import { expect, test } from "vitest";
import { durable, failure, start } from "../testing.support.js";

const body = { region: "us-east", type: "g6-nanode-1" };

test("a user may create ten instances within half a minute, also across a restart of the service", async () => {
  const store = await durable();
  const first = await start(store);
  for (let made = 0; made < 6; made += 1) await api.createInstance(first.admin, { body });
  await first.service.close();
  const second = await start(store);
  for (let made = 6; made < 10; made += 1) await api.createInstance(second.admin, { body });
  const [status] = await failure(api.createInstance(second.admin, { body }));
  expect(status).toBe(429);
  await second.advance("PT31S");
  await api.createInstance(second.admin, { body });
});

test("a general limit counts every request of a user", async () => {
  const { admin, user } = await start(["--general-limit", "3"]);
  const eve = await user("eve");
  for (let asked = 0; asked < 3; asked += 1) await api.getProfile(eve);
  const [status] = await failure(api.getProfile(eve));
  expect(status).toBe(429);
  await api.getProfile(admin);
});

import * as api from "@cloud-compute/client";
import { expect, test } from "vitest";
import { openPostgres } from "../store/postgres.js";
import { openSqlite } from "../store/sqlite.js";
import { durable, start } from "../testing.support.js";
import * as controls from "../testing/index.js";

test("expired rows are deleted within a month", async () => {
  const place = await durable();
  const { admin, user, controls: client, advance, service } = await start(place);
  await user("other", { account: "another" });
  const phone = { iso_code: "US", phone_number: "+12125551234" };
  const things = async (): Promise<void> => {
    await api.createDomain(admin, { body: { domain: "a.example.com", type: "slave", master_ips: ["192.0.2.1"] } });
    await api.sendPhoneCode(admin, { body: phone });
    for (const username of ["admin", "other"]) {
      await controls.createLogin(client, { body: { ip: "192.0.2.1", username } });
      await controls.createDevice(client, { body: { user_agent: "a browser", username } });
    }
  };
  await things();
  await advance("P89D");
  const { data } = await api.listDomains(admin);
  await api.deleteDomain(admin, { path: { domainId: data[0]?.id ?? 0 } });
  await things();
  await advance("P32D");
  await service.close();

  const [option = "", where = ""] = place;
  const store = await (option === "--data" ? openSqlite(where) : openPostgres(where));
  const kept = await store.survey(0, async ({ events, logins, devices, messages, jobs }) => ({
    events: (await events.find()).map(({ action }) => action),
    logins: await logins.count(),
    devices: await devices.count(),
    messages: await messages.count(),
    jobs: (await jobs.find({ kind: "forget" })).map(({ subject }) => subject).toSorted(),
  }));
  await store.close();
  expect(kept).toEqual({
    events: ["dns_zone_delete", "dns_zone_create"],
    logins: 2,
    // Devices are trusted for 30 days.
    devices: 0,
    messages: 1,
    jobs: ["account another", "account bootstrap"],
  });
});

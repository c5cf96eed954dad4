import * as api from "@cloud-compute/client";
import { expect, test } from "vitest";
import { failure, start } from "../../testing.support.js";
import * as controls from "../../testing/index.js";
import { deploy } from "../instances/instances.support.js";

const notFound = [404, "Not found"];

test("an event reads as in the list until it is 90 days old", async () => {
  const { admin, advance } = await start();
  const tag = await api.createTag(admin, { body: { label: "production" } });
  const { data } = await api.listEvents(admin);
  expect(data).toEqual([
    {
      id: 1,
      action: "tag_create",
      created: expect.stringMatching(/Z$/),
      duration: 0,
      entity: { id: tag.label, label: tag.label, type: "tag", url: "/v4/tags/production" },
      secondary_entity: null,
      message: null,
      percent_complete: null,
      rate: null,
      read: false,
      seen: false,
      status: "notification",
      time_remaining: null,
      username: "admin",
    },
  ]);
  const path = { eventId: 1 };
  expect(await api.getEvent(admin, { path })).toEqual(data[0]);
  await advance("P89D");
  expect(await api.getEvent(admin, { path })).toEqual(data[0]);
  await advance("P1DT2S");
  expect(await failure(api.getEvent(admin, { path }))).toEqual(notFound);
  expect((await api.listEvents(admin)).data).toEqual([]);
});

test("events are filtered and ordered", async () => {
  const { admin } = await start();
  for (const label of ["one-tag", "two-tags"]) await api.createTag(admin, { body: { label } });
  await api.deleteTag(admin, { path: { label: "one-tag" } });
  const reported = async (filter: api.ListEventsFilter) =>
    (await api.listEvents(admin, { headers: { "X-Filter": filter } })).data.map(({ id }) => id);
  expect(await reported({ action: "tag_create" })).toEqual([1, 2]);
  expect(await reported({ "entity.id": "one-tag", "+order_by": "id", "+order": "desc" })).toEqual([3, 1]);
  expect(await reported({ id: { "+gt": 1 }, "entity.type": "tag" })).toEqual([2, 3]);
  // @ts-expect-error -- the list has no such filter
  expect(await failure(reported({ username: "admin" }))).toEqual([400, "X-Filter: Cannot filter on username"]);
});

test("a restricted user sees its own events and those of readable objects, other accounts none", async () => {
  const world = await start();
  const { admin, user, controls: client } = world;
  const { id } = await deploy(world);
  await api.createTag(admin, { body: { label: "production" } });
  const bob = await user("bob", { restricted: true });
  expect((await api.listEvents(bob)).data).toEqual([]);
  expect(await failure(api.getEvent(bob, { path: { eventId: 1 } }))).toEqual(notFound);
  await controls.setGrants(client, {
    path: { username: "bob" },
    body: { compute: [{ id, label: "", permissions: "read_only" }] },
  });
  expect((await api.listEvents(bob)).data.map(({ action }) => action)).toEqual(["compute_create"]);
  expect((await api.getEvent(bob, { path: { eventId: 1 } })).action).toBe("compute_create");
  const stranger = await user("eve", { account: "other" });
  expect((await api.listEvents(stranger)).data).toEqual([]);
  expect(await failure(api.getEvent(stranger, { path: { eventId: 1 } }))).toEqual(notFound);
});

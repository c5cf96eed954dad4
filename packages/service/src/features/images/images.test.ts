import * as api from "@cloud-compute/client";
import type { Client, Image } from "@cloud-compute/client";
import { expect, test } from "vitest";
import { failure, start, type World } from "../../testing.support.js";
import * as controls from "../../testing/index.js";

const isoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) as unknown as string;

/** An instance with its disks: Debian on 25,088 MB, and swap. */
async function deployed(
  { controls: client }: World,
  as: Client,
): Promise<{ readonly id: number; readonly disk: number; readonly swap: number }> {
  const { id } = await api.createInstance(as, {
    body: { region: "us-east", type: "g6-nanode-1", image: "compute/debian12", root_pass: "aComplex-Pass_word1" },
  });
  const { data } = await controls.listInstanceDisks(client, { path: { id } });
  return { id, disk: data[0]?.id ?? 0, swap: data[1]?.id ?? 0 };
}

test("an image of a disk is first creating, then available with the size of the disk", async () => {
  const world = await start();
  const { admin, settle } = world;
  const { id, disk } = await deployed(world, admin);
  const made = await api.createImage(admin, { body: { disk_id: disk } });
  expect(made).toEqual({
    id: "private/1",
    label: "Debian 12 Disk",
    description: null,
    created: isoTime,
    updated: made.created,
    created_by: "admin",
    deprecated: false,
    eol: null,
    expiry: null,
    is_public: false,
    size: 0,
    status: "creating",
    type: "manual",
    vendor: null,
  } satisfies Image);
  const { data: begun } = await api.listEvents(admin, { headers: { "X-Filter": { action: "disk_imagize" } } });
  expect(begun).toMatchObject([
    {
      status: "started",
      username: "admin",
      percent_complete: 0,
      entity: { id, type: "compute" },
      secondary_entity: { id: "private/1", label: "Debian 12 Disk", type: "image", url: "/v4/images/private/1" },
    },
  ]);
  await settle();
  const { updated, ...rest } = await api.getImage(admin, { path: { imageId: "private/1" } });
  expect({ ...rest, updated: made.updated }).toEqual({ ...made, size: 25_088, status: "available" });
  expect(Date.parse(updated) - Date.parse(made.created)).toBeGreaterThanOrEqual(44_000);
  const { data: ended } = await api.listEvents(admin, { headers: { "X-Filter": { action: "disk_imagize" } } });
  expect(ended).toMatchObject([{ status: "finished", percent_complete: 100 }]);
});

test("an image can be deployed when it is available, on a plan with enough space", async () => {
  const world = await start();
  const { admin, settle } = world;
  const { disk } = await deployed(world, admin);
  const image = await api.createImage(admin, { body: { disk_id: disk, label: "golden", description: "of Debian" } });
  expect(image).toMatchObject({ label: "golden", description: "of Debian" });
  const body = {
    region: "eu-west",
    type: "g6-nanode-1",
    image: image.id,
    root_pass: "aComplex-Pass_word1",
    booted: false,
  } as const;
  expect(await failure(api.createInstance(admin, { body }))).toEqual([
    400,
    "image: The image is still being created or waits for its data",
  ]);
  await settle();
  expect(await api.createInstance(admin, { body })).toMatchObject({ image: image.id });
  const { id: large } = await api.createInstance(admin, {
    body: { region: "us-east", type: "g6-standard-1", image: image.id, root_pass: "aComplex-Pass_word1" },
  });
  const { data } = await controls.listInstanceDisks(world.controls, { path: { id: large } });
  const larger = await api.createImage(admin, { body: { disk_id: data[0]?.id ?? 0 } });
  await settle();
  expect(await failure(api.createInstance(admin, { body: { ...body, image: larger.id } }))).toEqual([
    400,
    "type: The image needs a larger disk than the plan has",
  ]);
});

test("a disk has to exist in the caller's account, with an instance that is not being deleted", async () => {
  const world = await start();
  const { admin, user, settle } = world;
  const { id, disk } = await deployed(world, admin);
  const gone = [404, expect.stringMatching(/^disk_id: /)];
  expect(await failure(api.createImage(admin, { body: { disk_id: 999 } }))).toEqual(gone);
  const stranger = await user("stranger", { account: "other" });
  expect(await failure(api.createImage(stranger, { body: { disk_id: disk } }))).toEqual(gone);
  await api.deleteInstance(admin, { path: { computeId: id } });
  expect((await api.getInstance(admin, { path: { computeId: id } })).status).toBe("deleting");
  expect(await failure(api.createImage(admin, { body: { disk_id: disk } }))).toEqual(gone);
  await settle();
  expect(await failure(api.createImage(admin, { body: { disk_id: disk } }))).toEqual(gone);
  expect(await failure(api.createImage(admin, { body: {} as never }))).toEqual([400, "disk_id: is required"]);
  const { data } = await api.listImages(admin);
  expect(data.filter(({ is_public }) => !is_public)).toEqual([]);
});

test("images of swap disks, and limits of the description", async () => {
  const world = await start();
  const { admin, settle } = world;
  const { disk, swap } = await deployed(world, admin);
  const small = await api.createImage(admin, { body: { disk_id: swap, description: "d" } });
  const long = await api.createImage(admin, { body: { disk_id: disk, description: "d".repeat(65_000) } });
  for (const description of ["", "d".repeat(65_001)])
    expect((await failure(api.createImage(admin, { body: { disk_id: disk, description } })))[0]).toBe(400);
  await settle();
  expect(await api.getImage(admin, { path: { imageId: small.id } })).toMatchObject({ size: 512, description: "d" });
  expect((await api.getImage(admin, { path: { imageId: long.id } })).description).toHaveLength(65_000);
});

test("a copy that has started succeeds although its instance is deleted meanwhile", async () => {
  const world = await start();
  const { admin, settle } = world;
  const { id, disk } = await deployed(world, admin);
  const { id: imageId } = await api.createImage(admin, { body: { disk_id: disk } });
  await api.deleteInstance(admin, { path: { computeId: id } });
  await settle();
  expect(await failure(api.getInstance(admin, { path: { computeId: id } }))).toEqual([404, "Not found"]);
  expect(await api.getImage(admin, { path: { imageId } })).toMatchObject({ status: "available", size: 25_088 });
});

test("every account reads public images and none changes them, and private ones belong to an account", async () => {
  const world = await start();
  const { admin, as, user } = world;
  const { disk } = await deployed(world, admin);
  const { id } = await api.createImage(admin, { body: { disk_id: disk } });
  const anonymous = as(undefined);
  const { data: open } = await api.listImages(anonymous);
  expect(open.length).toBeGreaterThanOrEqual(6);
  expect(open.every(({ is_public }) => is_public)).toBe(true);
  expect(open.find((each) => each.id === "compute/debian10")).toMatchObject({
    deprecated: true,
    eol: "2024-06-30T00:00:00Z",
    created_by: "compute",
    vendor: "Debian",
    status: "available",
    expiry: null,
  });
  expect(await api.getImage(anonymous, { path: { imageId: "compute/debian12" } })).toMatchObject({
    label: "Debian 12",
  });
  expect(await failure(api.getImage(anonymous, { path: { imageId: id } }))).toEqual([404, "Not found"]);
  expect(await failure(api.listImages(as("0".repeat(64))))).toEqual([401, "Invalid Token"]);
  const stranger = await user("stranger", { account: "other" });
  expect((await api.listImages(stranger)).results).toBe(open.length);
  expect((await api.listImages(admin)).results).toBe(open.length + 1);
  for (const call of [
    (imageId: string) => api.getImage(stranger, { path: { imageId } }),
    (imageId: string) => api.updateImage(stranger, { path: { imageId }, body: { label: "mine" } }),
    (imageId: string) => api.deleteImage(stranger, { path: { imageId } }),
  ]) {
    expect(await failure(call(id))).toEqual([404, "Not found"]);
    expect(await failure(call("private/77"))).toEqual([404, "Not found"]);
  }
  const debian = { imageId: "compute/debian12" };
  expect(await failure(api.updateImage(admin, { path: debian, body: { label: "mine" } }))).toEqual([
    403,
    "The image is public",
  ]);
  expect(await failure(api.deleteImage(admin, { path: debian }))).toEqual([403, "The image is public"]);
});

test("a path may contain the slash of an id plain or escaped", async () => {
  const { service, as } = await start();
  for (const path of ["/images/compute/debian12", "/images/compute%2Fdebian12"]) {
    const answer = await fetch(`${service.url}${path}`);
    expect([answer.status, ((await answer.json()) as Image).id]).toEqual([200, "compute/debian12"]);
  }
  expect(await failure(api.getImage(as(undefined), { path: { imageId: "debian12" } }))).toEqual([404, "Not found"]);
});

test("scopes: reading requires images:read_only, creating requires computes:read_only too", async () => {
  const world = await start();
  const { admin, user } = world;
  const { disk } = await deployed(world, admin);
  const rejected = [401, "Your OAuth token is not authorized to use this endpoint."];
  const reader = await user("reader", { scopes: "images:read_only" });
  expect((await api.listImages(reader)).results).toBeGreaterThan(0);
  expect(await failure(api.uploadImage(reader, { body: { label: "x", region: "us-east" } }))).toEqual(rejected);
  const half = await user("half", { scopes: "images:read_write" });
  expect(await failure(api.createImage(half, { body: { disk_id: disk } }))).toEqual(rejected);
  const both = await user("both", { scopes: "images:read_write,computes:read_only" });
  expect((await api.createImage(both, { body: { disk_id: disk } })).created_by).toBe("both");
  const other = await user("other", { scopes: "domains:read_only" });
  expect(await failure(api.listImages(other))).toEqual(rejected);
});

test("a restricted user needs add_images and a grant on the instance, and gets a grant on the image", async () => {
  const world = await start();
  const { admin, user, controls: client, settle } = world;
  const { id, disk } = await deployed(world, admin);
  const theirs = await api.createImage(admin, { body: { disk_id: disk } });
  const ann = await user("ann", { restricted: true });
  const grant = (body: Parameters<typeof controls.setGrants>[1]["body"]) =>
    controls.setGrants(client, { path: { username: "ann" }, body });
  expect((await failure(api.createImage(ann, { body: { disk_id: disk } })))[0]).toBe(403);
  await grant({ global: { add_images: true } });
  expect((await failure(api.createImage(ann, { body: { disk_id: disk } })))[0]).toBe(404);
  await grant({ global: { add_images: true }, compute: [{ id, permissions: "read_only" }] });
  const made = await api.createImage(ann, { body: { disk_id: disk, label: "ann's" } });
  const { upload_to: _address, image } = await api.uploadImage(ann, { body: { label: "sent", region: "us-east" } });
  await settle();
  const seen = async (): Promise<string[]> =>
    (await api.listImages(ann)).data.filter(({ is_public }) => !is_public).map((each) => each.id);
  expect(await seen()).toEqual([made.id, image.id]);
  expect(await failure(api.getImage(ann, { path: { imageId: theirs.id } }))).toEqual([404, "Not found"]);
  await api.updateImage(ann, { path: { imageId: made.id }, body: { label: "changed" } });
  await api.deleteImage(ann, { path: { imageId: made.id } });
  await grant({ image: [{ id: 1, permissions: "read_only" }] });
  expect(await seen()).toEqual([theirs.id]);
  const path = { imageId: theirs.id };
  expect((await failure(api.updateImage(ann, { path, body: { label: "x" } })))[0]).toBe(403);
  expect((await failure(api.deleteImage(ann, { path })))[0]).toBe(403);
  expect((await failure(api.uploadImage(ann, { body: { label: "x", region: "us-east" } })))[0]).toBe(403);
});

test("an update keeps absent fields, and with the values that were read changes nothing", async () => {
  const world = await start();
  const { admin, settle, advance } = world;
  const { disk } = await deployed(world, admin);
  const { id: imageId } = await api.createImage(admin, { body: { disk_id: disk, description: "first" } });
  await settle();
  const path = { imageId };
  const before = await api.getImage(admin, { path });
  await advance("PT1M");
  expect(await api.updateImage(admin, { path, body: before })).toEqual(before);
  expect(await api.updateImage(admin, { path, body: { label: null, description: "first" } })).toEqual(before);
  const events = async (): Promise<unknown[]> =>
    (await api.listEvents(admin, { headers: { "X-Filter": { action: "image_update" } } })).data;
  expect(await events()).toEqual([]);
  const changed = await api.updateImage(admin, { path, body: { label: "second" } });
  expect(changed).toEqual({ ...before, label: "second", updated: changed.updated });
  expect(changed.updated > before.updated).toBe(true);
  expect((await api.updateImage(admin, { path, body: { description: null } })).description).toBeNull();
  expect(await api.getImage(admin, { path })).toMatchObject({ label: "second", description: null });
  expect(await events()).toMatchObject([
    { status: "notification", entity: { id: imageId, label: "second", type: "image" } },
    {},
  ]);
  expect((await failure(api.updateImage(admin, { path, body: { description: "d".repeat(65_001) } })))[0]).toBe(400);
});

test("an image can be deleted in any status, and its instances stay", async () => {
  const world = await start();
  const { admin, settle } = world;
  const { disk } = await deployed(world, admin);
  const { id: imageId } = await api.createImage(admin, { body: { disk_id: disk } });
  await settle();
  const body = { region: "us-east", type: "g6-nanode-1", image: imageId, root_pass: "aComplex-Pass_word1" };
  const instance = await api.createInstance(admin, { body });
  await settle();
  expect(await api.deleteImage(admin, { path: { imageId } })).toEqual({});
  expect(await failure(api.deleteImage(admin, { path: { imageId } }))).toEqual([404, "Not found"]);
  expect(await api.getInstance(admin, { path: { computeId: instance.id } })).toMatchObject({ image: imageId });
  expect((await failure(api.createInstance(admin, { body })))[0]).toBe(400);

  const creating = await api.createImage(admin, { body: { disk_id: disk } });
  expect(creating.id).toBe("private/2");
  await api.deleteImage(admin, { path: { imageId: creating.id } });
  await settle();
  expect(await failure(api.getImage(admin, { path: { imageId: creating.id } }))).toEqual([404, "Not found"]);
  const { data } = await api.listEvents(admin, { headers: { "X-Filter": { action: "disk_imagize" } } });
  expect(data.map(({ status }) => status).toSorted()).toEqual(["failed", "finished"]);
  const { data: deletions } = await api.listEvents(admin, { headers: { "X-Filter": { action: "image_delete" } } });
  expect(deletions.map(({ entity }) => String(entity?.id)).toSorted()).toEqual(["private/1", "private/2"]);
});

test("every documented field filters, orders and pages the list", async () => {
  const world = await start();
  const { admin, settle } = world;
  const { disk } = await deployed(world, admin);
  for (const label of ["one", "two"]) await api.createImage(admin, { body: { disk_id: disk, label } });
  await settle();
  const ids = async (filter: NonNullable<NonNullable<Parameters<typeof api.listImages>[1]>["headers"]>["X-Filter"]) =>
    (await api.listImages(admin, { headers: { "X-Filter": filter } })).data.map(({ id }) => id);
  expect(await ids({ is_public: false })).toEqual(["private/1", "private/2"]);
  expect(await ids({ label: "two" })).toEqual(["private/2"]);
  expect(await ids({ deprecated: true })).toEqual(["compute/debian10"]);
  expect(await ids({ size: { "+gte": 25_088 } })).toEqual(["private/1", "private/2"]);
  expect(await ids({ type: "automatic" })).toEqual([]);
  expect(await ids({ vendor: "Debian", "+order_by": "label", "+order": "desc" })).toEqual([
    "compute/debian12",
    "compute/debian11",
    "compute/debian10",
  ]);
  // @ts-expect-error -- the list has no such filter
  expect(await failure(ids({ status: "available" }))).toEqual([400, "X-Filter: Cannot filter on status"]);
  const first = await api.listImages(admin, { query: { page_size: 25 } });
  expect([first.page, first.pages, first.results]).toEqual([1, 1, 10]);
});

test("the platform keeps an automatic image of an instance that it deletes for two weeks", async () => {
  const world = await start();
  const { admin, controls: client, settle, advance } = world;
  const { id } = await deployed(world, admin);
  await settle();
  const made = await controls.createAutomaticImage(client, { path: { id } });
  expect(made).toMatchObject({
    id: "private/1",
    label: `compute${id}`,
    type: "automatic",
    status: "creating",
    is_public: false,
    created_by: "compute",
  });
  expect(Date.parse(made.expiry ?? "") - Date.parse(made.created)).toBe(14 * 24 * 3600 * 1000);
  expect((await api.getInstance(admin, { path: { computeId: id } })).status).toBe("deleting");
  await settle();
  expect(await failure(api.getInstance(admin, { path: { computeId: id } }))).toEqual([404, "Not found"]);
  const path = { imageId: made.id };
  expect(await api.getImage(admin, { path })).toMatchObject({ status: "available", size: 25_088 });
  const now = Date.parse((await controls.getClock(client)).now);
  await advance(`PT${(Date.parse(made.expiry ?? "") - now) / 1000 - 5}S`);
  expect((await api.getImage(admin, { path })).status).toBe("available");
  await advance("PT6S");
  expect(await failure(api.getImage(admin, { path }))).toEqual([404, "Not found"]);
});

test("an instance without a disk leaves an empty image, and one that cannot be deleted leaves none", async () => {
  const { admin, controls: client, settle } = await start();
  const { id } = await api.createInstance(admin, { body: { region: "us-east", type: "g6-nanode-1", label: "bare" } });
  const { id: other } = await api.createInstance(admin, { body: { region: "us-east", type: "g6-nanode-1" } });
  const made = await controls.createAutomaticImage(client, { path: { id } });
  await settle();
  expect(await api.getImage(admin, { path: { imageId: made.id } })).toMatchObject({ label: "bare", size: 0 });
  await controls.setInstanceStatus(client, { path: { id: other }, body: { status: "restoring" } });
  await expect(controls.createAutomaticImage(client, { path: { id: other } })).rejects.toMatchObject({ status: 400 });
  await expect(controls.createAutomaticImage(client, { path: { id: 999 } })).rejects.toMatchObject({ status: 404 });
});

import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import * as api from "@cloud-compute/client";
import { expect, test } from "vitest";
import { durable, failure, start } from "../../testing.support.js";
import * as controls from "../../testing/index.js";
import { answerOf, beginUpload, megabyte, put, sendSlowly, ticket, type Answer } from "./uploads.support.js";

const closed = [404, { errors: [{ reason: "The address is unknown, has expired, or its image has its data" }] }];
const notGzip = [400, { errors: [{ reason: "The data is not gzip-compressed, or not all of it has come" }] }];

test("an image waits for its data, and is available in every region after processing", async () => {
  const world = await beginUpload();
  const { admin, service, settle, files } = world;
  const body = { label: "sent", region: "us-east", description: "by hand" };
  const { image, upload_to } = await api.uploadImage(admin, { body });
  expect(image).toEqual({
    id: "private/1",
    label: "sent",
    description: "by hand",
    created: image.created,
    updated: image.created,
    created_by: "admin",
    deprecated: false,
    eol: null,
    expiry: null,
    is_public: false,
    size: 0,
    status: "pending_upload",
    type: "manual",
    vendor: null,
  });
  expect(upload_to).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/uploads\/[0-9a-f]{64}$/);
  expect(upload_to.startsWith(service.url.replace(/\/v4$/, "/"))).toBe(true);
  const path = { imageId: image.id };
  await settle();
  expect(await api.getImage(admin, { path })).toEqual(image);

  const disk = randomBytes(3 * megabyte + 1);
  const sent = gzipSync(disk);
  expect(await put(upload_to, sent)).toEqual([200, {}]);
  expect(await api.getImage(admin, { path })).toEqual(image);
  expect(await put(upload_to, sent)).toEqual(closed);
  await settle();
  expect(await api.getImage(admin, { path })).toMatchObject({ status: "available", size: 4 });
  expect(await put(upload_to, sent)).toEqual(closed);
  const [file = "", ...others] = files();
  expect(others).toEqual([]);
  expect(readFileSync(file).equals(sent)).toBe(true);
  const { data: events } = await api.listEvents(admin, { headers: { "X-Filter": { action: "image_upload" } } });
  expect(events).toMatchObject([{ status: "finished", entity: { id: "private/1", label: "sent", type: "image" } }]);
  const instance = await api.createInstance(admin, {
    body: { region: "ap-south", type: "g6-nanode-1", image: image.id, root_pass: "aComplex-Pass_word1" },
  });
  expect(instance.image).toBe(image.id);
});

test("sizes are those of the disk image, in whole MB", async () => {
  const world = await beginUpload(["--pace", "0"]);
  const cases = [
    [megabyte, 1],
    [megabyte + 1, 2],
    [1, 1],
  ] as const;
  for (const [bytes, size] of cases) {
    const { address, id } = await ticket(world);
    expect(await put(address, gzipSync(Buffer.alloc(bytes)))).toEqual([200, {}]);
    await expect
      .poll(() => api.getImage(world.admin, { path: { imageId: id } }))
      .toMatchObject({ status: "available", size });
  }
});

test("an upload requires a label, an existing region, and a description within its limits", async () => {
  const { admin } = await start();
  const fails = (body: object): Promise<unknown> => failure(api.uploadImage(admin, { body: body as never }));
  expect(await fails({ region: "us-east" })).toEqual([400, "label: is required"]);
  expect(await fails({ label: "x" })).toEqual([400, "region: is required"]);
  expect(await fails({ label: "x", region: "mars" })).toEqual([400, "region: There is no region with this id"]);
  expect(await fails({ label: "x", region: "us-east", description: "" })).toEqual([
    400,
    expect.stringMatching(/^description: /),
  ]);
  const { image } = await api.uploadImage(admin, { body: { label: "x", region: "us-east", description: "d" } });
  expect(image.description).toBe("d");
});

test("an upload does not block other requests of the account", async () => {
  const world = await beginUpload(await durable());
  const { address, id } = await ticket(world);
  const upload = sendSlowly(address, gzipSync(randomBytes(megabyte)));
  await upload.half;
  await expect.poll(() => world.files()).toHaveLength(1);
  await api.createTag(world.admin, { body: { label: "meanwhile" } });
  const path = { imageId: id };
  await api.updateImage(world.admin, { path, body: { label: "renamed" } });
  expect(await upload.end()).toEqual([200, {}]);
  expect(await api.getImage(world.admin, { path })).toMatchObject({ label: "renamed", status: "pending_upload" });
});

test("data that is not complete gzip is rejected, and the upload can be repeated", async () => {
  const world = await beginUpload();
  const { address, id } = await ticket(world);
  const whole = gzipSync(randomBytes(300_000));
  const wrongSum = Buffer.from(whole);
  wrongSum.writeUInt8(wrongSum.readUInt8(whole.length - 8) ^ 1, whole.length - 8);
  const cases = [
    Buffer.from("this is not gzip at all, whatever it says"),
    randomBytes(2 * megabyte),
    whole.subarray(0, whole.length - 1),
    whole.subarray(0, 9),
    wrongSum,
    Buffer.concat([whole, Buffer.from("and more")]),
  ];
  for (const each of cases) expect(await put(address, each)).toEqual(notGzip);
  expect((await put(address, Buffer.alloc(0)))[0]).toBe(400);
  expect(world.files()).toEqual([]);
  await world.settle();
  expect((await api.getImage(world.admin, { path: { imageId: id } })).status).toBe("pending_upload");
  // Several gzip files in sequence are valid gzip.
  expect(await put(address, Buffer.concat([whole, whole]))).toEqual([200, {}]);
  const [file = ""] = world.files();
  expect(gunzipSync(readFileSync(file))).toHaveLength(600_000);
});

test("an upload has a declared length of at most 5 GB, is binary, and uses PUT", async () => {
  const world = await beginUpload();
  const { address } = await ticket(world);
  const declared = async (bytes: number): Promise<Answer> => {
    const request = http.request(address, {
      method: "PUT",
      headers: { "Content-Type": "application/octet-stream", "Content-Length": bytes },
    });
    request.on("error", () => {});
    request.flushHeaders();
    request.write("no gzip, so that the answer comes");
    const [response] = (await once(request, "response")) as [http.IncomingMessage];
    return answerOf(response).finally(() => request.destroy());
  };
  expect(await declared(5_000_000_001)).toEqual([413, { errors: [{ reason: "The data is larger than 5 GB" }] }]);
  expect(await declared(5_000_000_000)).toEqual(notGzip);
  expect((await put(address, gzipSync("x"), { "Content-Type": "application/json" }))[0]).toBe(415);
  expect((await fetch(address)).status).toBe(405);
  expect(await put(address, gzipSync("x"))).toEqual([200, {}]);
});

test("an address is secret, and an unknown one gets 404", async () => {
  const world = await beginUpload();
  const { address } = await ticket(world);
  const origin = new URL(address).origin;
  expect(await put(`${origin}/uploads/${"0".repeat(64)}`, gzipSync("x"))).toEqual(closed);
  expect(await put(`${origin}/uploads/null`, gzipSync("x"))).toEqual(closed);
  const { data } = await api.listImages(world.admin, { headers: { "X-Filter": { is_public: false } } });
  expect(JSON.stringify(data)).not.toContain(address.split("/").at(-1));
});

test("an address uses the public URL if one is configured", async () => {
  const world = await beginUpload(["--public-url", "https://cloud.example"]);
  const { address } = await ticket(world);
  expect(address).toMatch(/^https:\/\/cloud\.example\/uploads\/[0-9a-f]{64}$/);
});

test("without data for 24 hours, an image is deleted and its address closed", async () => {
  const world = await beginUpload();
  const { admin, advance, controls: client } = world;
  const { address, id } = await ticket(world);
  const path = { imageId: id };
  const { created } = await api.getImage(admin, { path });
  await put(address, Buffer.from("nothing that helps"));
  const now = Date.parse((await controls.getClock(client)).now);
  await advance(`PT${24 * 3600 - 5 - (now - Date.parse(created)) / 1000}S`);
  expect((await api.getImage(admin, { path })).status).toBe("pending_upload");
  await put(address, Buffer.from("nothing that helps"));
  await advance("PT6S");
  expect(await failure(api.getImage(admin, { path }))).toEqual([404, "Not found"]);
  expect(await put(address, gzipSync("x"))).toEqual(closed);
  const { data } = await api.listEvents(admin, { headers: { "X-Filter": { action: "image_upload" } } });
  expect(data).toMatchObject([{ status: "failed" }]);
  await expect.poll(() => readdirSync(world.folder)).toEqual([]);
});

test("data that arrived in time counts, regardless of the processing time", async () => {
  const world = await beginUpload();
  const { admin, advance, settle, controls: client } = world;
  const { address, id } = await ticket(world);
  await advance("PT23H59M50S");
  expect(await put(address, gzipSync("x"))).toEqual([200, {}]);
  await controls.hold(client, { body: { hold: true } });
  await advance("PT48H");
  expect((await api.getImage(admin, { path: { imageId: id } })).status).toBe("pending_upload");
  await controls.hold(client, { body: { hold: false } });
  await settle();
  expect((await api.getImage(admin, { path: { imageId: id } })).status).toBe("available");
});

test("an upload that began in time counts, regardless of its duration", async () => {
  const world = await beginUpload();
  const { address, id } = await ticket(world);
  const upload = sendSlowly(address, gzipSync(randomBytes(megabyte)));
  await upload.half;
  await expect.poll(() => world.files()).toHaveLength(1);
  await world.advance("PT25H");
  expect((await api.getImage(world.admin, { path: { imageId: id } })).status).toBe("pending_upload");
  expect(await put(address, gzipSync("x"))).toEqual(closed);
  expect(await upload.end()).toEqual([200, {}]);
  await world.settle();
  expect((await api.getImage(world.admin, { path: { imageId: id } })).status).toBe("available");
});

test("an upload that began in time and breaks off later cancels the image", async () => {
  const world = await beginUpload();
  const { address, id } = await ticket(world);
  const broken = sendSlowly(address, gzipSync(randomBytes(megabyte)));
  await broken.half;
  await expect.poll(() => world.files()).toHaveLength(1);
  await world.advance("PT25H");
  broken.cut();
  await expect
    .poll(() => failure(api.getImage(world.admin, { path: { imageId: id } })).catch(() => undefined))
    .toEqual([404, "Not found"]);
  await expect.poll(() => readdirSync(world.folder)).toEqual([]);
});

test("an upload to a killed service keeps an image for at most 24 more hours", async () => {
  const world = await beginUpload();
  const { address, id } = await ticket(world);
  const upload = sendSlowly(address, gzipSync(randomBytes(megabyte)));
  await upload.half;
  await expect.poll(() => world.files()).toHaveLength(1);
  await world.advance("PT25H");
  await world.advance("PT25H");
  expect(await failure(api.getImage(world.admin, { path: { imageId: id } }))).toEqual([404, "Not found"]);
  expect(await upload.end()).toEqual(closed);
});

test("the first complete one of two concurrent uploads counts", async () => {
  const world = await beginUpload();
  const { address, id } = await ticket(world);
  const [first, second] = [gzipSync(randomBytes(megabyte)), gzipSync(randomBytes(2 * megabyte))];
  const one = sendSlowly(address, first);
  const two = sendSlowly(address, second);
  await Promise.all([one.half, two.half]);
  await expect.poll(() => world.files()).toHaveLength(2);
  expect(await two.end()).toEqual([200, {}]);
  expect(await one.end()).toEqual(closed);
  await world.settle();
  expect(await api.getImage(world.admin, { path: { imageId: id } })).toMatchObject({ status: "available", size: 2 });
  expect(world.files().map((file) => readFileSync(file).equals(second))).toEqual([true]);
});

test("one of many concurrent uploads wins", async () => {
  const world = await beginUpload();
  const { address } = await ticket(world);
  const data = gzipSync(randomBytes(200_000));
  const answers = await Promise.all(Array.from({ length: 8 }, () => put(address, data)));
  expect(answers.filter(([status]) => status === 200)).toHaveLength(1);
  expect(answers.filter(([status]) => status === 404)).toHaveLength(7);
  expect(world.files()).toHaveLength(1);
});

test("an aborted upload leaves no files, and can be repeated", async () => {
  const world = await beginUpload();
  const { address, id } = await ticket(world);
  const data = gzipSync(randomBytes(megabyte));
  const broken = sendSlowly(address, data);
  await broken.half;
  await expect.poll(() => world.files()).toHaveLength(1);
  expect(world.files()[0]).toMatch(/\.part$/);
  broken.cut();
  await expect.poll(() => world.files()).toEqual([]);
  expect(await put(address, data)).toEqual([200, {}]);
  await world.settle();
  expect((await api.getImage(world.admin, { path: { imageId: id } })).status).toBe("available");
});

test("an image that is deleted during or after its upload leaves no file", async () => {
  const world = await beginUpload();
  const { admin, settle, files } = world;
  const data = gzipSync(randomBytes(megabyte));

  const coming = await ticket(world);
  const upload = sendSlowly(coming.address, data);
  await upload.half;
  await expect.poll(files).toHaveLength(1);
  await api.deleteImage(admin, { path: { imageId: coming.id } });
  await expect.poll(files).toEqual([]);
  expect(await upload.end()).toEqual(closed);

  const processing = await ticket(world);
  await put(processing.address, data);
  await api.deleteImage(admin, { path: { imageId: processing.id } });
  await settle();

  const done = await ticket(world);
  await put(done.address, data);
  await settle();
  expect((await api.getImage(admin, { path: { imageId: done.id } })).status).toBe("available");
  expect(files()).toHaveLength(1);
  await api.deleteImage(admin, { path: { imageId: done.id } });

  await expect.poll(() => readdirSync(world.folder)).toEqual([]);
  expect((await api.listImages(admin, { headers: { "X-Filter": { is_public: false } } })).data).toEqual([]);
  const { data: events } = await api.listEvents(admin, { headers: { "X-Filter": { action: "image_upload" } } });
  expect(events.map(({ status }) => status).toSorted()).toEqual(["failed", "failed", "finished"]);
});

test("a partial file of a killed service is deleted when the image has its data", async () => {
  const world = await beginUpload();
  const { address, id } = await ticket(world);
  const broken = sendSlowly(address, gzipSync(randomBytes(megabyte)));
  await broken.half;
  await expect.poll(() => world.files()).toHaveLength(1);
  const [left = ""] = world.files();
  writeFileSync(`${left}.left`, "half of an image");
  broken.cut();
  await expect.poll(() => existsSync(left)).toBe(false);
  expect(await put(address, gzipSync("x"))).toEqual([200, {}]);
  await world.settle();
  expect((await api.getImage(world.admin, { path: { imageId: id } })).status).toBe("available");
  expect(world.files().filter((file) => !file.endsWith(".img.gz"))).toEqual([]);
});

test("a full disk gets 503, and the upload can be repeated", async () => {
  const world = await beginUpload();
  const { address, id } = await ticket(world);
  const place = join(world.folder, id.replace("private/", "image-"));
  writeFileSync(place, "no folder can be made here");
  expect((await put(address, gzipSync("x")))[0]).toBe(503);
  rmSync(place);
  expect(await put(address, gzipSync("x"))).toEqual([200, {}]);
});

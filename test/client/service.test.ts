import { gzipSync } from "node:zlib";
import {
  bootInstance,
  createClient,
  createInstance,
  createTag,
  getImage,
  isWaitError,
  listDomains,
  listInstances,
  listTags,
  withRateLimit,
  paginateList,
  putImageData,
  withRetry,
  uploadImage,
  waitForImage,
  waitForInstance,
  type Fetch,
  type UploadProgress,
} from "@cloud-compute/client";
import * as controls from "@cloud-compute/service/testing";
import { describe, expect, expectTypeOf, it, onTestFinished, vi } from "vitest";
import { startServiceInProcess } from "../support/service-in-process.js";

/** The reference service, a hundred times as fast as the platform, and clients of it and of its controls. */
async function start(fetch?: Fetch) {
  const service = await startServiceInProcess(["--pace", "100"]);
  const { url, token } = service;
  const client = createClient({ baseUrl: url, token, fetch });
  return { client, url, token, control: controls.createClient({ baseUrl: service.controls ?? "" }) };
}

const plain = { region: "us-east", type: "g6-standard-1" };

describe("the client and the reference service", () => {
  it("list many objects completely, with any number of concurrent pages", async () => {
    const { client } = await start();
    const labels = Array.from({ length: 230 }, (_, index) => `tag-${String(index).padStart(3, "0")}`);
    for (const label of labels) await createTag(client, { body: { label } });
    for (const concurrency of [1, 4]) {
      const found: string[] = [];
      for await (const tag of paginateList(listTags, client, {}, { pageSize: 25, concurrency })) {
        expectTypeOf(tag.label).toEqualTypeOf<string>();
        found.push(tag.label);
      }
      expect(found.sort()).toEqual(labels);
    }
    const pages = [];
    for await (const { data } of paginateList(listTags, client, {}, { pageSize: 100 }).pages()) pages.push(data.length);
    expect(pages).toEqual([100, 100, 30]);
  });

  it("filter a list only by its documented fields", async () => {
    const { client } = await start();
    for (const label of ["grün-1", "grün-2", "blau-1"])
      await createInstance(client, { body: { ...plain, label: label.replace("ü", "ue"), tags: [label] } });
    const filter = {
      "+or": [{ label: { "+contains": "GRUEN" } }, { tags: "blau-1" }],
      "+order_by": "label",
      "+order": "desc",
    } as const;
    const { data } = await listInstances(client, { headers: { "X-Filter": filter } });
    expect(data.map(({ label }) => label)).toEqual(["gruen-2", "gruen-1", "blau-1"]);
    const tagged = await listInstances(client, { headers: { "X-Filter": { tags: "grün-1" } } });
    expect(tagged.data.map(({ label }) => label)).toEqual(["gruen-1"]);
    // @ts-expect-error the description does not list `status` among the filters
    const rejected = listInstances(client, { headers: { "X-Filter": { status: "running" } } });
    await expect(rejected).rejects.toMatchObject({ status: 400, errors: [{ field: "X-Filter" }] });
    // @ts-expect-error a label is not greater than another
    void (() => listInstances(client, { headers: { "X-Filter": { label: { "+gt": "a" } } } }));
    // @ts-expect-error and domains have no label
    void (() => listDomains(client, { headers: { "X-Filter": { label: "a" } } }));
  });

  it("wait until an instance is created and booted", async () => {
    const { client } = await start();
    const made = await createInstance(client, {
      body: { ...plain, image: "compute/debian12", root_pass: "aComplex-P4ssword", booted: false },
    });
    expect(made.status).toBe("provisioning");
    expect(await waitForInstance(client, made.id, "offline", { intervalMs: 5 })).toMatchObject({
      id: made.id,
      status: "offline",
    });
    await bootInstance(client, { path: { computeId: made.id } });
    expect(await waitForInstance(client, made.id, "running", { intervalMs: 5 })).toMatchObject({ status: "running" });
  });

  it("name an unreachable state, and a deleted object", async () => {
    const { client, control } = await start();
    const { id } = await createInstance(client, { body: plain });
    await controls.setInstanceStatus(control, { path: { id }, body: { status: "deleting" } });
    const error: unknown = await waitForInstance(client, id, "running").catch((reason: unknown) => reason);
    expect(isWaitError(error)).toBe(true);
    expect(error).toMatchObject({
      code: "unreachable",
      state: "deleting",
      message: "waiting for instance to become running: it is deleting, and cannot get there",
    });
    await expect(waitForInstance(client, id + 1, "running")).rejects.toMatchObject({
      code: "gone",
      cause: { status: 404 },
    });
    // @ts-expect-error unknown state
    void (() => waitForInstance(client, id, "asleep"));
  });

  it("upload the data of an image, and wait for it to be there", async () => {
    const { client } = await start();
    const { image, upload_to: to } = await uploadImage(client, { body: { label: "mine", region: "us-east" } });
    const data = gzipSync(Buffer.alloc(3_000_000, "some of an image "));
    const reported: UploadProgress[] = [];
    const body = new Blob([data]).stream();
    const options = { size: data.length, onProgress: (each: UploadProgress) => void reported.push(each) };
    expect(await putImageData(client, { to, body }, options)).toEqual({});
    expect(reported.at(-1)).toEqual({ sent: data.length, total: data.length });
    expect(await waitForImage(client, image.id, "available", { intervalMs: 5 })).toMatchObject({ label: "mine" });
    const again: unknown = await putImageData(client, { to, body: data }).catch((reason: unknown) => reason);
    expect(again).toMatchObject({ status: 404, url: new URL(to).origin });
    expect(await getImage(client, { path: { imageId: image.id } })).toMatchObject({ status: "available" });
  });

  it("repeat a request after a 429 in time", async () => {
    const statuses: number[] = [];
    let retryAfter = 0;
    const watched: Fetch = async (url, init) => {
      const response = await fetch(url, init);
      statuses.push(response.status);
      retryAfter = Number(response.headers.get("retry-after"));
      return response;
    };
    const { client, control } = await start(withRetry({ fetch: watched, methods: ["POST"] }));
    for (let made = 0; made < 10; made++) await createInstance(client, { body: plain });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const eleventh = createInstance(client, { body: plain });
    while (!statuses.includes(429)) await new Promise((resolve) => setImmediate(resolve));
    // A request before its time would get 429, too.
    await vi.advanceTimersByTimeAsync(retryAfter * 1000 - 1);
    await controls.advanceClock(control, { body: { advance: "PT30S" } });
    await vi.advanceTimersByTimeAsync(1000);
    expect(await eleventh).toMatchObject({ status: "offline" });
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429, 200]);
  });

  it("stay below the rate that the description names", async () => {
    const { url, token } = await start();
    const client = createClient({ baseUrl: url, token, fetch: withRateLimit() });
    const made = await Promise.all(Array.from({ length: 10 }, () => createInstance(client, { body: plain })));
    expect(made).toHaveLength(10);
    // The eleventh waits for its turn, and is not sent; other requests do not wait.
    const late = createInstance(client, { body: plain }, { timeout: 100 });
    expect((await listInstances(client)).results).toBe(10);
    await expect(late).rejects.toMatchObject({ code: "timeout" });
    expect((await listInstances(client)).results).toBe(10);
  });
});

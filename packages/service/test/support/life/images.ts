import { randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";
import * as api from "@cloud-compute/client";
import * as controls from "../../../src/testing/index.js";
import { regionOf, tagOf } from "./instances.js";
import { all, type Act, type Walk } from "./walk.js";

/** Actions on images, tags and regions. */
export const images: readonly Act[] = [
  createImage,
  createImage,
  upload,
  upload,
  async (walk) => {
    const imageId = walk.some(await walk.images())?.id;
    if (imageId === undefined) return;
    await walk.ask(api.getImage, { path: { imageId } });
    const body = walk.chance(50) ? { label: `image ${walk.random.below(99)}` } : { description: "a description" };
    await walk.ask(api.updateImage, { path: { imageId }, body });
  },
  deleteImage,
  async (walk) => {
    const { data = [] } = (await walk.ask(api.listRegions, {})) ?? {};
    await walk.ask(api.getRegion, { path: { regionId: walk.some(data)?.id ?? "us-east" } });
  },
  createTag,
  async (walk) => {
    const { data = [] } = (await walk.ask(api.listTags, all)) ?? {};
    const label = walk.some(data)?.label;
    if (label === undefined) return;
    await walk.ask(api.listTaggedObjects, { path: { label } });
    if (walk.chance(30)) await walk.ask(api.deleteTag, { path: { label } });
  },
];

const most = 8;

async function createImage(walk: Walk): Promise<void> {
  if ((await walk.images()).length >= most) return deleteImage(walk);
  const instance = await walk.instance();
  if (instance === undefined) return;
  const { data = [] } = (await walk.control(controls.listInstanceDisks, { path: { id: instance } })) ?? {};
  const disk = walk.some(data);
  if (disk !== undefined) await walk.ask(api.createImage, { body: { disk_id: disk.id, label: "of a disk" } });
}

async function deleteImage(walk: Walk): Promise<void> {
  const imageId = walk.some(await walk.images())?.id;
  if (imageId !== undefined) await walk.ask(api.deleteImage, { path: { imageId } });
}

async function upload(walk: Walk): Promise<void> {
  const { uploads } = walk.seen;
  const body = { label: "uploaded", region: regionOf(walk) };
  const made = (await walk.images()).length < most ? await walk.ask(api.uploadImage, { body }) : undefined;
  if (made !== undefined) uploads.push(made.upload_to);
  if (uploads.length > 20) uploads.shift();
  // Earlier addresses may be closed or expired.
  const address = made !== undefined && walk.chance(60) ? made.upload_to : walk.some(uploads);
  if (address === undefined || walk.chance(20)) return;
  const data = gzipSync(randomBytes(1 + walk.random.below(20_000)));
  switch (walk.random.below(5)) {
    case 0:
      await walk.put(address, randomBytes(1000));
      return;
    case 1:
      await walk.cut(address, data.subarray(0, data.length >> 1));
      return;
    case 2:
      await Promise.all([walk.put(address, data), walk.put(address, data)]);
      return;
    default:
      await walk.put(address, data);
  }
}

async function createTag(walk: Walk): Promise<void> {
  const instance = walk.some(await walk.instances())?.id;
  const domain = walk.some(await walk.domains())?.id;
  await walk.ask(api.createTag, {
    body: {
      label: tagOf(walk),
      ...(instance === undefined ? {} : { computes: [instance] }),
      ...(domain === undefined || walk.chance(50) ? {} : { domains: [domain] }),
    },
  });
}

import {
  errors,
  filterable,
  imageStatus,
  limits,
  page,
  type EventEntity,
  type Image,
  type ImageStatusState,
} from "@cloud-compute/server";
import { deadlineOf } from "@plumbline/server-runtime";
import type { TagHandlers } from "../../context.js";
import { grantCreator, grantsEnd } from "../../access/grants.js";
import { imageFolder, keepOnly } from "../../platform/image-data.js";
import type { JobHandlers } from "../../platform/jobs.js";
import type { DiskRow, ImageRow, InstanceRow, JobRow } from "../../store/rows.js";
import { formatDate } from "../../store/transaction.js";
import { callerOf, type Caller, type UnitOfWork } from "../../unit-of-work.js";
import { deleteInstance } from "../instances/lifecycle.js";
import { entityOf } from "../../platform/instance-state.js";

export const imageHandlers: TagHandlers<"listImages" | "createImage" | "getImage" | "updateImage" | "deleteImage"> = {
  listImages: async ({ query, headers, listScope }, { work }) => {
    const listQuery = { query, listScope, filter: headers["X-Filter"], filterable: filterable.listImages };
    const { items, total } = await work.tx.images.list({}, listQuery);
    return { status: 200, body: page(query, items, total) };
  },

  createImage: async ({ body, refs: { disk_id: disk } }, context) => {
    const { work } = context;
    const caller = callerOf(context);
    const instance = disk && (await work.tx.instances.get(disk.instance));
    // The disks of an instance that is being deleted count as deleted.
    if (disk === undefined || instance === undefined || instance.state === "deleting") throw errors.noSuchDisk();
    const { label = disk.label, description = null } = body;
    const { status, ends } = initialImage("createImage");
    const image = await createImage(work, caller, { label, description, status, ticket: null });
    await copyDisk(work, image, { instance, disk, ends, username: caller.user });
    return { status: 200, body: image };
  },

  getImage: ({ target }) => ({ status: 200, body: target }),

  updateImage: async ({ target, body }, context) => {
    const { work } = context;
    const { label, description } = { ...target, ...body };
    if (label === target.label && description === target.description) return { status: 200, body: target };
    const image = await work.tx.images.patch(target, {
      label: label ?? target.label,
      description,
      updated: work.date,
    });
    // image-update-event
    await work.recordEvent({
      account: accountOf(image),
      action: "image_update",
      username: callerOf(context).user,
      entity: entityOfImage(image),
    });
    return { status: 200, body: image };
  },

  deleteImage: async ({ target }, context) => {
    const { work } = context;
    imageStatus.transition(target.status, "deleteImage", "$deleted");
    await removeImage(work, target);
    // image-delete-event
    await work.recordEvent({
      account: accountOf(target),
      action: "image_delete",
      username: callerOf(context).user,
      entity: entityOfImage(target),
    });
    return { status: 200, body: {} };
  },
};

export const imageJobs: JobHandlers = {
  /**
   * The copy of a disk is done. It contains the disk at the time of the request: neither the deletion of the instance nor a new size of the disk
   * affects it.
   */
  "copy-disk": async (work, job) => {
    const image = await jobImage(work, job);
    if (image?.status !== "creating") return;
    // The data that `copyDisk` planned.
    const { filesystem } = job.data as Pick<ImageRow, "filesystem">;
    await markImageReady(work, filesystem === undefined ? image : { ...image, filesystem }, job);
  },
  "expire-image": async (work, job) => {
    const image = await jobImage(work, job);
    if (image === undefined) return;
    imageStatus.transition(image.status, "at:expiry", "$deleted");
    await removeImage(work, image);
  },
  /** Files are deleted in a job after the transaction, so that a failed transaction loses none. */
  "remove-image-data": async (work, job) => {
    await keepOnly(imageFolder(work.uploadFolder, { number: Number(job.data["number"]) }), null);
  },
};

/** A new image of a caller, who may read and write it: image-made, or empty-image-made. */
export async function createImage(
  work: UnitOfWork,
  caller: Caller,
  of: Pick<ImageRow, "label" | "description" | "status" | "ticket">,
): Promise<ImageRow> {
  const image = await newImage(work, {
    ...of,
    type: "manual",
    account: caller.account.id,
    created_by: caller.user,
    expiry: null,
  });
  await grantCreator(caller, work, { kind: "image", id: image.number ?? 0, label: image.label });
  return image;
}

/** Creates the image that remains for a while after the platform deletes an instance. */
export async function imageInstance(work: UnitOfWork, instance: InstanceRow): Promise<ImageRow> {
  const expiry = formatDate(deadlineOf(limits.automaticImageKept, work.date).getTime());
  const { status, ends } = initialImage("platform:instance-deleted");
  const image = await newImage(work, {
    label: instance.label,
    description: null,
    status,
    type: "automatic",
    account: instance.account,
    created_by: platformName,
    expiry,
    ticket: null,
  });
  const disks = await work.tx.disks.find({ instance: instance.id });
  const disk = disks.find(({ filesystem }) => filesystem !== "swap");
  await copyDisk(work, image, { instance, disk, ends, username: null });
  await work.scheduleJob({
    account: instance.account,
    kind: "expire-image",
    subject: subjectOfImage(image),
    nature: "deadline",
    due: Date.parse(expiry),
  });
  await deleteInstance(work, instance, null);
  return image;
}

/** Deletes an image in any state. Instances that were deployed from it stay unchanged. */
export async function removeImage(work: UnitOfWork, image: ImageRow): Promise<void> {
  const { id, number, ticket, file } = image;
  for (const { event } of await work.cancel(subjectOfImage(image))) await work.finishEvent(event, "failed");
  await work.tx.images.remove([id]);
  await grantsEnd(work, { account: accountOf(image), kind: "image", id: number });
  if (ticket === null && file === null) return;
  await work.scheduleJob({
    account: accountOf(image),
    kind: "remove-image-data",
    subject: `data of ${id}`,
    nature: "deadline",
    due: work.now,
    data: { number },
  });
}

/** The state of an image. One with data has no address, and its status is still `pending_upload`. */
export function stateOfImage({ status, ticket }: ImageRow): ImageStatusState {
  return status === "pending_upload" && ticket === null ? "processing" : status;
}

/** The image of a job, if it still exists. */
export async function jobImage({ tx }: UnitOfWork, { subject }: JobRow): Promise<ImageRow | undefined> {
  return tx.images.get(subject.slice("image ".length));
}

/** The subject of an image's jobs. */
export function subjectOfImage({ id }: { readonly id: string }): string {
  return `image ${id}`;
}

/** An image in the format of events. */
export function entityOfImage({ id, label }: { readonly id: string; readonly label: string }): EventEntity {
  return { id, label, type: "image", url: `/v4/images/${id}` };
}

/** The account of a private image. */
export function accountOf({ id, account }: ImageRow): string {
  if (account === null) throw new TypeError(`${id} is public`);
  return account;
}

/** The initial status of an image, and its status when the platform is done with it. */
export function initialImage(trigger: string): { readonly status: Image["status"]; readonly ends: string | undefined } {
  const begins = imageStatus.initial(trigger);
  const status = begins && imageStatus.clientState(begins.to);
  if (status === undefined) throw new TypeError(`no image begins by ${trigger}`);
  return { status, ends: begins?.then[0] };
}

/** Completes an image with the status and the size of the job. */
export async function markImageReady(work: UnitOfWork, image: ImageRow, { data, event }: JobRow): Promise<void> {
  // The job has the state from the state machine of images.
  const status = imageStatus.clientState(data["ends"] as ImageStatusState) ?? image.status;
  await work.tx.images.patch(image, { status, size: Number(data["size"]), updated: work.date });
  await work.finishEvent(event);
}

async function newImage(
  work: UnitOfWork,
  of: Pick<ImageRow, "label" | "description" | "status" | "type" | "account" | "created_by" | "expiry" | "ticket">,
): Promise<ImageRow> {
  const number = await work.tx.images.nextId();
  return work.tx.images.add({
    ...of,
    id: `private/${number}`,
    number,
    created: work.date,
    updated: work.date,
    deprecated: false,
    eol: null,
    is_public: false,
    // Until the data arrives.
    size: 0,
    vendor: null,
    file: null,
  });
}

/** Starts copying a disk, which makes the image `available`. An instance without a disk leaves an empty image. */
async function copyDisk(
  work: UnitOfWork,
  image: ImageRow,
  of: {
    readonly instance: InstanceRow;
    readonly disk: DiskRow | undefined;
    readonly ends: string | undefined;
    readonly username: string | null;
  },
): Promise<void> {
  const { instance, disk, ends, username } = of;
  // image-event
  const event = await work.recordEvent({
    account: instance.account,
    action: "disk_imagize",
    username,
    entity: entityOf(instance),
    secondary: entityOfImage(image),
    status: "started",
  });
  await work.startJob({
    account: instance.account,
    kind: "copy-disk",
    subject: subjectOfImage(image),
    takes: "imageCreate",
    event: event.id,
    data: { ends, size: disk?.size ?? 0, filesystem: disk?.filesystem },
  });
}

/** The creator of images that no user created: the owner of the public images. */
const platformName = "compute";

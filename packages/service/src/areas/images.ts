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
import type { Area } from "../context.js";
import { grantCreator, grantsEnd } from "../grants.js";
import { imageFolder, keepOnly } from "../platform/image-data.js";
import type { JobHandlers } from "../platform/jobs.js";
import type { DiskRow, ImageRow, InstanceRow, JobRow } from "../store/rows.js";
import { iso } from "../store/tx.js";
import { callerOf, type Caller, type Work } from "../work.js";
import { deleteInstance } from "./instances.js";
import { entityOf } from "./states.js";

export const images: Area<"listImages" | "createImage" | "getImage" | "updateImage" | "deleteImage"> = {
  listImages: async ({ query, headers, visible }, { work }) => {
    const wish = { query, visible, filter: headers["X-Filter"], filterable: filterable.listImages };
    const { items, total } = await work.tx.images.list({}, wish);
    return { status: 200, body: page(query, items, total) };
  },

  createImage: async ({ body, refs: { disk_id: disk } }, context) => {
    const { work } = context;
    const caller = callerOf(context);
    const instance = disk && (await work.tx.instances.get(disk.instance));
    // An instance that is being deleted is not coming back, and neither are its disks.
    if (disk === undefined || instance === undefined || instance.state === "deleting") throw errors.noSuchDisk();
    const { label = disk.label, description = null } = body;
    const { status, ends } = beginning("createImage");
    const image = await imageMade(work, caller, { label, description, status, ticket: null });
    await copyDisk(work, image, { instance, disk, ends, username: caller.user });
    return { status: 200, body: image };
  },

  getImage: ({ target }) => ({ status: 200, body: target }),

  updateImage: async ({ target, body }, context) => {
    const { work } = context;
    const { label, description } = { ...target, ...body };
    if (label === target.label && description === target.description) return { status: 200, body: target };
    const image = await work.tx.images.change(target, {
      label: label ?? target.label,
      description,
      updated: work.date,
    });
    // image-update-event
    await work.tell({
      account: accountOf(image),
      action: "image_update",
      username: callerOf(context).user,
      entity: entityOfImage(image),
    });
    return { status: 200, body: image };
  },

  deleteImage: async ({ target }, context) => {
    const { work } = context;
    imageStatus.transition(target.status, "deleteImage", "$gone");
    await removeImage(work, target);
    // image-delete-event
    await work.tell({
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
   * The copy of a disk is done. It is of the disk as it was when it was asked for: an instance that was deleted since then changes nothing, and neither
   * does one whose disk has another size now.
   */
  "copy-disk": async (work, job) => {
    const image = await jobImage(work, job);
    if (image?.status !== "creating") return;
    // What `copyDisk` planned.
    const { filesystem } = job.data as Pick<ImageRow, "filesystem">;
    await imageReady(work, filesystem === undefined ? image : { ...image, filesystem }, job);
  },
  "expire-image": async (work, job) => {
    const image = await jobImage(work, job);
    if (image === undefined) return;
    imageStatus.transition(image.status, "at:expiry", "$gone");
    await removeImage(work, image);
  },
  /** Files go after what told of them, so that a transaction that came to nothing has lost none. */
  "remove-image-data": async (work, job) => {
    await keepOnly(imageFolder(work.uploadFolder, { number: Number(job.data["number"]) }), null);
  },
};

/** A new image of a caller, who may read and write it: image-made, or empty-image-made. */
export async function imageMade(
  work: Work,
  caller: Caller,
  of: Pick<ImageRow, "label" | "description" | "status" | "ticket">,
): Promise<ImageRow> {
  const made = await newImage(work, {
    ...of,
    type: "manual",
    account: caller.account.id,
    created_by: caller.user,
    expiry: null,
  });
  await grantCreator(caller, work, { kind: "image", id: made.number ?? 0, label: made.label });
  return made;
}

/** The platform deletes an instance, and leaves an image of its disk for a while. */
export async function instanceImaged(work: Work, instance: InstanceRow): Promise<ImageRow> {
  const expiry = iso(deadlineOf(limits.automaticImageKept, work.date).getTime());
  const { status, ends } = beginning("platform:instance-deleted");
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
  await work.plan({
    account: instance.account,
    kind: "expire-image",
    subject: subjectOfImage(image),
    nature: "deadline",
    due: Date.parse(expiry),
  });
  await deleteInstance(work, instance, null);
  return image;
}

/** Takes an image away, whatever it is in the middle of; instances that were deployed from it stay as they are. */
export async function removeImage(work: Work, image: ImageRow): Promise<void> {
  const { id, number, ticket, file } = image;
  for (const { event } of await work.cancel(subjectOfImage(image))) await work.finish(event, "failed");
  await work.tx.images.remove([id]);
  await grantsEnd(work, { account: accountOf(image), kind: "image", id: number });
  if (ticket === null && file === null) return;
  await work.plan({
    account: accountOf(image),
    kind: "remove-image-data",
    subject: `data of ${id}`,
    nature: "deadline",
    due: work.now,
    data: { number },
  });
}

/** The state of an image. One whose data has arrived has no address for it and still reads `pending_upload`. */
export function stateOfImage({ status, ticket }: ImageRow): ImageStatusState {
  return status === "pending_upload" && ticket === null ? "processing" : status;
}

/** The image that a job is about, while it is there. */
export async function jobImage({ tx }: Work, { subject }: JobRow): Promise<ImageRow | undefined> {
  return tx.images.get(subject.slice("image ".length));
}

/** What jobs of an image are about. */
export function subjectOfImage({ id }: { readonly id: string }): string {
  return `image ${id}`;
}

/** An image as events name it. */
export function entityOfImage({ id, label }: { readonly id: string; readonly label: string }): EventEntity {
  return { id, label, type: "image", url: `/v4/images/${id}` };
}

/** Whose an image is that is not everybody's. */
export function accountOf({ id, account }: ImageRow): string {
  if (account === null) throw new TypeError(`${id} is public`);
  return account;
}

/** How an image begins that a trigger makes, and what it is when the platform is done with it. */
export function beginning(trigger: string): { readonly status: Image["status"]; readonly ends: string | undefined } {
  const begins = imageStatus.initial(trigger);
  const status = begins && imageStatus.shown(begins.to);
  if (status === undefined) throw new TypeError(`no image begins by ${trigger}`);
  return { status, ends: begins?.then[0] };
}

/** The platform is done with an image, which is from now on what the job says, and of the size that it says. */
export async function imageReady(work: Work, image: ImageRow, { data, event }: JobRow): Promise<void> {
  // What planned the job had it from the table of states.
  const status = imageStatus.shown(data["ends"] as ImageStatusState) ?? image.status;
  await work.tx.images.change(image, { status, size: Number(data["size"]), updated: work.date });
  await work.finish(event);
}

async function newImage(
  work: Work,
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
    // As long as there are no data.
    size: 0,
    vendor: null,
    file: null,
  });
}

/** The platform copies a disk, which ends with the image in `available`; an instance without a disk leaves an image of nothing. */
async function copyDisk(
  work: Work,
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
  const event = await work.tell({
    account: instance.account,
    action: "disk_imagize",
    username,
    entity: entityOf(instance),
    secondary: entityOfImage(image),
    status: "started",
  });
  await work.begin({
    account: instance.account,
    kind: "copy-disk",
    subject: subjectOfImage(image),
    takes: "imageCreate",
    event: event.id,
    data: { ends, size: disk?.size ?? 0, filesystem: disk?.filesystem },
  });
}

/** Who makes what no user made: the owner of the public images. */
const platformName = "compute";

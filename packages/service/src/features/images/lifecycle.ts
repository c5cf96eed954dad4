import { imageStatus, limits, type Image, type ImageStatus } from "@cloud-compute/server";
import { deadlineOf } from "@plumbline/server-runtime";
import type { Caller } from "../../access/caller.js";
import { grantCreator, grantsEnd } from "../../access/grants.js";
import { initialState } from "../../platform/initial-state.js";
import { jobSubject } from "../../platform/job-subjects.js";
import type { DiskRow, ImageRow, InstanceRow } from "../../store/rows.js";
import { formatDate } from "../../store/transaction.js";
import type { UnitOfWork } from "../../unit-of-work.js";
import { imageEntity, instanceEntity } from "../events/lifecycle.js";
import { deleteInstance } from "../instances/lifecycle.js";

export { uploadRoute } from "./upload-addresses.js";

/** A new image of a caller, who may read and write it: image-made, or empty-image-made. */
export async function createImage(
  work: UnitOfWork,
  caller: Caller,
  fields: Pick<ImageRow, "label" | "description" | "status" | "ticket">,
): Promise<ImageRow> {
  const image = await newImage(work, {
    ...fields,
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
    subject: jobSubject("image", image.id),
    nature: "deadline",
    due: Date.parse(expiry),
  });
  await deleteInstance(work, instance, null);
  return image;
}

/** Deletes an image in any state. Instances that were deployed from it stay unchanged. */
export async function removeImage(work: UnitOfWork, image: ImageRow): Promise<void> {
  const { id, number, ticket, file } = image;
  await work.cancelJobs(jobSubject("image", image.id));
  await work.tx.images.remove([id]);
  await grantsEnd(work, { account: imageAccount(image), kind: "image", id: number });
  if (ticket === null && file === null) return;
  await work.scheduleJob({
    account: imageAccount(image),
    kind: "remove-image-data",
    subject: jobSubject("data of", id),
    nature: "deadline",
    due: work.now,
    data: { number },
  });
}

/** The state of an image. One with data has no address, and its status is still `pending_upload`. */
export function stateOfImage({ status, ticket }: ImageRow): ImageStatus {
  return status === "pending_upload" && ticket === null ? "processing" : status;
}

/** The account of a private image. */
export function imageAccount({ id, account }: ImageRow): string {
  if (account === null) throw new TypeError(`${id} is public`);
  return account;
}

/** The initial status of an image, and its status when the platform is done with it. */
export function initialImage(trigger: string): { readonly status: Image["status"]; readonly ends: string | undefined } {
  const begins = initialState(imageStatus, trigger);
  const status = imageStatus.clientState(begins.to);
  if (status === undefined) throw new TypeError(`an image cannot begin as ${begins.to}`);
  return { status, ends: begins.then[0] };
}

async function newImage(
  work: UnitOfWork,
  fields: Pick<ImageRow, "label" | "description" | "status" | "type" | "account" | "created_by" | "expiry" | "ticket">,
): Promise<ImageRow> {
  const number = await work.tx.images.nextId();
  return work.tx.images.add({
    ...fields,
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
export async function copyDisk(
  work: UnitOfWork,
  image: ImageRow,
  options: {
    readonly instance: InstanceRow;
    readonly disk: DiskRow | undefined;
    readonly ends: string | undefined;
    readonly username: string | null;
  },
): Promise<void> {
  const { instance, disk, ends, username } = options;
  // image-event
  const event = await work.recordEvent({
    account: instance.account,
    action: "disk_imagize",
    username,
    entity: instanceEntity(instance),
    secondary: imageEntity(image),
    status: "started",
  });
  await work.startJob({
    account: instance.account,
    kind: "copy-disk",
    subject: jobSubject("image", image.id),
    takes: "imageCreate",
    event: event.id,
    data: { ends, size: disk?.size ?? 0, filesystem: disk?.filesystem },
  });
}

/** The creator of images that no user created: the owner of the public images. */
const platformName = "compute";

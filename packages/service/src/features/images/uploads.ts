import { errors, imageStatus, limits } from "@cloud-compute/server";
import { deadlineOf, isUnavailable } from "@plumbline/server-runtime";
import type { TagHandlers } from "../../context.js";
import {
  DiskUnusableError,
  dropImageData,
  imageFolder,
  ImageTooLargeError,
  keepImageData,
  keepOnly,
  NotGzipError,
  type ImageData,
} from "../../platform/image-data.js";
import type { JobHandlers } from "../../platform/jobs.js";
import type { ImageRow } from "../../store/rows.js";
import { awaitingData, newUpload, uploadEnds } from "./upload-addresses.js";
import { callerOf, type UnitOfWork } from "../../unit-of-work.js";
import {
  accountOf,
  initialImage,
  entityOfImage,
  createImage,
  markImageReady,
  jobImage,
  removeImage,
  stateOfImage,
  subjectOfImage,
} from "./lifecycle.js";

export const imageUploadHandlers: TagHandlers<"uploadImage" | "putImageData"> = {
  uploadImage: async ({ body }, context) => {
    const { work } = context;
    const caller = callerOf(context);
    const { address, ticket } = newUpload(work);
    const { label, description = null } = body;
    const { status } = initialImage("uploadImage");
    // empty-image-made
    const image = await createImage(work, caller, { label, description, status, ticket });
    // upload-event
    const event = await work.recordEvent({
      account: caller.account.id,
      action: "image_upload",
      username: caller.user,
      entity: entityOfImage(image),
      status: "started",
    });
    await work.scheduleJob({
      account: caller.account.id,
      kind: "end-upload",
      subject: subjectOfImage(image),
      nature: "deadline",
      due: uploadEnds(image),
      event: event.id,
    });
    return { status: 200, body: { image, upload_to: address } };
  },

  putImageData: async ({ target, body }, { work }) => {
    const { ticket } = target;
    if (ticket === null) throw errors.uploadClosed();
    const folder = imageFolder(work.uploadFolder, target);
    await work.elsewhere(accountOf(target), (within) => uploadBegun(within, ticket));
    try {
      // image-too-large: the generated server ends a body that exceeds the limit, and responds.
      const data = await storeReceived(folder, body).catch(async (error: unknown) => {
        // Deleting an image deletes its folder, and with it the file of this upload.
        if (error instanceof DiskUnusableError)
          throw (await imageWith(work, ticket)) === undefined ? errors.uploadClosed() : errors.unavailable();
        throw error;
      });
      await work
        .elsewhere(accountOf(target), (within) => hasData(within, ticket, data))
        .catch(async (error: unknown) => {
          // The outcome of an interrupted transaction is unknown, and the image may have this file now.
          if (!isUnavailable(error)) await dropImageData(folder, data.file);
          throw error;
        });
    } catch (error) {
      await work.elsewhere(accountOf(target), (within) => uploadBroken(within, ticket)).catch(() => {});
      await withoutImage(work, target, folder).catch(() => {});
      throw error;
    }
    return { status: 200, body: {} };
  },
};

export const imageUploadJobs: JobHandlers = {
  /** The deadline for the data of an image. An upload that began in time counts. One of a killed service gets the same time again. */
  "end-upload": async (work, job) => {
    const image = await jobImage(work, job);
    const isExtended = job.data["isExtended"] === true;
    if (image?.status === "pending_upload" && (image.uploads ?? 0) > 0 && !isExtended) {
      const due = deadlineOf(limits.imageDataSize, work.now).getTime();
      const { account, kind, subject, event } = job;
      await work.scheduleJob({ account, kind, subject, event, nature: "deadline", due, data: { isExtended: true } });
      return;
    }
    await work.finishEvent(job.event, "failed");
    if (image?.status === "pending_upload") await uploadCancelled(work, image);
  },
  /** The data of an image was processed. Files of other uploads are obsolete. */
  "process-image": async (work, job) => {
    const image = await jobImage(work, job);
    if (image?.status !== "pending_upload") return;
    await keepOnly(imageFolder(work.uploadFolder, image), image.file);
    await markImageReady(work, image, job);
  },
};

/** Data for a deleted image may have created its folder again. */
async function withoutImage({ tx }: UnitOfWork, { id }: { readonly id: string }, folder: string): Promise<void> {
  if ((await tx.images.get(id)) === undefined) await keepOnly(folder, null);
}

/**
 * Stores the data on disk.
 *
 * @throws when it is not an image
 */
async function storeReceived(folder: string, body: AsyncIterable<Uint8Array>): Promise<ImageData> {
  try {
    // A small body can unpack to any size.
    return await keepImageData(folder, body, { most: limits.imageDataSize.max });
  } catch (error) {
    if (error instanceof ImageTooLargeError) throw errors.imageTooLarge();
    if (!(error instanceof NotGzipError)) throw error;
    throw errors.invalidRequest({ reason: "The data is not gzip-compressed, or not all of it has come" });
  }
}

async function uploadCancelled(work: UnitOfWork, image: ImageRow): Promise<void> {
  imageStatus.transition(stateOfImage(image), "after:PT24H", "cancelled");
  // The state `cancelled` never appears in responses, since the image is deleted in the same transaction.
  await removeImage(work, image);
}

/** The image that waits for data at an address, also after the deadline for starting an upload. */
async function imageWith({ tx }: UnitOfWork, ticket: string): Promise<ImageRow | undefined> {
  return tx.images.first({ ticket });
}

/** Records that an upload is running: the deadline does not cancel the image meanwhile. */
async function uploadBegun(work: UnitOfWork, ticket: string): Promise<void> {
  const image = await awaitingData(work, ticket);
  if (image === undefined) throw errors.uploadClosed();
  await work.tx.images.patch(image, { uploads: (image.uploads ?? 0) + 1 });
}

/** Records that an upload failed. If it was the last one and the deadline has passed, the image is cancelled. */
async function uploadBroken(work: UnitOfWork, ticket: string): Promise<void> {
  const image = await imageWith(work, ticket);
  if (image === undefined) return;
  const uploads = Math.max(0, (image.uploads ?? 0) - 1);
  if (uploads === 0 && work.now >= uploadEnds(image)) await uploadCancelled(work, image);
  else await work.tx.images.patch(image, { uploads });
}

/** Closes the address, and starts processing the data. The first complete one of several concurrent uploads counts. */
async function hasData(work: UnitOfWork, ticket: string, { file, size }: ImageData): Promise<void> {
  const image = await imageWith(work, ticket);
  if (image?.status !== "pending_upload") throw errors.uploadClosed();
  imageStatus.transition(image.status, "putImageData", "processing");
  const [deadline] = await work.cancel(subjectOfImage(image));
  // The status in responses stays: `stateOfImage` derives `processing` from the missing address.
  await work.tx.images.patch(image, { ticket: null, file });
  await work.startJob({
    account: accountOf(image),
    kind: "process-image",
    subject: subjectOfImage(image),
    takes: "imageProcess",
    event: deadline?.event ?? null,
    data: {
      ends: imageStatus.next(image.status, "putImageData")?.then[0],
      size: Math.max(1, Math.ceil(size / bytesOfMegabyte)),
    },
  });
}

/** Disk sizes are in units of 1,048,576 bytes: a plan of 25 GB has 25,600 of them. */
const bytesOfMegabyte = 1_048_576;

import { errors, imageStatus, limits } from "@cloud-compute/server";
import { deadlineOf, isUnavailable } from "@plumbline/server-runtime";
import type { Area } from "../context.js";
import {
  DiskUnusable,
  dropImageData,
  imageFolder,
  ImageTooLarge,
  keepImageData,
  keepOnly,
  NotGzip,
  type ImageData,
} from "../platform/image-data.js";
import type { JobHandlers } from "../platform/jobs.js";
import type { ImageRow } from "../store/rows.js";
import { awaitingData, newUpload, uploadEnds } from "../uploads.js";
import { callerOf, type Work } from "../work.js";
import {
  accountOf,
  beginning,
  entityOfImage,
  imageMade,
  imageReady,
  jobImage,
  removeImage,
  stateOfImage,
  subjectOfImage,
} from "./images.js";

export const imageUploads: Area<"uploadImage" | "putImageData"> = {
  uploadImage: async ({ body }, context) => {
    const { work } = context;
    const caller = callerOf(context);
    const { address, ticket } = newUpload(work);
    const { label, description = null } = body;
    const { status } = beginning("uploadImage");
    // empty-image-made
    const image = await imageMade(work, caller, { label, description, status, ticket });
    // upload-event
    const event = await work.tell({
      account: caller.account.id,
      action: "image_upload",
      username: caller.user,
      entity: entityOfImage(image),
      status: "started",
    });
    await work.plan({
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
      // image-too-large: the server ends a body that is longer than it may be, and says so.
      const data = await received(folder, body).catch(async (error: unknown) => {
        // Its folder goes with an image, and with it what was being written there.
        if (error instanceof DiskUnusable)
          throw (await imageWith(work, ticket)) === undefined ? errors.uploadClosed() : errors.unavailable();
        throw error;
      });
      await work
        .elsewhere(accountOf(target), (within) => hasData(within, ticket, data))
        .catch(async (error: unknown) => {
          // Whether a transaction that was cut off came to an end is not known, and its file may be what the image has now.
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
  /** No data came in time. An upload that began in time counts; what a killed service was receiving has as long again. */
  "end-upload": async (work, job) => {
    const image = await jobImage(work, job);
    const isExtended = job.data["isExtended"] === true;
    if (image?.status === "pending_upload" && (image.uploads ?? 0) > 0 && !isExtended) {
      const due = deadlineOf(limits.imageDataSize, work.now).getTime();
      const { account, kind, subject, event } = job;
      await work.plan({ account, kind, subject, event, nature: "deadline", due, data: { isExtended: true } });
      return;
    }
    await work.finish(job.event, "failed");
    if (image?.status === "pending_upload") await uploadCancelled(work, image);
  },
  /** The data are an image; what other uploads left is of no use to anybody. */
  "process-image": async (work, job) => {
    const image = await jobImage(work, job);
    if (image?.status !== "pending_upload") return;
    await keepOnly(imageFolder(work.uploadFolder, image), image.file);
    await imageReady(work, image, job);
  },
};

/** What comes for an image that is gone by now may have made its folder again. */
async function withoutImage({ tx }: Work, { id }: { readonly id: string }, folder: string): Promise<void> {
  if ((await tx.images.get(id)) === undefined) await keepOnly(folder, null);
}

/** Takes the data to disk. Throws the refusal of what is no image. */
async function received(folder: string, body: AsyncIterable<Uint8Array>): Promise<ImageData> {
  try {
    // A small body can unpack to any size.
    return await keepImageData(folder, body, { most: limits.imageDataSize.max });
  } catch (error) {
    if (error instanceof ImageTooLarge) throw errors.imageTooLarge();
    if (!(error instanceof NotGzip)) throw error;
    throw errors.invalidRequest({ reason: "The data is not gzip-compressed, or not all of it has come" });
  }
}

async function uploadCancelled(work: Work, image: ImageRow): Promise<void> {
  imageStatus.transition(stateOfImage(image), "after:PT24H", "cancelled");
  // `cancelled` is never seen: the image is gone at the same time.
  await removeImage(work, image);
}

/** The image that has no data yet, by its address; also once no upload can begin any more. */
async function imageWith({ tx }: Work, ticket: string): Promise<ImageRow | undefined> {
  return tx.images.first({ ticket });
}

/** Data is on its way: time does not cancel the image meanwhile. */
async function uploadBegun(work: Work, ticket: string): Promise<void> {
  const image = await awaitingData(work, ticket);
  if (image === undefined) throw errors.uploadClosed();
  await work.tx.images.change(image, { uploads: (image.uploads ?? 0) + 1 });
}

/** The last upload that began in time brought no data: after the deadline the image is cancelled. */
async function uploadBroken(work: Work, ticket: string): Promise<void> {
  const image = await imageWith(work, ticket);
  if (image === undefined) return;
  const uploads = Math.max(0, (image.uploads ?? 0) - 1);
  if (uploads === 0 && work.now >= uploadEnds(image)) await uploadCancelled(work, image);
  else await work.tx.images.change(image, { uploads });
}

/** From now on the address leads nowhere, and the platform processes the data. Of several uploads at a time, the first that is complete counts. */
async function hasData(work: Work, ticket: string, { file, size }: ImageData): Promise<void> {
  const image = await imageWith(work, ticket);
  if (image?.status !== "pending_upload") throw errors.uploadClosed();
  imageStatus.transition(image.status, "putImageData", "processing");
  const [deadline] = await work.cancel(subjectOfImage(image));
  // The status that is shown stays: `stateOfImage` finds `processing` by the address that is gone.
  await work.tx.images.change(image, { ticket: null, file });
  await work.begin({
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

/** Sizes of disks are in units of 1,048,576 bytes: a plan of 25 GB has 25,600 of them. */
const bytesOfMegabyte = 1_048_576;

import { errors, imageStatus, limits } from "@cloud-compute/server";
import {
  ImageTooLargeError,
  keepImageData,
  keepOnly,
  NotGzipError,
  type ImageData,
} from "../../platform/image-data.js";
import { jobSubject } from "../../platform/job-subjects.js";
import type { ImageRow } from "../../store/rows.js";
import type { UnitOfWork } from "../../unit-of-work.js";
import { imageAccount, removeImage, stateOfImage } from "./lifecycle.js";
import { awaitingImage, imageOfUpload, uploadEnds, type Upload } from "./upload-addresses.js";

/** Data for a deleted image may have created its folder again. */
export async function dropDataWithoutImage(work: UnitOfWork, image: ImageRow, folder: string): Promise<void> {
  const isGone = await work.readElsewhere(
    imageAccount(image),
    async ({ tx }) => (await tx.images.get(image.id)) === undefined,
  );
  if (isGone) await keepOnly(folder, null);
}

/**
 * Stores the data on disk.
 *
 * @throws when it is not an image
 */
export async function storeReceived(folder: string, body: AsyncIterable<Uint8Array>): Promise<ImageData> {
  try {
    // A small body can unpack to any size.
    return await keepImageData(folder, body, { most: limits.imageDataSize.max });
  } catch (error) {
    if (error instanceof ImageTooLargeError) throw errors.imageTooLarge();
    if (!(error instanceof NotGzipError)) throw error;
    throw errors.invalidRequest({ reason: "The data is not gzip-compressed, or not all of it has come" });
  }
}

/** Deletes an image whose data did not arrive in time. */
export async function uploadCancelled(work: UnitOfWork, image: ImageRow): Promise<void> {
  imageStatus.transition(stateOfImage(image), "after:PT24H", "cancelled");
  // The state `cancelled` never appears in responses, since the image is deleted in the same transaction.
  await removeImage(work, image);
}

/** Records that an upload is running: the deadline does not cancel the image meanwhile. */
export async function beginUpload(work: UnitOfWork, upload: Upload): Promise<void> {
  const image = await awaitingImage(work, upload);
  await work.tx.images.patch(image, { uploads: (image.uploads ?? 0) + 1 });
}

/** Records that an upload failed. If it was the last one and the deadline has passed, the image is cancelled. */
export async function failUpload(work: UnitOfWork, upload: Upload): Promise<void> {
  const image = await imageOfUpload(work, upload);
  if (image === undefined) return;
  const uploads = Math.max(0, (image.uploads ?? 0) - 1);
  if (uploads === 0 && work.now >= uploadEnds(image)) await uploadCancelled(work, image);
  else await work.tx.images.patch(image, { uploads });
}

/** Closes the address, and starts processing the data. The first complete one of several concurrent uploads counts. */
export async function completeUpload(work: UnitOfWork, upload: Upload, { file, size }: ImageData): Promise<void> {
  const image = await imageOfUpload(work, upload);
  if (image?.status !== "pending_upload") throw errors.uploadClosed();
  imageStatus.transition(image.status, "putImageData", "processing");
  // The event continues with the next job.
  const [deadline] = await work.tx.jobs.deleteReturning({ subject: jobSubject("image", image.id) });
  // The status in responses stays: `stateOfImage` derives `processing` from the missing address.
  await work.tx.images.patch(image, { ticket: null, file });
  await work.startJob({
    account: imageAccount(image),
    kind: "process-image",
    subject: jobSubject("image", image.id),
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

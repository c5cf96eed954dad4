import { imageStatus, limits, type ImageStatus } from "@cloud-compute/server";
import { deadlineOf } from "@plumbline/server-runtime";
import { imageFolder, keepOnly } from "../../platform/image-data.js";
import { subjectId } from "../../platform/job-subjects.js";
import type { JobHandlers } from "../../platform/jobs.js";
import type { ImageRow, JobRow } from "../../store/rows.js";
import type { UnitOfWork } from "../../unit-of-work.js";
import { removeImage } from "./lifecycle.js";
import { uploadCancelled } from "./uploads.js";

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

/** The image of a job, if it still exists. */
async function jobImage({ tx }: UnitOfWork, { subject }: JobRow): Promise<ImageRow | undefined> {
  return tx.images.get(subjectId(subject));
}

/** Completes an image with the status and the size of the job. */
async function markImageReady(work: UnitOfWork, image: ImageRow, { data, event }: JobRow): Promise<void> {
  // The job has the state from the state machine of images.
  const status = imageStatus.clientState(data["ends"] as ImageStatus) ?? image.status;
  await work.tx.images.patch(image, { status, size: Number(data["size"]), updated: work.date });
  await work.finishEvent(event);
}

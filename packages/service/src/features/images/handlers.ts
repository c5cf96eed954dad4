import { errors, filterable, imageStatus, page } from "@cloud-compute/server";
import { isUnavailable } from "@plumbline/server-runtime";
import { callerOf } from "../../access/caller.js";
import type { TagHandlers } from "../../context.js";
import { DiskUnusableError, dropImageData, imageFolder } from "../../platform/image-data.js";
import { jobSubject } from "../../platform/job-subjects.js";
import { imageEntity } from "../events/lifecycle.js";
import { copyDisk, createImage, imageAccount, initialImage, removeImage } from "./lifecycle.js";
import { imageOfUpload, newUpload, uploadEnds } from "./upload-addresses.js";
import { completeUpload, storeReceived, beginUpload, failUpload, dropDataWithoutImage } from "./uploads.js";

export const imageHandlers: TagHandlers<
  "listImages" | "createImage" | "getImage" | "updateImage" | "deleteImage" | "uploadImage" | "putImageData"
> = {
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
      account: imageAccount(image),
      action: "image_update",
      username: callerOf(context).user,
      entity: imageEntity(image),
    });
    return { status: 200, body: image };
  },

  deleteImage: async ({ target }, context) => {
    const { work } = context;
    imageStatus.transition(target.status, "deleteImage", "$deleted");
    await removeImage(work, target);
    // image-delete-event
    await work.recordEvent({
      account: imageAccount(target),
      action: "image_delete",
      username: callerOf(context).user,
      entity: imageEntity(target),
    });
    return { status: 200, body: {} };
  },

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
      entity: imageEntity(image),
      status: "started",
    });
    await work.scheduleJob({
      account: caller.account.id,
      kind: "end-upload",
      subject: jobSubject("image", image.id),
      nature: "deadline",
      due: uploadEnds(image),
      event: event.id,
    });
    return { status: 200, body: { image, upload_to: address } };
  },

  putImageData: async ({ target, body }, { work }) => {
    const account = imageAccount(target);
    const folder = imageFolder(work.uploadFolder, target);
    await work.elsewhere(account, (within) => beginUpload(within, target));
    try {
      // image-too-large: the generated server ends a body that exceeds the limit, and responds.
      const data = await storeReceived(folder, body).catch(async (error: unknown) => {
        // Deleting an image deletes its folder, and with it the file of this upload.
        if (!(error instanceof DiskUnusableError)) throw error;
        const image = await work.readElsewhere(account, (within) => imageOfUpload(within, target));
        throw image === undefined ? errors.uploadClosed() : errors.unavailable();
      });
      await work
        .elsewhere(account, (within) => completeUpload(within, target, data))
        .catch(async (error: unknown) => {
          // The outcome of an interrupted transaction is unknown, and the image may have this file now.
          if (!isUnavailable(error)) await dropImageData(folder, data.file);
          throw error;
        });
    } catch (error) {
      await work.elsewhere(account, (within) => failUpload(within, target)).catch(() => {});
      await dropDataWithoutImage(work, target, folder).catch(() => {});
      throw error;
    }
    return { status: 200, body: {} };
  },
};

import { errors, limits, type ServerOptions } from "@cloud-compute/server";
import { deadlineOf } from "@plumbline/server-runtime";
import { hashOf, newToken } from "../../access/credentials.js";
import type { Context, StoredRows } from "../../context.js";
import type { ImageRow } from "../../store/rows.js";
import type { UnitOfWork } from "../../unit-of-work.js";

/** The address for the data of an image. It is secret: only the client that created the upload knows it. */
export const uploadRoute: ServerOptions<Context, StoredRows>["operationRoutes"]["putImageData"] = {
  path: "/uploads/{ticket}",
  target: async ({ ticket = "" }, { work }) => {
    const image = await findAwaitingImage(work, hashOf(ticket));
    if (image === undefined) throw errors.uploadClosed();
    return image;
  },
};

/** Finds the image that waits for data at an address, by the stored form of the address. */
export async function findAwaitingImage({ tx, now }: UnitOfWork, ticket: string): Promise<ImageRow | undefined> {
  const image = await tx.images.first({ ticket });
  return image !== undefined && now < uploadEnds(image) ? image : undefined;
}

/** A new address, and its stored form. */
export function newUpload({ publicUrl }: UnitOfWork): { readonly address: string; readonly ticket: string } {
  const secret = newToken();
  return { address: `${publicUrl}/uploads/${secret}`, ticket: hashOf(secret) };
}

/** The end of the time for an upload, in milliseconds since 1970. */
export function uploadEnds({ created }: { readonly created: string }): number {
  return deadlineOf(limits.imageDataSize, created).getTime();
}

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
    const sought = hashOf(ticket);
    const location = await work.tx.images.locate(sought);
    if (location === undefined) throw errors.uploadClosed();
    const { account, id } = location;
    return work.readElsewhere(account, (within) => awaitingImage(within, { id, ticket: sought }));
  },
};

/** An image, and the stored form of its address. */
export type Upload = Pick<ImageRow, "id" | "ticket">;

/** The image that waits for data at an address, also after the deadline for starting an upload. */
export async function imageOfUpload({ tx }: UnitOfWork, { id, ticket }: Upload): Promise<ImageRow | undefined> {
  const image = await tx.images.get(id);
  return image?.ticket === ticket ? image : undefined;
}

/**
 * The image that waits for data at an address.
 *
 * @throws when there is none, or it waits no longer
 */
export async function awaitingImage(work: UnitOfWork, upload: Upload): Promise<ImageRow> {
  const image = await imageOfUpload(work, upload);
  if (image === undefined || work.now >= uploadEnds(image)) throw errors.uploadClosed();
  return image;
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

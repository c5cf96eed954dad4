import { errors, limits, type ServerOptions } from "@cloud-compute/server";
import { deadlineOf } from "@plumbline/server-runtime";
import type { Context } from "./context.js";
import { hashOf, newToken } from "./credentials.js";
import type { Stored } from "./resources.js";
import type { ImageRow } from "./store/rows.js";
import type { Work } from "./work.js";

/** Where the data of an image goes: an address that only whoever asked for it knows. */
export const uploads: ServerOptions<Context, Stored>["links"]["putImageData"] = {
  path: "/uploads/{ticket}",
  target: async ({ ticket = "" }, { work }) => {
    const image = await awaitingData(work, hashOf(ticket));
    if (image === undefined) throw errors.uploadClosed();
    return image;
  },
};

/** The image that waits for data at an address, by what is stored of that. */
export async function awaitingData({ tx, now }: Work, ticket: string): Promise<ImageRow | undefined> {
  const image = await tx.images.first({ ticket });
  return image !== undefined && now < uploadEnds(image) ? image : undefined;
}

/** A new address, and what is stored of it. */
export function newUpload({ publicUrl }: Work): { readonly address: string; readonly ticket: string } {
  const secret = newToken();
  return { address: `${publicUrl}/uploads/${secret}`, ticket: hashOf(secret) };
}

/** Until when an image waits for its data, in milliseconds since 1970. */
export function uploadEnds({ created }: { readonly created: string }): number {
  return deadlineOf(limits.imageDataSize, created).getTime();
}

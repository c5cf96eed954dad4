import type { ServerOptions } from "@cloud-compute/server";
import type { Context } from "./context.js";
import type { Stored } from "./resources.js";

/** Where the data of an image goes: an address that only whoever asked for it knows. */
export const uploads: ServerOptions<Context, Stored>["links"]["putImageData"] = {
  path: "/uploads/{ticket}",
  target: ({ ticket }, { work }) => work.tx.images.first({ ticket: ticket ?? "" }),
};

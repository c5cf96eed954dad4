import type { Accepted } from "./guard.js";
import { brokenReply, type ReplyGuard } from "./replies.js";

export interface Watching {
  readonly accepted: Accepted;
  readonly replies: ReplyGuard;
}

/** A reply, or what stands in for it when it breaks the description and that is enforced. */
export async function judgedReply(reply: Response, { accepted, replies }: Watching): Promise<Response> {
  const bytes = new Uint8Array(await reply.clone().arrayBuffer());
  const { status, headers } = reply;
  const type = headers.get("content-type") ?? undefined;
  const isBroken = await replies.breaks(accepted, { status, type, bytes });
  if (!isBroken || !replies.isEnforced) return reply;
  return new Response(brokenReply.text, { status: brokenReply.status, headers: { "content-type": brokenReply.type } });
}

import type { Accepted } from "./guard.js";
import type { Refusal, Told } from "./refusal.js";
import type { ReplyGuard } from "./replies.js";

export interface Watching {
  readonly accepted: Accepted;
  readonly replies: ReplyGuard;
  /** What the client gets in place of a reply that breaks the description. */
  readonly tell: (refusal: Refusal) => Told;
}

/** A reply, or what stands in for it when it breaks the description and that is enforced. */
export async function judgedReply(reply: Response, { accepted, replies, tell }: Watching): Promise<Response> {
  const bytes = new Uint8Array(await reply.clone().arrayBuffer());
  const { status, headers } = reply;
  const type = headers.get("content-type") ?? undefined;
  const refusal = await replies.judge(accepted, { status, type, bytes });
  if (refusal === undefined) return reply;
  const told = tell(refusal);
  return new Response(told.text, { status: told.status, headers: told.headers });
}

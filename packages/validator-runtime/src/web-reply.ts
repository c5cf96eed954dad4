import type { Accepted } from "./guard.js";
import type { Refusal, Told } from "./refusal.js";
import type { ReplyGuard } from "./replies.js";

export interface Watching {
  readonly accepted: Accepted;
  readonly replies: ReplyGuard;
  /** Creates the response to the client in place of an invalid one. */
  readonly tell: (refusal: Refusal) => Told;
}

/** Returns the response, or its replacement if it is not valid and `responses` is `"enforce"`. */
export async function judgedReply(reply: Response, { accepted, replies, tell }: Watching): Promise<Response> {
  const bytes = new Uint8Array(await reply.clone().arrayBuffer());
  const { status, headers } = reply;
  const type = headers.get("content-type") ?? undefined;
  const refusal = await replies.judge(accepted, { status, type, bytes });
  if (refusal === undefined) return reply;
  const told = tell(refusal);
  return new Response(told.text, { status: told.status, headers: told.headers });
}

import { getMessage, searchMessages, sendMessage as deliver, type Client } from "@corpus/notify";
import { listMessages, pauseChannel, sendMessage, type BusMessage } from "./bus.js";

type Body = Parameters<typeof deliver>[1]["body"];
type Received = Awaited<ReturnType<typeof getMessage>>;
type Criteria = Parameters<typeof searchMessages>[1]["body"];

const PRIORITIES: Record<BusMessage["kind"], Body["priority"]> = {
  email: "normal",
  sms: "high",
  log: "bulk", // concerns: request-enum-value-removed
};

export function toBody(message: BusMessage, channelId: string): Body {
  const { recipients, kind, options } = message;
  const body: Body = {
    channelId,
    recipients, // concerns: request-type-changed; may: request-bound-tightened
    content: { body: "see attachment" },
    priority: PRIORITIES[kind], // may: request-enum-value-removed
  };
  if (options?.sendAt) body.options = { sendAt: options.sendAt }; // concerns: request-property-removed
  return body;
}

export async function forward(client: Client, channelId: string): Promise<number> {
  const waiting = listMessages(100).filter(({ kind }) => kind !== "log");
  for (const message of waiting) await deliver(client, { body: toBody(message, channelId) });
  pauseChannel("sms");
  return sendMessage({ kind: "log", size: waiting.length, recipients: [] });
}

export function arrived(message: Received): boolean {
  const { attempts } = message.delivery;
  return attempts.length > 0 && attempts.every((each) => each.outcome === "delivered"); // may: response-enum-value-added
}

export const labels = ({ tags }: Pick<Received, "tags">): string => tags.join().toLowerCase(); // concerns: response-type-changed

export function since(text: string, days: number): Criteria {
  const criteria: Criteria = { text };
  criteria.sent = { after: new Date(Date.now() - days * 86_400_000).toISOString() };
  criteria.sent.before = new Date().toISOString(); // concerns: request-property-removed
  return criteria;
}

export async function lazily(client: Client, channelId: string): Promise<number> {
  const { listMessages: recent } = await import("@corpus/notify"); // concerns: operation-renamed
  const { messages } = await recent(client, { query: { channelId, limit: 50 } });
  return messages.reduce((sum, { counts: { opened = 0 } }) => sum + opened, 0); // concerns: response-type-changed
}

import type { Attempt as Try, Message, MessageInput, Settings, SettingsInput } from "@corpus/notify"; // concerns: schema-renamed
import * as notify from "@corpus/notify";

type Options = NonNullable<MessageInput["options"]>;
type Priority = NonNullable<MessageInput["priority"]>;
type Outcome = Try["outcome"];

/** A file of ours: its size and tags are not those of a message. */
interface Attachment {
  size: number;
  tags: string[];
}

export const weight = (files: Attachment[]): number => files.reduce((sum, { size, tags }) => sum + size + tags.length, 0);

export class Outbox<T extends Pick<Message, "id">> {
  readonly sent: T[] = [];

  constructor(
    private readonly client: notify.Client,
    private readonly defaults: Options = { trackOpens: true }, // concerns: request-property-removed
    private readonly priority: Priority = "bulk", // concerns: request-enum-value-removed
  ) {}

  async send(channelId: string, to: string, subject: string | null, text: string): Promise<string> {
    const { data, status } = await notify.withResponse(
      notify.sendMessage(this.client, {
        body: {
          channelId,
          recipients: [to], // concerns: request-type-changed
          content: {
            subject, // concerns: request-null-removed
            body: text,
            template: "plain", // concerns: request-property-removed
          },
          options: this.later(),
          priority: this.priority, // may: request-enum-value-removed
          variables: { to },
        },
      }),
    );
    return status === 201 ? data.id : ""; // concerns: response-success-removed
  }

  private later(hours = 1): Options {
    const sendAt = new Date(Date.now() + hours * 3_600_000).toISOString();
    return { ...this.defaults, sendAt }; // concerns: request-property-removed
  }
}

const FINAL: Outcome[] = ["delivered", "bounced"];

export async function recent(client: notify.Client, limit?: number): Promise<string[]> {
  const { messages } = await notify.listMessages(client, { // concerns: operation-renamed
    query: {
      limit: limit ?? 500, // concerns: request-bound-tightened
    },
  });
  return messages
    .filter(({ delivery }) => delivery.attempts.some(({ outcome }) => FINAL.includes(outcome))) // may: response-enum-value-added
    .map((message) => `${message.id} ${message.tags.map((tag) => tag.toUpperCase()).join()}`); // concerns: response-type-changed
}

export async function last(client: notify.Client, messageId: string): Promise<string> {
  const message = await notify.getMessage(client, { path: { messageId } }); // concerns: parameter-required-added
  const attempt = message.delivery.attempts.at(-1);
  const text = attempt?.response?.text.trim(); // concerns: response-property-optional
  const hint = attempt?.response?.text ?? "no text";
  const {
    delivery: {
      window: {
        opens,
        closes, // concerns: response-property-removed
      },
      finishedAt, // concerns: response-null-added
    },
    size: bytes = 0, // concerns: response-property-removed
    counts,
  } = message;
  const opened = (counts["opened"] ?? 0) + 1; // concerns: response-type-changed
  return [text, hint, opens, closes, finishedAt, bytes, opened].join(" ");
}

export async function search(client: notify.Client, text: string): Promise<number[]> {
  const { hits } = await notify.searchMessages(client, {
    body: {
      text,
      outcomes: ["bounced", "pending"], // concerns: request-enum-value-removed
      sent: { after: "2026-01-01T00:00:00Z" },
    },
  });
  return hits.map((hit) => Math.round(hit.score)); // concerns: response-null-added
}

export async function quotas(client: notify.Client): Promise<number> {
  const settings: Settings = await notify.getSettings(client); // concerns: operation-deprecated
  return Object.values(settings.quotas).reduce((sum, each) => sum + each.hourly * 24, 0); // concerns: response-property-optional
}

export async function limitTo(client: notify.Client, daily: number): Promise<void> {
  const quota = {
    daily,
    hourly: Math.ceil(daily / 10), // may: request-bound-tightened
    burst: 5, // concerns: request-property-removed
  };
  const body: SettingsInput = { timezone: "UTC", quotas: { default: quota, night: { daily: 10, hourly: 2 } } };
  await notify.saveSettings(client, { body });
}

export async function explain(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return "sent";
  } catch (error) {
    return notify.isApiError(error) ? `${error.status} ${error.code}` : String(error);
  }
}

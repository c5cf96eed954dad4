import {
  createChannel,
  deleteChannel,
  getChannel,
  listChannels,
  pauseChannel, // concerns: operation-removed
  type Channel,
  type ChannelInput,
  type Client,
  type EmailChannelInput,
  type SmsChannelInput, // concerns: schema-removed
} from "@corpus/notify";

export type Kind = Channel["kind"];

const ICONS: Record<Kind, string> = { email: "@", sms: "#", webhook: ">" }; // concerns: response-branch-added

export const icon = (channel: Channel): string => ICONS[channel.kind]; // may: response-branch-added

export async function active(client: Client, kind?: "email" | "webhook"): Promise<Channel[]> {
  return listChannels(client, {
    query: {
      ...(kind && { kind }),
      includeArchived: false, // concerns: parameter-removed
    },
  });
}

export async function texters(client: Client): Promise<string[]> {
  const found = await listChannels(client, { query: { kind: "sms" } }); // concerns: request-enum-value-removed
  return found.map((channel) => channel.name);
}

/** Where a channel sends to. */
export function target(channel: Channel): string {
  if (channel.kind === "email") return `${channel.sender.display} <${channel.sender.address}>`; // concerns: response-property-optional; may: response-branch-added
  if (channel.kind === "sms") return channel.from; // may: response-branch-added
  return channel.url; // concerns: response-branch-added
}

export function describe(channel: Channel): string {
  switch (channel.kind) { // may: response-branch-added
    case "webhook":
      return Object.keys(channel.headers).join(", ");
    case "email":
      return channel.sender.display?.trim() || channel.sender.address;
    default:
      return channel.name;
  }
}

export const team = ({ owner: { team: name, contact = name } }: Channel): string => `${name} (${contact})`; // concerns: response-property-removed

export function email(name: string, sender: string, replyTo?: string): EmailChannelInput {
  const input: EmailChannelInput = { kind: "email", name, sender }; // concerns: request-property-required
  return replyTo === undefined ? input : { ...input, replyTo };
}

export function sms(from: string): SmsChannelInput { // concerns: schema-removed
  return { kind: "sms", name: `SMS ${from}`, from };
}

const INPUTS: readonly ChannelInput[] = [
  { kind: "email", name: "alerts", sender: "a@notify.example", replyTo: "b@notify.example" },
  { kind: "sms", name: "on call", from: "+44123" }, // concerns: request-branch-removed
  {
    kind: "webhook",
    name: "chat",
    url: "https://chat.example",
    secret: process.env["CHAT_SECRET"] ?? "", // concerns: field-deprecated
  },
];

export async function seed(client: Client): Promise<string[]> {
  const made = await Promise.all(INPUTS.map((body) => createChannel(client, { body })));
  return made.map(({ id }) => id);
}

export async function replace(client: Client, channelId: string, body: ChannelInput): Promise<Channel> {
  const { name } = await getChannel(client, { path: { channelId } });
  await pauseChannel(client, { path: { channelId } }); // concerns: operation-removed
  await deleteChannel(client, { path: { channelId } });
  return createChannel(client, { body: { ...body, name } });
}

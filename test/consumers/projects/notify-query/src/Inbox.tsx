import { useState } from "react";
import { $api, banner, useChannels, useMessage, useMessages, usePause, useSearch, useSettings, type Attempt, type Message } from "./api-hooks.js";

const NAMES = { delivered: "there", bounced: "back", pending: "under way" } satisfies Record<Attempt["outcome"], string>; // concerns: response-enum-value-added

const latest = (message: Message): Attempt | undefined => message.delivery.attempts.at(-1);
const outcomeOf = (attempt: Attempt) => NAMES[attempt.outcome]; // may: response-enum-value-added

export function Inbox({ channelId }: { channelId: string }) {
  const { data, error } = useMessages(channelId);
  if (error) return <p title={error.error.hint}>{error.error.detail}</p>; // concerns: response-property-removed
  const sizes = data?.messages.map(({ id, size }) => `${id}: ${size}`); // concerns: response-property-removed
  const { tags } = banner("small", "inbox");
  return <ul className={tags.join(" ")}>{sizes?.map((each) => <li key={each}>{each}</li>)}</ul>;
}

export function Detail({ messageId }: { messageId: string }) {
  const { data: message } = useMessage(messageId);
  if (!message) return null;
  const attempt = latest(message);
  const ended = message.delivery.finishedAt && new Date(message.delivery.finishedAt).toLocaleString();
  const closes = message.delivery.window.closes; // concerns: response-property-removed
  const [first] = message.tags;
  const tag = first?.toLowerCase(); // concerns: response-type-changed
  return <p title={tag}>{[attempt && outcomeOf(attempt), ended, closes].join(" ")}</p>;
}

export function Channels() {
  const { data: channels } = useChannels();
  const pause = usePause();
  const rows = channels.map((channel) => ({
    id: channel.id,
    from: channel.kind === "sms" ? channel.from : "", // may: response-branch-added
    owner: channel.owner.contact ?? channel.owner.team, // concerns: response-property-removed
  }));
  const stop = (channelId: string) => pause.mutate({ params: { path: { channelId } } });
  return <ul>{rows.map(({ id, from, owner }) => <li key={id} onClick={() => stop(id)}>{`${from} ${owner}`}</li>)}</ul>;
}

export function Compose({ to }: { to: string[] }) {
  const [subject, setSubject] = useState<string>("");
  const { mutateAsync } = $api.useMutation("post", "/messages");
  const send = async () => {
    const { id } = await mutateAsync({
      body: {
        channelId: "main",
        recipients: to, // concerns: request-type-changed; may: request-bound-tightened
        content: { subject, body: "Hello", template: "mail" }, // concerns: request-property-removed
        priority: subject.length > 10 ? "normal" : "bulk", // concerns: request-enum-value-removed
        options: {
          sendAt: new Date().toISOString(), // concerns: request-property-removed
          trackOpens: false, // concerns: request-property-removed
        },
      },
    });
    setSubject(id);
  };
  return <button onClick={() => void send()}>{subject}</button>;
}

export function Search({ text }: { text: string }) {
  const { mutate, data } = useSearch();
  const settings = useSettings().data;
  const hourly = settings?.quotas["default"]?.hourly.toFixed(); // concerns: response-property-optional
  const run = () => mutate({ body: { text, outcomes: ["pending"] } }); // concerns: request-enum-value-removed
  const scores = data?.hits.map(({ score }) => score.toFixed(2)); // concerns: response-null-added
  return <button title={hourly} onClick={run}>{scores?.join()}</button>;
}

import createClient from "openapi-fetch";
import type { paths } from "./api.js";
import { request, type Channel, type Found, type Push } from "./http.js";

const api = createClient<paths>({ baseUrl: "https://notify.example" });

const KINDS = ["email", "webhook"] as const;

export async function channels(): Promise<Channel[]> {
  const lists = await Promise.all(
    KINDS.map((kind) => api.GET("/channels", { params: { query: { kind } } })),
  );
  return lists.flatMap(({ data = [] }) => data);
}

export async function archived() {
  const { data, error } = await api.GET("/channels", {
    params: {
      query: { includeArchived: true }, // concerns: parameter-removed
    },
  });
  if (error) return error.error.hint; // concerns: response-property-removed
  return data.map(({ owner }) => owner.contact).filter(Boolean).join(); // concerns: response-property-removed
}

export const senders = (all: Channel[]): string[] =>
  all.flatMap((each) => (each.kind === "email" ? [each.sender.display.trim()] : [])); // concerns: response-property-optional; may: response-branch-added

export async function push(text: string, recipients: Push["recipients"]): Promise<string | undefined> {
  const body: Push = {
    channelId: "main",
    recipients, // may: request-bound-tightened
    content: { subject: null, body: text }, // concerns: request-null-removed
    priority: "high",
    options: { sendAt: "2026-12-01T08:00:00Z" }, // concerns: request-property-removed
  };
  const { data, response } = await api.POST("/messages", { body });
  if (response.status !== 201) return undefined; // concerns: response-success-removed
  return data?.id;
}

export async function peek(messageId: string): Promise<string> {
  const { data: message } = await api.GET("/messages/{messageId}", { params: { path: { messageId } } }); // concerns: parameter-required-added
  if (message === undefined) return "none";
  const done = message.delivery.finishedAt.slice(0, 10); // concerns: response-null-added
  const clicks = message.counts["clicked"]?.toFixed(1); // concerns: response-type-changed
  const size = message.size.toString(); // concerns: response-property-removed
  return [done, clicks, size, ...message.delivery.attempts.map(({ at }) => at)].join();
}

export async function find(text: string, before?: string): Promise<Found[]> {
  const { data } = await api.POST("/messages/search", { // concerns: operation-moved
    body: {
      text,
      sent: { after: "2026-01-01T00:00:00Z", ...(before && { before }) }, // concerns: request-property-removed
      outcomes: ["delivered"],
    },
  });
  return data?.hits.filter(({ score }) => score !== null && score > 0.5) ?? [];
}

export async function pause(channelId: string): Promise<string> {
  const { name } = await request("post", "/channels/{channelId}/pause", { path: { channelId } }); // concerns: operation-removed
  return name;
}

export async function addPager(name: string): Promise<void> {
  await request("post", "/channels", { body: { kind: "sms", name, from: "+1" } }); // concerns: request-branch-removed
  await request("post", "/channels", { body: { kind: "webhook", name, url: "https://a.example" } });
}

export async function hourly(zone: string): Promise<number> {
  const settings = await request("get", "/settings"); // concerns: operation-deprecated
  const { hourly: perHour = 0 } = settings.quotas[zone] ?? {};
  return perHour;
}

export async function burst(zone: string): Promise<void> {
  const quotas = { [zone]: { daily: 100, hourly: 0 } }; // concerns: request-bound-tightened
  await request("put", "/settings", { body: { quotas } });
}

export const isPending = (job: { outcome: string; size: number }): boolean => job.outcome === "pending" && job.size > 0;

import { expect, it } from "vitest";
import { answerInvitation, createClient, toResult, type Attendee, type Event } from "@corpus/calendar";
import { AgendaService } from "./agenda-service.js";

const guest: Attendee = { email: "bo@example.org", answer: "tentative" }; // concerns: response-enum-value-removed

const meeting = (over: Partial<Event> = {}): Event => ({
  id: "e1",
  title: "Review",
  status: "confirmed",
  startsAt: "2026-03-02T09:00:00Z",
  endsAt: "2026-03-02T10:00:00Z",
  organizer: { email: "ann@example.org", name: "Ann" },
  htmlLink: "https://calendar.example/e1", // concerns: response-property-removed
  version: "7", // concerns: response-type-changed
  updatedAt: "2026-03-01T09:00:00Z",
  attendees: [guest],
  ...over,
});

const serving = (body: unknown, status = 200) =>
  createClient({ baseUrl: "https://calendar.example/v2", fetch: async () => Response.json(body, { status }) });

it("lists what is on", async () => {
  const client = serving({ events: [meeting(), meeting({ status: "cancelled" })], total: 2 });
  const [first] = await new AgendaService({ client, calendarId: "c1" }).recent(10);
  expect(first?.organizer.name).toBe("Ann"); // concerns: response-property-optional
  expect(first?.updatedAt.slice(0, 10)).toBe("2026-03-01"); // concerns: response-null-added
  expect(first?.place).toBeUndefined();
});

it("reports a trace", async () => {
  const client = serving({ title: "Gone", detail: "No such event.", traceId: "t-1" }, 404);
  const result = await toResult(
    answerInvitation(client, {
      path: { eventId: "e9" },
      body: { answer: "declined", guests: 5 }, // concerns: request-bound-tightened
    }),
  );
  if (result.ok || result.error.status !== 404) throw new Error("unexpected");
  expect(result.error.body.traceId).toBe("t-1"); // concerns: response-property-removed
});

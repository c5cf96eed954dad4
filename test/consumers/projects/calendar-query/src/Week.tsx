import { useReducer } from "react";
import { api, useAgenda, useAnswer, useCalendars, useLocalDraft, useSeries, useSnooze, useWeek, type Draft, type components } from "./hooks.js";

type CalendarEvent = components["schemas"]["Event"];
type Action = { type: "title"; title: string } | { type: "place"; location: string } | { type: "weekly"; interval: number };

const empty: Draft = { title: "", startsAt: "2026-05-04T08:00:00Z", endsAt: "2026-05-04T09:00:00Z" }; // concerns: request-property-required

const STATUS_ICONS: { [Status in CalendarEvent["status"]]: string } = { confirmed: "+", cancelled: "-" }; // concerns: response-enum-value-added

function reduce(draft: Draft, action: Action): Draft {
  switch (action.type) {
    case "title":
      return { ...draft, title: action.title.slice(0, 120) }; // may: request-bound-tightened
    case "place":
      return { ...draft, location: action.location }; // concerns: request-type-changed
    case "weekly":
      return { ...draft, recurrence: { every: "week", interval: action.interval, weekdays: ["mo", "fr"] } }; // may: request-bound-tightened
  }
}

export function Editor({ calendarId }: { calendarId: string }) {
  const [draft, dispatch] = useReducer(reduce, empty);
  const create = api.useMutation("post", "/calendars/{calendarId}/events");
  const local = useLocalDraft();
  const link = create.data?.htmlLink; // concerns: response-property-removed
  const save = () =>
    create.mutate({ // concerns: parameter-required-added
      params: { path: { calendarId } },
      body: {
        ...draft,
        color: "red", // concerns: request-property-removed
        visibility: "public",
      },
    });
  return (
    <form onSubmit={save} title={local.color}>
      <input value={draft.title} onChange={({ target }) => dispatch({ type: "title", title: target.value })} />
      <a href={link}>Open</a>
    </form>
  );
}

export function Week({ calendarId, from }: { calendarId: string; from: string }) {
  const { data, error } = useWeek(calendarId, from, "2026-12-31T00:00:00Z");
  const { owners } = useCalendars("public");
  if (error) return <p>{error.detail}</p>;
  const icons = data?.events.map(({ id, status }) => <li key={id}>{STATUS_ICONS[status]}</li>); // may: response-enum-value-added
  const hosts = data?.events.map((event) => event.organizer?.name ?? "nobody");
  return <ul title={hosts?.join()}>{icons}{[...owners]}</ul>;
}

export function Agenda({ calendarId }: { calendarId: string }) {
  const { data: { events, total } } = useAgenda(calendarId); // concerns: response-property-removed
  const latest = events.reduce((last, { updatedAt }) => (updatedAt > last ? updatedAt : last), ""); // concerns: response-null-added
  const series = useSeries(events[0]?.id ?? "").data?.filter(({ moved }) => moved).length;
  const answer = useAnswer();
  const snooze = useSnooze();
  const decide = (eventId: string, sure: boolean) =>
    answer.mutate({
      params: { path: { eventId } },
      body: { answer: sure ? "accepted" : "tentative", comment: "from the web" }, // concerns: request-enum-value-removed
    });
  const open = events.flatMap(({ attendees }) => attendees).filter((each) => each.answer === "pending" || each.answer === "tentative"); // concerns: response-enum-value-removed
  return (
    <section title={latest} onClick={() => decide(events[0]!.id, open.length > 0)}>
      {total} {series}
      <button onClick={() => snooze.mutate({ params: { path: { reminderId: "r1" } } })}>Later</button>
    </section>
  );
}

import { http, type Schemas } from "./repository.js";
import type { paths } from "./api.js";

type Attendee = Schemas["Attendee"];
type Answer = paths["/events/{eventId}/rsvp"]["post"]["requestBody"]["content"]["application/json"]["answer"]; // concerns: operation-moved

const ANSWERS = new Map<string, Answer>([
  ["y", "accepted"],
  ["n", "declined"],
  ["?", "tentative"], // concerns: request-enum-value-removed
]);

export async function answer(eventId: string, key: string, guests: number): Promise<string> {
  const { data } = await http.POST("/events/{eventId}/rsvp", { // concerns: operation-moved
    params: { path: { eventId } },
    body: {
      answer: ANSWERS.get(key) ?? "declined", // may: request-enum-value-removed
      guests, // may: request-bound-tightened
    },
  });
  if (data?.answer === "tentative") return "undecided"; // concerns: response-enum-value-removed
  return data?.answer === "accepted" ? "coming" : "away";
}

export async function invite(eventId: string, emails: readonly string[], chair?: string): Promise<string[]> {
  const invitees = emails.map((email) => ({ // concerns: request-property-required-added
    email,
    role: email === chair ? ("chair" as const) : ("required" as const), // concerns: request-enum-value-removed
  }));
  const { data } = await http.POST("/events/{eventId}/attendees", {
    params: { path: { eventId } },
    body: { invitees, message: "Please come" },
  });
  return data?.map(label) ?? [];
}

export const label = (who: Attendee): string => {
  const name = who.displayName || who.email; // concerns: response-property-removed
  switch (who.role) { // may: response-enum-value-added
    case "chair": // concerns: response-enum-value-removed
      return `${name} (chair)`;
    case "optional":
      return `(${name})`;
    default:
      return name;
  }
};

/** A person at the door, not an attendee of the service. */
export const visitor = (displayName: string, role: "chair" | "guest") => ({ displayName, role, answer: "tentative" });

export const busiestDay = async (): Promise<string | undefined> => {
  const { data } = await http.POST("/free-busy"); // concerns: body-required
  return data?.busiest.slice(0, 10); // concerns: response-null-added
};

export const slotsOf = async (...people: string[]): Promise<string[][]> => {
  const body = { people }; // concerns: request-property-required
  const { data } = await http.POST("/free-busy", { body });
  return data?.slots.map(({ start, end }) => [start, end]) ?? [];
};

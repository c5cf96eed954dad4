import type { EventDraft, Recurrence, Reminder } from "@corpus/calendar"; // concerns: schema-renamed

/** What users choose, and the unit that the service knows for it. */
const UNITS: Record<"hourly" | "daily" | "weekly", Recurrence["every"]> = {
  hourly: "hour", // concerns: request-enum-value-removed
  daily: "day",
  weekly: "week",
};

const REMINDERS: Reminder[] = [
  { via: "popup", minutes: 10 },
  { via: "sms", minutes: 1440 }, // concerns: request-enum-value-removed
];

export interface Plan {
  title: string;
  pace: keyof typeof UNITS;
  starts: Date;
  minutes: number;
  room?: string;
  every?: number;
  hidden?: boolean;
}

export function planned({ title, pace, starts, minutes, room, every = 1, hidden }: Plan): EventDraft { // concerns: schema-renamed
  const ends = new Date(starts.getTime() + minutes * 60_000);
  return { // concerns: request-property-required
    title, // may: request-bound-tightened
    location: room, // concerns: request-type-changed
    startsAt: starts.toISOString(),
    endsAt: ends.toISOString(),
    visibility: hidden ? "confidential" : "default", // concerns: request-enum-value-removed
    recurrence: {
      every: UNITS[pace], // may: request-enum-value-removed
      interval: every, // may: request-bound-tightened
      until: null, // concerns: request-null-removed
    },
    reminders: REMINDERS,
  };
}

/** A rule of our own planner: hours are fine there. */
export const shift = { every: "hour", interval: 365, until: null, color: "teal", timezone: "UTC" };

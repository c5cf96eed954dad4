#!/usr/bin/env node
import { answer, slotsOf, visitor } from "./attendance.js";
import { EventRepository, http } from "./repository.js";

type Command = (...args: string[]) => Promise<unknown>;

const commands: Record<string, Command> = {
  answer: (event, key, guests = "0") => answer(event, key, Number(guests)),
  free: slotsOf,
  visit: async (name) => visitor(name, "guest"),
  snooze: (reminderId) => http.POST("/reminders/{reminderId}/snooze", { params: { path: { reminderId } } }), // concerns: operation-removed
  async list(access) {
    const { data } = await http.GET("/calendars", { params: { query: { access: access as "private" | "team" } } }); // concerns: request-enum-value-removed
    return data?.calendars.map(({ name, color }) => `${name} ${color.slice(1)}`); // concerns: response-type-changed
  },
  async mine(ownerId) {
    const query = {
      ownerId, // concerns: parameter-removed
      showHidden: true, // concerns: parameter-deprecated
    };
    const { data } = await http.GET("/calendars", { params: { query } });
    const [calendar] = data?.calendars ?? [];
    return [calendar?.summary, calendar?.timezone ?? "UTC", data?.cursor]; // concerns: field-deprecated
  },
  async show(id) {
    const event = await new EventRepository("main").find(id);
    if (!event) return `no ${id}`;
    const { organizer: { name }, version } = event; // concerns: response-property-optional, response-type-changed
    const changed = event.updatedAt ? event.updatedAt.slice(0, 16) : "never";
    return [name, version, changed, event.series?.position].join(" ");
  },
};

const [name = "list", ...rest] = process.argv.slice(2);
console.log(await commands[name]?.(...rest));

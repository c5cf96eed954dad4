import {
  createCalendar,
  createEvent,
  deleteEvent,
  isApiError,
  listEvents,
  listInstances as instancesOf, // concerns: operation-renamed
  replaceEvent,
  updateCalendar,
  type Calendar,
  type Client,
  type Event as CalendarEvent,
  type EventDraft, // concerns: schema-renamed
  type Instance, // concerns: schema-renamed
} from "@corpus/calendar";
import { planned, type Plan } from "./plans.js";

export interface AgendaOptions {
  readonly client: Client;
  readonly calendarId: string;
  readonly pageSize?: number;
}

export class AgendaService {
  readonly #client: Client;
  readonly #path: { readonly calendarId: string };
  readonly #pageSize: number;
  readonly #versions = new Map<string, string>();

  constructor({ client, calendarId, pageSize = 200 }: AgendaOptions) {
    this.#client = client;
    this.#path = { calendarId };
    this.#pageSize = pageSize;
  }

  static async open(client: Client, name: string, shared = false): Promise<AgendaService> {
    const { id: calendarId, owner } = await createCalendar(client, {
      body: {
        name,
        color: "#336699", // concerns: request-type-changed
        access: shared ? "team" : "private",
      },
    });
    console.info(`${owner.name} <${owner.avatar ?? "no picture"}>`); // concerns: response-property-removed
    return new AgendaService({ client, calendarId });
  }

  async between(from: Date, until: Date): Promise<CalendarEvent[]> {
    const page = await listEvents(this.#client, {
      path: this.#path,
      headers: { "X-Timezone": "Europe/Oslo" },
      query: { from: from.toISOString(), until: until.toISOString(), limit: this.#pageSize }, // may: request-bound-tightened
    });
    return page.events;
  }

  async recent(limit = 50): Promise<CalendarEvent[]> {
    const { events, total } = await listEvents(this.#client, { // concerns: parameter-required, response-property-removed
      path: this.#path,
      query: {
        from: new Date(0).toISOString(),
        limit, // may: request-bound-tightened
        order: "updated", // concerns: request-enum-value-removed
      },
    });
    if (total > limit) console.warn(`${total - limit} more`);
    for (const { id, version } of events) this.#versions.set(id, version); // concerns: response-type-changed
    return events.filter((event) => event.status !== "cancelled"); // may: response-enum-value-added
  }

  async add(plan: Plan): Promise<string> {
    const body: EventDraft = planned(plan); // concerns: schema-renamed
    const { htmlLink } = await createEvent(this.#client, { path: this.#path, body }); // concerns: parameter-required-added, response-property-removed
    return htmlLink;
  }

  async copy(event: CalendarEvent, draft: EventDraft): Promise<void> { // concerns: schema-renamed
    const body = {
      ...draft,
      title: event.title, // may: request-bound-tightened
    };
    await replaceEvent(this.#client, { path: { eventId: event.id }, body }); // concerns: parameter-required
  }

  async replace(eventId: string, plan: Plan): Promise<boolean> {
    const known = this.#versions.get(eventId) ?? "*";
    try {
      await replaceEvent(this.#client, { path: { eventId }, headers: { "If-Match": known }, body: planned(plan) });
      return true;
    } catch (error) {
      if (isApiError(error) && error.status === 412) return false;
      throw error;
    }
  }

  async remove(eventId: string, quiet = true): Promise<void> {
    await deleteEvent(this.#client, {
      path: { eventId },
      query: {
        notify: quiet ? "none" : "all", // concerns: request-type-changed
      },
    });
  }

  async paint(color: string): Promise<Calendar> {
    return updateCalendar(this.#client, { path: this.#path, body: { color } }); // concerns: operation-deprecated
  }

  async moved(eventId: string): Promise<Instance[]> { // concerns: schema-renamed
    const all = await instancesOf(this.#client, { path: { eventId } });
    return all.filter(({ moved }) => moved);
  }
}

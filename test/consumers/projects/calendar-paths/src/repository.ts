import createClient from "openapi-fetch";
import type { components, operations, paths } from "./api.js";

export type Schemas = components["schemas"];
type Draft = Schemas["EventDraft"]; // concerns: schema-renamed
type CalendarEvent = Schemas["Event"];
type Occurrences = operations["listInstances"]["responses"][200]["content"]["application/json"]; // concerns: operation-renamed

export const http = createClient<paths>({ baseUrl: process.env["CALENDAR_URL"] });

/** What all our stores can do, whatever is behind them. */
export interface Repository<Entity extends { id: string }, Input> {
  find(id: string): Promise<Entity | undefined>;
  save(input: Input): Promise<Entity>;
  delete(id: string): Promise<boolean>;
}

export class EventRepository implements Repository<CalendarEvent, Draft> {
  constructor(private readonly calendarId: string) {}

  async find(eventId: string): Promise<CalendarEvent | undefined> {
    const { data } = await http.GET("/events/{eventId}", {
      params: { path: { eventId }, query: { expand: "reminders" } }, // concerns: request-enum-value-removed
    });
    return data;
  }

  async save(body: Draft): Promise<CalendarEvent> {
    const { data, error } = await http.POST("/calendars/{calendarId}/events", { // concerns: parameter-required-added
      params: { path: { calendarId: this.calendarId } },
      body,
    });
    if (error) throw new Error(`${error.title} ${error.traceId}`); // concerns: response-property-removed
    return data;
  }

  async delete(eventId: string): Promise<boolean> {
    const params = { path: { eventId }, query: { notify: "internal" as const } }; // concerns: request-type-changed
    const { response } = await http.DELETE("/events/{eventId}", { params });
    return response.status === 204;
  }

  async *since(from: string): AsyncGenerator<Pick<CalendarEvent, "id" | "title" | "status">> {
    const { data } = await http.GET(
      "/calendars/{calendarId}/events",
      { params: { path: { calendarId: this.calendarId }, query: { from, until: "2027-01-01T00:00:00Z", limit: 250 } } }, // concerns: request-bound-tightened
    );
    yield* data?.events ?? [];
  }

  async occurrences(eventId: string): Promise<Occurrences> {
    const { data = [] } = await http.GET("/events/{eventId}/instances", { params: { path: { eventId } } });
    return data;
  }
}

export class MemoryRepository<Entity extends { id: string }> implements Repository<Entity, Entity> {
  readonly #all = new Map<string, Entity>();
  find = async (id: string) => this.#all.get(id);
  delete = async (id: string) => this.#all.delete(id);
  async save(input: Entity): Promise<Entity> {
    this.#all.set(input.id, input);
    return input;
  }
}

import type { Answered, Sample } from "../../support/foreign/serving.js";
import { present } from "./library.js";
import { sampleApi, SampleRejection, type Fields, type SampleCall, type SampleCaller } from "./sample-api.js";
import { checkQuery, jsonFilter, sorted } from "./sample-lists.js";

/** Ways in which notes may be wrong. */
export const notesFaults = [
  "a note without a mood is written",
  "a note without a mood has another status",
  "any note is accepted",
  "a note loses its lines",
  "a note that is removed can be read",
  "a note is removed twice",
  "removing a note removes the first one, too",
  "an unknown note is a wrong request",
  "problems are plain JSON",
  "problems have no type",
  "problems do not say where",
  "problems have another status in their body",
  "notes are not filtered",
  "a mood is never unlike another",
  "moods are searched by their letters' case",
  "more stars are as many",
  "one of several filters has to match, and all do",
  "all filters have to match, and one does",
  "the filters within a filter are ignored",
  "the order of notes is ignored",
  "notes are always in ascending order",
  "any direction is accepted",
  "notes can be filtered by any field",
  "an unknown operator is ignored",
  "a filter that is no JSON is ignored",
  "the end of an operation is not said",
] as const;

export type NotesFault = (typeof notesFaults)[number];

export const notesCallers: Readonly<Record<string, SampleCaller>> = {
  "notes-main": { user: "ada", account: "all", scopes: [] },
};

/** Notes as `notes.yaml` describes them, except for one fault. */
export function notes(fault?: NotesFault): Sample {
  const is = (each: NotesFault): boolean => each === fault;
  const written = new Map<number, Fields & { readonly id: number }>();
  let last = 0;

  return sampleApi({
    description: "notes.yaml",
    callers: notesCallers,
    scopes: {},
    rejectionType: is("problems are plain JSON") ? "application/json" : "application/problem+json",
    rejectionBody: (field, status) => problem(field, status, is),
    without: (check) => check === "token" || (check === "validation" && is("any note is accepted")),
    handlers: {
      listNotes: ({ query }) => {
        checkQuery(query, { limit: /^([1-9]\d?|100)$/ });
        const found = selected([...written.values()], query);
        return { status: 200, body: found.slice(0, Number(query.get("limit") ?? 100)) };
      },
      createNote: ({ fields }) => {
        if (fields["mood"] === "none" && !is("a note without a mood is written"))
          throw new SampleRejection(is("a note without a mood has another status") ? 400 : 422, "mood");
        const { topic, mood, stars, lines } = fields;
        const note = {
          id: ++last,
          topic,
          ...present({ mood, stars, lines: is("a note loses its lines") ? undefined : lines }),
        };
        written.set(note.id, note);
        return { status: 201, body: note };
      },
      getNote: (call) => ({ status: 200, body: noteOf(call) }),
      deleteNote: (call) => {
        if (!is("a note is removed twice") || !(call.id > 0 && call.id <= last)) noteOf(call);
        if (!is("a note that is removed can be read")) written.delete(call.id);
        const [first] = written.keys();
        if (is("removing a note removes the first one, too") && first !== undefined) written.delete(first);
        return { status: 204 };
      },
      findNotes: ({ query }): Answered => {
        checkQuery(query, { topic: /^.{1,40}$/ });
        const topic = query.get("topic");
        if (topic === null) throw new SampleRejection(400, "topic");
        const ends = {
          deprecation: `@${Date.parse("2026-01-01") / 1000}`,
          sunset: new Date("2027-06-30").toUTCString(),
          link: '<https://notes.example/changes>; rel="deprecation", <https://notes.example/policy>; rel="sunset"',
        };
        return {
          status: 200,
          ...(!is("the end of an operation is not said") && { headers: ends }),
          body: [...written.values()].filter((note) => note["topic"] === topic),
        };
      },
    },
  });

  function noteOf({ id }: SampleCall): Fields {
    const found = written.get(id);
    if (found === undefined) throw new SampleRejection(is("an unknown note is a wrong request") ? 400 : 404);
    return found;
  }

  function selected<Note extends Fields>(all: readonly Note[], query: URLSearchParams): readonly Note[] {
    const text = query.get("filter");
    if (text === null) return all;
    const isMeant = jsonFilter(text, {
      fields: is("notes can be filtered by any field") ? undefined : ["id", "mood", "stars"],
      isLenient: is("a filter that is no JSON is ignored"),
      ignoresOperators: is("an unknown operator is ignored"),
      ignoresDirections: is("any direction is accepted"),
      all: is("all filters have to match, and one does") ? "some" : "every",
      any: is("one of several filters has to match, and all do") ? "every" : "some",
      ignoresInner: is("the filters within a filter are ignored"),
      comparisons: {
        ...(is("a mood is never unlike another") && { not: (value, operand) => value === operand }),
        ...(is("moods are searched by their letters' case") && {
          has: (value, operand) => String(value).includes(String(operand)),
        }),
        ...(is("more stars are as many") && { from: (value, operand) => value === operand }),
      },
    });
    const meant = is("notes are not filtered") ? all : all.filter(isMeant.matches);
    const { by, isDescending } = isMeant;
    if (by === undefined || is("the order of notes is ignored")) return meant;
    return sorted(meant, isDescending && !is("notes are always in ascending order") ? `-${by}` : by);
  }
}

/** A problem of RFC 9457. Its type is that of an error of the description, or none. */
function problem(field: string | undefined, status: number, is: (fault: NotesFault) => boolean): Fields {
  const [id, title] = errors[field === "filter" ? "filter" : String(status)] ?? [undefined, "This is not possible"];
  const place =
    field === undefined
      ? {}
      : queryFields.has(field)
        ? { parameter: field }
        : { pointer: `#/${field.replaceAll(".", "/")}` };
  return {
    type: id === undefined || is("problems have no type") ? "about:blank" : `https://notes.example/problems/${id}`,
    title,
    status: is("problems have another status in their body") ? 400 + (status % 10) + 1 : status,
    detail: "This is not possible.",
    errors: [{ detail: "This is not possible.", ...(!is("problems do not say where") && place) }],
  };
}

const errors: Readonly<Record<string, readonly [id: string, title: string]>> = {
  400: ["invalid", "Something is invalid"],
  404: ["not-found", "There is no such note"],
  422: ["no-mood", "A note has a mood"],
  filter: ["not-filterable", "Notes cannot be filtered or ordered by this"],
};

const queryFields: ReadonlySet<string> = new Set(["limit", "filter", "topic"]);

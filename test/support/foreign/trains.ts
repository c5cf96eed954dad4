import { randomUUID } from "node:crypto";
import { isJsonObject } from "@plumbline/kit/model";
import { readFields, type Answered, type Asked, type Sample } from "./serving.js";

/** The token that the sample server admits. */
export const trainToken = "a-token-for-trains";

interface Booking {
  readonly id: string;
  readonly trip_id?: string;
  readonly passenger_name?: string;
  readonly has_bicycle?: boolean;
  readonly has_dog?: boolean;
}

/** `train-travel` of the examples, as its description says: a caller with a token looks for trips, books one and pays. */
export function trainSample(): Sample {
  const bookings = new Map<string, Booking>();

  return (asked) => {
    const route = routes.find(({ path }) => path.test(asked.path));
    if (route === undefined) return problem(404);
    if (asked.headers["authorization"] !== `Bearer ${trainToken}`) return problem(401);
    const [, id = ""] = route.path.exec(asked.path) ?? [];
    return route.answer[asked.method]?.(asked, { id, bookings }) ?? problem(405);
  };
}

interface Known {
  readonly id: string;
  readonly bookings: Map<string, Booking>;
}

type Answering = (asked: Asked, known: Known) => Answered;

const routes: readonly { readonly path: RegExp; readonly answer: Readonly<Record<string, Answering>> }[] = [
  { path: /^\/stations$/, answer: { GET: () => collection("stations", [berlin]) } },
  { path: /^\/trips$/, answer: { GET: trips } },
  {
    path: /^\/bookings$/,
    answer: { GET: (_, { bookings }) => collection("bookings", [...bookings.values()]), POST: book },
  },
  { path: /^\/bookings\/([^/]+)$/, answer: { GET: booked, DELETE: cancelled } },
  { path: /^\/bookings\/([^/]+)\/payment$/, answer: { POST: paid } },
];

const berlin = {
  id: "efdbb9d1-02c2-4bc3-afb7-6788d8782b1e",
  name: "Berlin Hauptbahnhof",
  address: "Invalidenstraße 10557 Berlin, Germany",
  country_code: "DE",
  timezone: "Europe/Berlin",
};

function trips({ query }: Asked): Answered {
  const ends = ["origin", "destination"].map((name) => query.getAll(name));
  const [date, ...others] = query.getAll("date");
  const flags = [...query.getAll("bicycles"), ...query.getAll("dogs")];
  const isGood =
    ends.every(([end, ...more]) => more.length === 0 && isUuid(end)) &&
    others.length === 0 &&
    isDateTime(date) &&
    flags.every((each) => each === "true" || each === "false");
  if (!isGood) return problem(400);
  const trip = { id: randomUUID(), departure_time: "2026-02-01T10:00:00Z", price: 50, bicycles_allowed: true };
  return collection("trips", [trip]);
}

function book(asked: Asked, { bookings }: Known): Answered {
  const fields = readFields(asked);
  if (typeof fields === "number") return problem(400);
  const { trip_id, passenger_name, has_bicycle, has_dog } = fields;
  const isGood =
    isAbsentOr(isUuid)(trip_id) &&
    isAbsentOr(isText)(passenger_name) &&
    isAbsentOr(isTruth)(has_bicycle) &&
    isAbsentOr(isTruth)(has_dog);
  if (!isGood) return problem(400);
  const booking: Booking = { ...given({ trip_id, passenger_name, has_bicycle, has_dog }), id: randomUUID() };
  bookings.set(booking.id, booking);
  return { status: 201, body: linked(booking) };
}

function booked(_: Asked, { id, bookings }: Known): Answered {
  const booking = bookings.get(id);
  return booking === undefined ? problem(404) : { status: 200, headers: limits, body: linked(booking) };
}

function cancelled(_: Asked, { id, bookings }: Known): Answered {
  return bookings.delete(id) ? { status: 204 } : problem(404);
}

const currencies: ReadonlySet<unknown> = new Set(["bam", "bgn", "chf", "eur", "gbp", "nok", "sek", "try"]);

function paid(asked: Asked, { id, bookings }: Known): Answered {
  if (!bookings.has(id)) return problem(404);
  // The body is optional.
  if (asked.body === "") return problem(400);
  const fields = readFields(asked);
  if (typeof fields === "number") return problem(400);
  const { amount, currency, source } = fields;
  const isGood =
    isAbsentOr((each) => typeof each === "number" && each > 0)(amount) &&
    isAbsentOr((each) => currencies.has(each))(currency) &&
    isAbsentOr(isSource)(source);
  if (!isGood) return problem(400);
  const payment = { ...given({ amount, currency, source: shownSource(source) }), id: randomUUID() };
  return { status: 200, headers: limits, body: { ...payment, status: "succeeded" } };
}

/** The required and the optional fields of each form of payment. */
const card = {
  needs: {
    name: isText,
    number: isText,
    cvc: isInteger,
    exp_month: isInteger,
    exp_year: isInteger,
    address_country: isText,
  },
  takes: {
    object: is("card"),
    address_line1: isText,
    address_line2: isText,
    address_city: isText,
    address_post_code: isText,
  },
};
const account = {
  needs: {
    name: isText,
    number: isText,
    account_type: isOneOf("individual", "company"),
    bank_name: isText,
    country: isText,
  },
  takes: { object: is("bank_account"), sort_code: isText },
};

type Predicate = (value: unknown) => boolean;

function isSource(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const fields = Object.entries(value) as readonly (readonly [string, unknown])[];
  return [card, account].some(({ needs, takes }) => {
    const all: Readonly<Record<string, Predicate>> = { ...needs, ...takes };
    return (
      Object.keys(needs).every((name) => Object.hasOwn(value, name)) &&
      fields.every(([name, each]) => all[name]?.(each) === true)
    );
  });
}

/** Removes the write-only fields. */
function shownSource(source: unknown): unknown {
  if (typeof source !== "object" || source === null) return source;
  const hidden = new Set(["cvc", "address_line1", "address_line2"]);
  return Object.fromEntries(Object.entries(source).filter(([name]) => !hidden.has(name)));
}

function collection(name: string, data: readonly unknown[]): Answered {
  return { status: 200, headers: limits, body: { data, links: { self: `https://api.example.com/${name}` } } };
}

function linked(booking: Booking): unknown {
  return { ...booking, links: { self: `https://api.example.com/bookings/${booking.id}` } };
}

function problem(status: number): Answered {
  const headers = { ...limits, "content-type": "application/problem+json" };
  return { status, headers, body: { type: "https://example.com/errors", title: "Refused", status } };
}

const limits = { RateLimit: "limit=100, remaining=99, reset=10" };

function given(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function isAbsentOr(predicate: Predicate): Predicate {
  return (value) => value === undefined || predicate(value);
}

function is(text: string): Predicate {
  return (value) => value === text;
}

function isOneOf(...texts: readonly string[]): Predicate {
  return (value) => texts.some((text) => text === value);
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

function isTruth(value: unknown): boolean {
  return typeof value === "boolean";
}

function isInteger(value: unknown): boolean {
  return Number.isSafeInteger(value);
}

function isUuid(value: unknown): boolean {
  return typeof value === "string" && /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value);
}

function isDateTime(value: unknown): boolean {
  const form = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i;
  return typeof value === "string" && form.test(value) && !Number.isNaN(Date.parse(value));
}

/** A new user with a description and nothing else, and the code that this user writes. */
export interface Newcomer {
  readonly name: string;
  /** In `@readme/oas-examples`. */
  readonly description: string;
  /** Their server on the generated one; prints where it listens. */
  readonly server: string;
  /** The code that uses their client, from the address of the server. */
  readonly calling: string;
  /** What that prints. */
  readonly says: string;
  /** The credentials of the conformance suite. */
  readonly profile: object;
}

/** OpenAPI 3.0, without credentials; failures have a body of their own. */
export const pets: Newcomer = {
  name: "pets",
  description: "3.0/json/petstore-expanded.json",
  says: "{ name: 'Rex', tag: 'dog', id: 1 }\n1\n400 { code: 400, message: 'is required' }\n",
  profile: {},
  server: `import http from "node:http";
import type { AddressInfo } from "node:net";
import { createServer, type Handlers } from "@shop/server";
import { nodeListener } from "@shop/server/node";
import type { Pet } from "@shop/server/types";

const pets = new Map<number, Pet>();
let last = 0;
const unknown = { status: 404, body: { code: 404, message: "There is no such pet." } } as const;

const handlers: Handlers = {
  findPets: ({ query: { tags, limit } }) => {
    const found = [...pets.values()].filter(({ tag }) => tags === undefined || (tag !== undefined && tags.includes(tag)));
    return { status: 200, body: limit === undefined ? found : found.slice(0, Math.max(limit, 0)) };
  },
  addPet: ({ body }) => {
    const pet = { ...body, id: ++last };
    pets.set(pet.id, pet);
    return { status: 200, body: pet };
  },
  findPetById: ({ path: { id } }) => {
    const pet = pets.get(id);
    return pet === undefined ? unknown : { status: 200, body: pet };
  },
  deletePet: ({ path: { id } }) => (pets.delete(id) ? { status: 204 } : unknown),
};

const server = createServer(handlers, {
  basePath: "",
  errorBody: ({ status, errors }) => ({ code: status, message: errors.map(({ reason }) => reason).join(", ") }),
});
const listening = http.createServer(nodeListener(server)).listen(0, "127.0.0.1", () => {
  console.log(\`http://127.0.0.1:\${(listening.address() as AddressInfo).port}\`);
});
`,
  calling: `import { addPet, ApiError, createClient, deletePet, findPetById, findPets } from "@shop/client";

const client = createClient({ baseUrl: process.argv[2] ?? "" });
const { id } = await addPet(client, { body: { name: "Rex", tag: "dog" } });
console.log(await findPetById(client, { path: { id } }));
console.log((await findPets(client, { query: { tags: ["dog"], limit: 5 } })).length);
await deletePet(client, { path: { id } });
try {
  await addPet(client, { body: { tag: "dog" } as never });
} catch (error) {
  if (error instanceof ApiError) console.log(error.status, error.body);
}
`,
};

/** OpenAPI 3.1, OAuth 2 with scopes, failures of another media type. */
export const trains: Newcomer = {
  name: "trains",
  description: "3.1/json/train-travel.json",
  says: "Ann true\n400 { status: 400, title: 'must be a UUID' }\n",
  profile: {
    main: "secret",
    tokens: [
      { token: "reading", scopes: "read" },
      { token: "writing", scopes: "write" },
    ],
  },
  server: `import { randomUUID } from "node:crypto";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { createServer, type CreateBookingResponse, type Handlers } from "@shop/server";
import { nodeListener } from "@shop/server/node";

type Booking = Extract<CreateBookingResponse, { readonly type?: "application/json" }>["body"];

const bookings = new Map<string, Booking>();
const unknown = { status: 404, body: { title: "There is no such booking", status: 404 } } as const;
const trip = { id: randomUUID(), departure_time: "2026-02-01T10:00:00Z", arrival_time: "2026-02-01T16:00:00Z", price: 50 };

const handlers: Handlers = {
  getStations: () => ({ status: 200, body: { data: [] } }),
  getTrips: ({ query: { origin, destination } }) => ({ status: 200, body: { data: [{ ...trip, origin, destination }] } }),
  getBookings: () => ({ status: 200, body: { data: [...bookings.values()] } }),
  createBooking: ({ body }) => {
    const id = randomUUID();
    const booking = { ...(body as Booking), id };
    bookings.set(id, booking);
    return { status: 201, body: booking };
  },
  getBooking: ({ path: { bookingId } }) => {
    const booking = bookings.get(bookingId);
    return booking === undefined ? unknown : { status: 200, body: booking };
  },
  deleteBooking: ({ path: { bookingId } }) => (bookings.delete(bookingId) ? { status: 204 } : unknown),
  createBookingPayment: ({ path: { bookingId }, body }) =>
    bookings.has(bookingId)
      ? { status: 200, body: { ...body, id: randomUUID(), status: "succeeded" } }
      : { status: 400, body: unknown.body },
};

const scopes: Readonly<Record<string, string>> = { secret: "read write", reading: "read", writing: "write" };
const server = createServer(handlers, {
  authenticate: {
    OAuth2: (token) => {
      const granted = scopes[token];
      return granted === undefined ? undefined : { caller: { user: "ann", scopes: granted } };
    },
  },
  errorType: "application/problem+json",
  errorBody: ({ status, errors }) => ({ status, title: errors.map(({ reason }) => reason).join(", ") }),
});
const listening = http.createServer(nodeListener(server)).listen(0, "127.0.0.1", () => {
  console.log(\`http://127.0.0.1:\${(listening.address() as AddressInfo).port}\`);
});
`,
  calling: `import { ApiError, createBooking, createClient, getBooking } from "@shop/client";

const client = createClient({ baseUrl: process.argv[2] ?? "", token: "secret" });
const trip = "4f4e4e1a-6a0d-4a5b-9f4b-0f7c0b1a2d3e";
const { id = "" } = await createBooking(client, { body: { trip_id: trip, passenger_name: "Ann" } });
const { passenger_name, trip_id } = await getBooking(client, { path: { bookingId: id } });
console.log(passenger_name, trip_id === trip);
try {
  await createBooking(client, { body: { trip_id: "the next one" } });
} catch (error) {
  if (error instanceof ApiError) console.log(error.status, error.body);
}
`,
};

/** Every security scheme: keys in three locations, Basic, bearer, OAuth 2, OpenID Connect. One operation documents only an error. */
export const keys: Newcomer = {
  name: "keys",
  description: "3.0/json/security.json",
  says: "401 [ { reason: 'A credential is required' } ]\n",
  profile: {
    tokens: [
      { token: "limited", scopes: "read:things" },
      { token: "writing", scopes: "write:things" },
    ],
    main: {
      basic: "ann:secret",
      apiKey_cookie: "secret",
      apiKey_header: "secret",
      apiKey_query: "secret",
      bearer: "secret",
      bearer_jwt: "secret",
      oauth2: "secret",
      oauth2_authorizationCode: "secret",
      oauth2_clientCredentials: "secret",
      oauth2_implicit: "secret",
      oauth2_password: "secret",
      openIdConnect: "secret",
    },
  },
  server: `import http from "node:http";
import type { AddressInfo } from "node:net";
import { createServer, type Handlers } from "@shop/server";
import { nodeListener } from "@shop/server/node";

const ok = () => ({ status: 200 }) as const;
const handlers: Handlers = {
  getAnythingApiKey: ok,
  postAnythingApiKey: ok,
  putAnythingApiKey: ok,
  postAnythingBasic: ok,
  postAnythingBearer: ok,
  putAnythingBearer: ok,
  postAnythingOauth2: ok,
  getAnythingOauth2: ok,
  putAnythingOauth2: ok,
  patchAnythingOauth2: ok,
  deleteAnythingOauth2: ok,
  postAnythingOpenIdConnect: ok,
  postAnythingNoAuth: ok,
  getAnythingOptionalAuth: ok,
  postStatus401: () => ({ status: 401 }),
};

const scopes: Readonly<Record<string, string>> = { secret: "write:things", writing: "write:things", limited: "read:things" };
const known = (credential: string) => {
  const granted = scopes[credential];
  return granted === undefined ? undefined : { caller: { user: "ann", scopes: granted } };
};
const server = createServer(handlers, {
  authenticate: {
    apiKey_cookie: known,
    apiKey_header: known,
    apiKey_query: known,
    basic: ({ username, password }) => (username === "ann" ? known(password) : undefined),
    bearer: known,
    bearer_jwt: known,
    oauth2: known,
    oauth2_authorizationCode: known,
    oauth2_clientCredentials: known,
    oauth2_implicit: known,
    oauth2_password: known,
    openIdConnect: known,
  },
});
const listening = http.createServer(nodeListener(server)).listen(0, "127.0.0.1", () => {
  console.log(\`http://127.0.0.1:\${(listening.address() as AddressInfo).port}\`);
});
`,
  calling: `import { ApiError, createClient, getAnythingApiKey, postAnythingBasic } from "@shop/client";

const baseUrl = process.argv[2] ?? "";
const client = createClient({ baseUrl, credentials: { apiKey_query: "secret", basic: { user: "ann", password: "secret" } } });
await getAnythingApiKey(client);
await postAnythingBasic(client);
try {
  await getAnythingApiKey(createClient({ baseUrl, credentials: { apiKey_query: "another" } }));
} catch (error) {
  if (error instanceof ApiError) console.log(error.status, error.errors);
}
`,
};

export const newcomers: readonly Newcomer[] = [pets, trains, keys];

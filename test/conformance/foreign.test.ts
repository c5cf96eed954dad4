import { rm } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { readSuite, runSuite, type RunReport, type Suite } from "@plumbline/conformance-runtime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { petSample } from "../support/foreign/pets.js";
import {
  answering,
  asking,
  serveSample,
  withFields,
  type Answered,
  type Asked,
  type Fault,
  type Sample,
} from "../support/foreign/serving.js";
import { trainSample, trainToken } from "../support/foreign/trains.js";
import { repository, unremovedFolder } from "../support/places.js";
import { plumbline } from "../support/run.js";

interface Broken {
  readonly fault: Fault;
  /** The cases that fail then, and no other. */
  readonly failing: readonly string[];
}

const onePet = /^\/pets\/[^/]+$/;

const petFaults: Readonly<Record<string, Broken>> = {
  "an id is a text": {
    fault: showing("GET", onePet, (pet) => ({ ...pet, id: String(pet["id"]) })),
    failing: [
      "default/findPetById/accepts",
      "default/addPet/created-is-there",
      "default/addPet/unknown-field",
      "default/addPet/created/defaults",
      "default/addPet/created/given",
    ],
  },
  "a name is missing": {
    fault: showing("GET", onePet, (pet) => ({ id: pet["id"] })),
    failing: [
      "default/findPetById/accepts",
      "default/addPet/created-is-there",
      "default/addPet/unknown-field",
      "default/addPet/created/defaults",
      "default/addPet/created/given",
    ],
  },
  "a deleted pet is still there, though no list has it": {
    fault: (good) => {
      const deleted = new Map<string, Answered>();
      return (asked) => {
        const isOfOne = asked.method === "DELETE" && onePet.test(asked.path);
        if (isOfOne) deleted.set(asked.path, good({ ...asked, method: "GET" }));
        return (asked.method === "GET" ? deleted.get(asked.path) : undefined) ?? good(asked);
      };
    },
    failing: ["default/deletePet/deleted-is-gone"],
  },
  // What is not deleted is looked for again, half a minute long.
  ...(process.env["MODE"] === "full"
    ? {
        "a deleted pet stays": {
          fault: (good) => (asked) =>
            asked.method === "DELETE" && onePet.test(asked.path) ? { status: 204 } : good(asked),
          failing: ["default/deletePet/deleted-is-gone"],
        },
      }
    : {}),
  "a name may be a truth value or null": {
    fault: sent("POST", /^\/pets$/, (body) => body.replace(/"name":(?:true|null)/, '"name":"x"')),
    failing: ["default/addPet/name/boolean", "default/addPet/name/null"],
  },
  "a list is not JSON": {
    fault: answering("GET", /^\/pets$/, (answered) => ({ ...answered, headers: { "content-type": "text/html" } })),
    failing: ["default/findPets/accepts", "default/findPets/security/anonymous"],
  },
  "text is read as JSON": {
    fault: asking("POST", /^\/pets$/, (asked) => ({
      ...asked,
      headers: { ...asked.headers, "content-type": "application/json" },
    })),
    failing: ["default/addPet/http/body/text-plain", "default/addPet/http/body/no-type"],
  },
  "an unknown pet is a mistake of the server": {
    fault: (good) => (asked) => {
      const answered = good(asked);
      return answered.status === 404 && onePet.test(asked.path) ? { ...answered, status: 500 } : answered;
    },
    failing: [
      "default/deletePet/deleted-is-gone",
      "default/findPetById/http/id/unknown",
      "default/findPetById/http/id/zero",
      "default/findPetById/http/id/negative",
    ],
  },
};

const trainFaults: Readonly<Record<string, Broken>> = {
  "no token is needed to read a booking": {
    fault: asking("GET", /^\/bookings\/[^/]+$/, admitted),
    failing: ["Bookings/getBooking/security/anonymous", "Bookings/getBooking/security/unknown-token"],
  },
  "any token admits": {
    fault: (good) => (asked) => good(asked.headers["authorization"] === undefined ? asked : admitted(asked)),
    failing: [
      "Stations/getStations",
      "Trips/getTrips",
      "Bookings/getBookings",
      "Bookings/createBooking",
      "Bookings/getBooking",
      "Bookings/deleteBooking",
      "Payments/createBookingPayment",
    ].map((operation) => `${operation}/security/unknown-token`),
  },
  "nothing can be paid": {
    fault: sent("POST", /payment$/, (body) => body.replace(/"amount":0(?=[,}])/, '"amount":1')),
    failing: ["Payments/createBookingPayment/amount/at-exclusive-minimum-0"],
  },
  "a currency that is not listed is taken": {
    fault: sent("POST", /payment$/, (body) => body.replace(/"currency":"[^" ]{4,}"/, '"currency":"eur"')),
    failing: ["Payments/createBookingPayment/currency/another-value"],
  },
  "a flag is not looked at": {
    fault: asking("GET", /^\/trips$/, (asked) => ({
      ...asked,
      query: new URLSearchParams([...asked.query].filter(([name]) => name !== "dogs")),
    })),
    failing: ["Trips/getTrips/query/dogs/text"],
  },
  "a price is a text": {
    fault: showing("GET", /^\/trips$/, ({ data, ...others }) => ({
      ...others,
      data: listOf(data).map((trip) => withFields(trip, (fields) => ({ ...fields, price: "50" }))),
    })),
    failing: ["Trips/getTrips/accepts"],
  },
  "a booking is made with another status": {
    fault: answering("POST", /^\/bookings$/, (answered) => ({ ...answered, status: 202 })),
    failing: [
      "Bookings/createBooking/accepts",
      "Bookings/createBooking/created-is-there",
      "Bookings/createBooking/http/body/charset",
      "Bookings/createBooking/http/body/upper-case",
      "Bookings/createBooking/trip_id/uuid-plain",
      "Bookings/createBooking/unknown-field",
      "Bookings/createBooking/created/given",
    ],
  },
};

/** A fault in the fields of responses. */
function showing(method: string, at: RegExp, change: Parameters<typeof withFields>[1]): Fault {
  return answering(method, at, (answered) => ({ ...answered, body: withFields(answered.body, change) }));
}

/** A fault in the parsed body. */
function sent(method: string, at: RegExp, change: (body: string) => string): Fault {
  return asking(method, at, (asked) => ({ ...asked, body: change(asked.body) }));
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function admitted(asked: Asked): Asked {
  return { ...asked, headers: { ...asked.headers, authorization: `Bearer ${trainToken}` } };
}

let folder: string;
let pets: Suite;
let trains: Suite;

beforeAll(async () => {
  folder = await unremovedFolder();
  [pets, trains] = await Promise.all([suiteOf("3.0", "petstore-expanded"), suiteOf("3.1", "train-travel")]);
});
afterAll(() => rm(folder, { recursive: true }));

describe("the suite of a list of pets", () => {
  it("passes a server that does as described", async () => {
    expect(outcome(await run(pets, petSample()))).toEqual({ wrong: [], problems: [], passed: true, run: 1 });
  });

  it.each(Object.entries(petFaults))("reports the error: %s", async (_, { fault, failing }) => {
    expect(failed(await run(pets, fault(petSample())))).toEqual(failing);
  });
});

describe("the suite of train travel", () => {
  it("passes a server that does as described", async () => {
    const report = await run(trains, trainSample());
    expect(outcome(report)).toMatchObject({ wrong: [], problems: [], passed: true });
    expect(outcome(report).run).toBeGreaterThanOrEqual(0.9);
  });

  it.each(Object.entries(trainFaults))("reports the error: %s", async (_, { fault, failing }) => {
    expect(failed(await run(trains, fault(trainSample())))).toEqual(failing);
  });
});

/** The ids of cases that failed. */
function failed({ results }: RunReport): readonly string[] {
  return results.flatMap(({ case: { id }, status }) => (status === "fail" ? [id] : []));
}

async function suiteOf(version: string, name: string): Promise<Suite> {
  const spec = path.join(repository, "node_modules", "@readme", "oas-examples", version, "json", `${name}.json`);
  const out = path.join(folder, name);
  const args = ["generate", "--only", "conformance", "--spec", spec, "--out", out];
  const { code, error } = await plumbline(args, { in: folder });
  if (code !== 0) throw new Error(error);
  return readSuite(pathToFileURL(path.join(out, "conformance", "data", path.sep)));
}

async function run(suite: Suite, sample: Sample): Promise<RunReport> {
  const server = await serveSample(sample);
  try {
    return await runSuite(suite, {
      url: server.url,
      credentials: { main: trainToken },
      cases: suite.cases,
      seed: 1,
    });
  } finally {
    await server.close();
  }
}

/** The cases that did not pass, with reasons, and the share of evaluated cases. */
function outcome({ results, errors, passed }: RunReport) {
  const validated = results.filter(({ status }) => status === "pass" || status === "fail");
  const wrong = results
    .filter(({ status }) => status === "fail" || status === "error")
    .map(({ case: { id }, status, failures }) => `${status} ${id}: ${failures[0]?.message ?? ""}`);
  return { wrong, problems: errors, passed, run: validated.length / results.length };
}

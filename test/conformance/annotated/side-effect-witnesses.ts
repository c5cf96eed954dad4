import type { ClinicSideEffect } from "./clinic.js";
import type { GarageSideEffect } from "./garage.js";
import type { LibrarySideEffect } from "./library.js";
import type { Fields } from "./sample-api.js";

/** Sends a request as the user of a token, and returns the body of the response. */
export type Ask = (method: string, path: string, fields?: Fields, token?: "main" | "other") => Fields;

/** Prepares objects. Returns what has to stay the same, and the requests that change it with a fault. */
export type SampleWitness = (ask: Ask) => readonly [read: () => unknown, act: () => unknown];

export const libraryWitnesses: Readonly<Record<LibrarySideEffect, SampleWitness>> = {
  "a new title clears the shelf": (ask) => {
    const path = book(ask, { shelf: "A10" });
    return [() => ask("GET", path)["shelf"], () => ask("PATCH", path, { title: "B" })];
  },
  "a correction sets the language to English": (ask) => {
    const path = book(ask, { language: "de" });
    return [() => ask("GET", path)["language"], () => ask("PATCH", path, { title: "B" })];
  },
  "a new title is given to the other books of the shelf": (ask) => {
    const [path, other] = [book(ask, { shelf: "A10" }), book(ask, { shelf: "A10", isbn: isbns[1] })];
    return [() => ask("GET", other), () => ask("PATCH", path, { title: "B" })];
  },
  "a reservation ends the other reservations": (ask) => {
    const [path, other] = twoBooks(ask);
    ask("POST", `${other}/reserve`);
    return [() => ask("GET", other), () => ask("POST", `${path}/reserve`)];
  },
  "a repair clears the shelf": (ask) => {
    const path = book(ask, { shelf: "A10" });
    return [() => ask("GET", path)["shelf"], () => ask("POST", `${path}/repair`)];
  },
  "a shelved book brings others in repair along": (ask) => {
    const [path, other] = twoBooks(ask);
    for (const each of [path, other]) ask("POST", `${each}/repair`);
    return [() => ask("GET", other), () => ask("POST", `${path}/shelve`)];
  },
  "a removed book takes its loans along": (ask) => {
    const path = book(ask);
    ask("POST", `${loan(ask, path)}/return`);
    return [() => ask("GET", "/loans"), () => ask("DELETE", path)];
  },
  "a return ends the other loans of the caller": (ask) => {
    const [first, second] = twoBooks(ask).map((path) => loan(ask, path));
    return [() => ask("GET", String(second)), () => ask("POST", `${first}/return`)];
  },
  "a loan sets the weeks of open loans": (ask) => {
    const [path, other] = twoBooks(ask);
    const lent = loan(ask, other);
    return [() => ask("GET", lent), () => loan(ask, path, { weeks: 8 })];
  },
  "a loan clears the shelf of its book": (ask) => {
    const path = book(ask, { shelf: "A10" });
    return [() => ask("GET", path)["shelf"], () => loan(ask, path)];
  },
  "a new book sets the pages of books with its title": (ask) => {
    const path = book(ask, { pages: 10 });
    return [() => ask("GET", path), () => book(ask, { isbn: isbns[1], pages: 20 })];
  },
  "a correction reaches the same ISBN in other accounts": (ask) => {
    const [path, other] = [book(ask), book(ask, {}, "other")];
    return [() => ask("GET", other, {}, "other"), () => ask("PATCH", path, { title: "B" })];
  },
};

const isbns = ["9780000000001", "9780000000002"];

function book(ask: Ask, fields: Fields = {}, token: "main" | "other" = "main"): string {
  return `/books/${String(ask("POST", "/books", { isbn: isbns[0], title: "A", ...fields }, token)["id"])}`;
}

function twoBooks(ask: Ask): readonly [string, string] {
  return [book(ask), book(ask, { isbn: isbns[1] })];
}

function loan(ask: Ask, path: string, fields: Fields = {}): string {
  return `/loans/${String(ask("POST", "/loans", { book_id: Number(path.split("/").at(-1)), ...fields })["id"])}`;
}

export const garageWitnesses: Readonly<Record<GarageSideEffect, SampleWitness>> = {
  "a car that enters takes a place from the garage": (ask) => {
    const path = openGarage(ask);
    return [() => ask("GET", path), () => enter(ask, path)];
  },
  "a car that leaves adds a place to the garage": (ask) => {
    const path = openGarage(ask);
    const ticket = pay(ask, enter(ask, path));
    return [() => ask("GET", path), () => ask("POST", `${ticket}/leave`)];
  },
  "a payment pays for the other cars of the garage": (ask) => {
    const path = openGarage(ask);
    const [ticket, other] = [enter(ask, path), enter(ask, path, { plate: plates[1] })];
    return [() => ask("GET", other), () => pay(ask, ticket)];
  },
  "a car that leaves ends its tickets in other garages": (ask) => {
    const [ticket, other] = [enter(ask, openGarage(ask)), enter(ask, openGarage(ask, { code: "south" }))];
    pay(ask, ticket);
    return [() => ask("GET", other), () => ask("POST", `${ticket}/leave`)];
  },
  "a payment makes the car electric": (ask) => {
    const ticket = enter(ask, openGarage(ask));
    return [() => ask("GET", ticket)["electric"], () => pay(ask, ticket)];
  },
  "a closed garage closes those whose codes begin with its code": (ask) => {
    const [path, other] = [openGarage(ask), openGarage(ask, { code: "northern" })];
    return [() => ask("GET", other), () => ask("DELETE", path)];
  },
  "a closed garage ends the tickets of its cars elsewhere": (ask) => {
    const [path, other] = [openGarage(ask), openGarage(ask, { code: "south" })];
    for (const each of [path, other]) enter(ask, each);
    return [() => ask("GET", `${other}/tickets`), () => ask("DELETE", path)];
  },
  "a new garage sets the height of the others": (ask) => {
    const path = openGarage(ask, { height: 2 });
    return [() => ask("GET", path), () => openGarage(ask, { code: "south", height: 3 })];
  },
  "a car that enters voids the payments of others": (ask) => {
    const path = openGarage(ask);
    const ticket = pay(ask, enter(ask, path));
    return [() => ask("GET", ticket), () => enter(ask, path, { plate: plates[1] })];
  },
  "a car that leaves removes tickets of cars that left before": (ask) => {
    const path = openGarage(ask);
    const [first, second] = plates.map((plate) => pay(ask, enter(ask, path, { plate })));
    ask("POST", `${first}/leave`);
    return [() => ask("GET", String(first)), () => ask("POST", `${second}/leave`)];
  },
  "a car that enters corrects its tickets in other garages": (ask) => {
    const ticket = enter(ask, openGarage(ask));
    const other = openGarage(ask, { code: "south" });
    return [() => ask("GET", ticket), () => enter(ask, other, { electric: true })];
  },
  "a new garage sets the places in other accounts": (ask) => {
    const other = openGarage(ask, { code: "south" }, "other");
    return [() => ask("GET", other, {}, "other"), () => openGarage(ask, { places: 7 })];
  },
};

const plates = ["A-BC 1234", "D-EF 5678"];

function openGarage(ask: Ask, fields: Fields = {}, token: "main" | "other" = "main"): string {
  return `/garages/${String(ask("POST", "/garages", { code: "north", places: 50, ...fields }, token)["code"])}`;
}

function enter(ask: Ask, path: string, fields: Fields = {}): string {
  return `${path}/tickets/${String(ask("POST", `${path}/tickets`, { plate: plates[0], ...fields })["id"])}`;
}

function pay(ask: Ask, ticket: string): string {
  ask("POST", `${ticket}/pay`, { amount: 5 });
  return ticket;
}

export const clinicWitnesses: Readonly<Record<ClinicSideEffect, SampleWitness>> = {
  "a new e-mail clears the date of birth": (ask) => {
    const path = patient(ask, { born: "1990-01-02" });
    return [() => ask("GET", path)["born"], () => ask("PATCH", path, { email: "b@clinic.example" })];
  },
  "a new e-mail reaches the other patients": (ask) => {
    const [path, other] = twoPatients(ask);
    return [() => ask("GET", other), () => ask("PATCH", path, { email: "b@clinic.example" })];
  },
  "a new patient takes the e-mail from others": (ask) => {
    const path = patient(ask);
    return [() => ask("GET", path), () => patient(ask, { insurance_number: numbers[1] })];
  },
  "a deleted patient misses the booked appointments": (ask) => {
    const path = patient(ask);
    const booked = appoint(ask, path);
    return [() => ask("GET", booked), () => ask("DELETE", path)];
  },
  "a patient who arrives misses the other appointments": (ask) => {
    const path = patient(ask);
    const [first, other] = [appoint(ask, path), appoint(ask, path, { slot: 6 })];
    return [() => ask("GET", other), () => ask("POST", `${first}/check-in`)];
  },
  "a patient who arrives becomes urgent": (ask) => {
    const booked = appoint(ask, patient(ask));
    return [() => ask("GET", booked)["urgent"], () => ask("POST", `${booked}/check-in`)];
  },
  "a finished appointment finishes those that wait for the doctor": (ask) => {
    const path = patient(ask);
    const [first, other] = [appoint(ask, path), appoint(ask, path, { slot: 6 })];
    for (const each of [first, other]) ask("POST", `${each}/check-in`);
    return [() => ask("GET", other), () => ask("POST", `${first}/finish`)];
  },
  "a finished appointment loses its reason": (ask) => {
    const booked = appoint(ask, patient(ask), { reason: "headache" });
    ask("POST", `${booked}/check-in`);
    return [() => ask("GET", booked)["reason"], () => ask("POST", `${booked}/finish`)];
  },
  "a booking delays later appointments of the doctor": (ask) => {
    const path = patient(ask);
    const booked = appoint(ask, path);
    return [() => ask("GET", booked), () => appoint(ask, path, { slot: 3 })];
  },
  "an urgent booking makes the patient urgent elsewhere": (ask) => {
    const path = patient(ask);
    const booked = appoint(ask, path);
    return [() => ask("GET", booked), () => appoint(ask, path, { slot: 6, urgent: true })];
  },
  "a deleted appointment clears the e-mail of its patient": (ask) => {
    const path = patient(ask);
    const booked = appoint(ask, path);
    return [() => ask("GET", path), () => ask("DELETE", booked)];
  },
  "a correction reaches the same number in other accounts": (ask) => {
    const [path, other] = [patient(ask), patient(ask, {}, "other")];
    return [() => ask("GET", other, {}, "other"), () => ask("PATCH", path, { born: "1990-01-02" })];
  },
};

const numbers = ["A123456789", "B123456789"];

function patient(ask: Ask, fields: Fields = {}, token: "main" | "other" = "main"): string {
  const created = { insurance_number: numbers[0], email: "a@clinic.example", ...fields };
  return `/patients/${String(ask("POST", "/patients", created, token)["id"])}`;
}

function twoPatients(ask: Ask): readonly [string, string] {
  return [patient(ask), patient(ask, { insurance_number: numbers[1], email: "c@clinic.example" })];
}

function appoint(ask: Ask, path: string, fields: Fields = {}): string {
  const booked = { patient_id: Number(path.split("/").at(-1)), doctor_id: 1, slot: 5, ...fields };
  return `/appointments/${String(ask("POST", "/appointments", booked)["id"])}`;
}

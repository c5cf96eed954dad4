import type { RunCredentials } from "@plumbline/conformance-runtime";
import type { Sample } from "../../support/foreign/serving.js";
import { clinic, clinicCallers, clinicFaults } from "./clinic.js";
import { garage, garageCallers, garageFaults } from "./garage.js";
import { library, libraryCallers, libraryFaults } from "./library.js";
import type { SampleCaller } from "./sample-api.js";

/** A description of `test/descriptions/annotated`, with its server. */
export interface AnnotatedApi {
  readonly callers: Readonly<Record<string, SampleCaller>>;
  readonly faults: readonly string[];
  /** A server as described, or with one of the faults, by a clock in milliseconds. */
  readonly serve: (fault?: string, now?: () => number) => Sample;
  /** The cases of the suite that nothing of a profile can provide for. */
  readonly skipped: readonly string[];
}

export const annotatedApis = {
  library: api(library, libraryFaults, libraryCallers, ["books/listBooks/limits/requests/per-user"]),
  garage: api(garage, garageFaults, garageCallers, [
    "tickets/payTicket/limits/payments/per-user",
    "tickets/getTicket/states/paid/after/900",
  ]),
  clinic: api(clinic, clinicFaults, clinicCallers, ["patients/createPatient/grants/exact"]),
} satisfies Readonly<Record<string, AnnotatedApi>>;

export type AnnotatedName = keyof typeof annotatedApis;

function api<Fault extends string>(
  serve: (fault?: Fault, now?: () => number) => Sample,
  faults: readonly Fault[],
  callers: Readonly<Record<string, SampleCaller>>,
  skipped: readonly string[],
): AnnotatedApi {
  return {
    callers,
    faults,
    skipped,
    serve: (name, now) =>
      serve(
        faults.find((each) => each === name),
        now,
      ),
  };
}

/** The fixed tokens of a description. */
export function annotatedCredentials(name: AnnotatedName): RunCredentials {
  const { callers }: AnnotatedApi = annotatedApis[name];
  const tokens = Object.entries(callers)
    .slice(2)
    .filter(([, { grants }]) => grants === undefined)
    .map(([token, { scopes }]) => ({ token, scopes: scopes.join(" ") }));
  const restricted = Object.entries(callers).find(([, { grants }]) => grants !== undefined)?.[0];
  return {
    main: `${name}-main`,
    otherAccount: `${name}-other`,
    tokens,
    ...(restricted === undefined ? {} : { restricted }),
  };
}

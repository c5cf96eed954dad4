import type { RunCredentials } from "@plumbline/conformance-runtime";
import type { Sample } from "../../support/foreign/serving.js";
import { clinic, clinicCallers, clinicFaults } from "./clinic.js";
import { garage, garageCallers, garageFaults } from "./garage.js";
import { library, libraryCallers, libraryFaults } from "./library.js";
import { notes, notesCallers, notesFaults } from "./notes.js";
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
  garage: api(garage, garageFaults, garageCallers, ["tickets/payTicket/limits/payments/per-user"]),
  clinic: api(clinic, clinicFaults, clinicCallers, [
    "patients/createPatient/grants/exact",
    "patients/createPatient/grants/receptionist/allowed",
  ]),
  notes: api(notes, notesFaults, notesCallers, []),
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
  const [main] = Object.values(callers);
  const tokens = Object.entries(callers)
    .slice(2)
    .filter(([, { user }]) => user === main?.user)
    .map(([token, { scopes }]) => ({ token, scopes: scopes.join(" ") }));
  const others = Object.entries(callers).flatMap(([token, { user, role }]) =>
    role === undefined || role === main?.role || user === main?.user ? [] : [[role, token] as const],
  );
  return {
    main: `${name}-main`,
    otherAccount: `${name}-other`,
    tokens,
    callers: Object.fromEntries(others),
  };
}

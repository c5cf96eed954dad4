import { describe, expect, it } from "vitest";
import type { Sample } from "../support/foreign/serving.js";
import { annotatedApis, type AnnotatedApi, type AnnotatedName } from "./annotated/annotated-apis.js";
import type { Fields } from "./annotated/sample-api.js";
import {
  clinicWitnesses,
  garageWitnesses,
  libraryWitnesses,
  type Ask,
  type SampleWitness,
} from "./annotated/side-effect-witnesses.js";

type Name = Exclude<AnnotatedName, "notes">;

const witnesses: Readonly<Record<Name, Readonly<Record<string, SampleWitness>>>> = {
  library: libraryWitnesses,
  garage: garageWitnesses,
  clinic: clinicWitnesses,
};

const names = Object.keys(witnesses) as readonly Name[];

describe.each(names)("the side effects of a faulty %s", (name) => {
  const { serve }: AnnotatedApi = annotatedApis[name];

  it.each(Object.entries(witnesses[name]))("show without the suite: %s", (fault, witness) => {
    expect({ sound: isUnchanged(serve(), name, witness), faulty: isUnchanged(serve(fault), name, witness) }).toEqual({
      sound: true,
      faulty: false,
    });
  });
});

/** Whether what a witness reads stays the same. */
function isUnchanged(sample: Sample, name: AnnotatedName, witness: SampleWitness): boolean {
  const [read, act] = witness(asker(sample, name));
  const before = JSON.stringify(read());
  act();
  return JSON.stringify(read()) === before;
}

function asker(sample: Sample, name: AnnotatedName): Ask {
  return (method, path, fields = {}, token = "main") => {
    const key = `${name}-${token}`;
    const { status, body } = sample({
      method,
      path,
      query: new URLSearchParams(),
      headers: { authorization: `Bearer ${key}`, "x-key": key, "content-type": "application/json" },
      body: JSON.stringify(fields),
    });
    // An object that is gone is read as an empty one.
    if (status >= 400 && method !== "GET") throw new Error(`${method} ${path} was rejected with ${status}.`);
    return status >= 400 ? {} : (body as Fields);
  };
}

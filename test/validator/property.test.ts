import type { Operation as Validator } from "@cloud-compute/validator";
import * as operations from "@cloud-compute/validator/operations";
import * as fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { differenceOf, differences, type Case } from "../support/differences.js";
import { Maker } from "../support/making/arbitraries.js";
import { fitting } from "../support/making/fitting.js";
import { beyondSchemas, type Break, type Made } from "../support/making/made.js";
import { describedFields, withNulls } from "../support/making/nulls.js";
import { given, parametersOf, type Sent, type Wrong } from "../support/making/parameters.js";
import { jsonBody, readModel, type Api, type Json, type Operation, type Schema } from "../support/model.js";
import { startOracle, type Oracle } from "../support/oracle.js";
import { seed } from "../support/property-testing.js";

// The loop repeats its cases, which reach every field. The full form has others each time, and prints the seed that repeats them.
const isFull = process.env["MODE"] === "full";
const usual = 5_000;
const wanted = Number(process.env["PROPERTY_RUNS"] ?? (isFull ? 2_000_000 : usual));

/** How many breaks of each value are tried. */
const breaksEach = 5;
const picks = fc.array(fc.nat(), { minLength: breaksEach, maxLength: breaksEach });

let api: Api;
let oracle: Oracle;
let maker: Maker;
beforeAll(async () => {
  api = await readModel();
  oracle = await startOracle();
  maker = new Maker(api);
});

/** What the runs came to. */
const seen = {
  cases: 0,
  accepted: 0,
  /** Breaks that stay valid: a broken form of a union can match another form. */
  harmless: 0,
  /** Rejected operations, fields and kinds of breaks, such as `createTag label too short`. */
  bodies: new Set<string>(),
  parameters: new Set<string>(),
  /** How often each of these was tried. */
  tries: new Map<string, number>(),
  differences: new Map<string, number>(),
};

describe(`values made from the description (SEED=${seed}, PROPERTY_RUNS=${wanted})`, () => {
  it("are accepted in bodies, and broken ones are rejected by the name of the field", () => {
    const withBody = api.operations.filter((each) => jsonBody(each) !== undefined);
    expect(withBody.length).toBeGreaterThanOrEqual(31);
    const fieldsOf = (each: Operation): readonly string[] =>
      describedFields(api, shapeOf(each)).map((field) => `${each.name} ${field} `);
    const fields = withBody.flatMap(fieldsOf);
    // A body of one field has its share too.
    const shareOf = (each: Operation): number => 4 + fieldsOf(each).length;
    const shares = withBody.reduce((sum, each) => sum + shareOf(each), 0);
    for (const operation of withBody)
      checkBodies(operation, validatorOf(operation), (wanted * 0.8 * shareOf(operation)) / shares);
    const untried = fields.filter((field) => ![...seen.bodies].some((each) => each.startsWith(field)));
    if (wanted >= usual) expect(untried).toEqual([]);
  });

  it("are accepted in parameters, and broken ones are rejected by the name of the parameter", () => {
    const withParameters = api.operations.filter(({ parameters }) => parameters.length > 0);
    expect(withParameters.length).toBeGreaterThanOrEqual(70);
    for (const operation of withParameters) validateParameters(operation, (wanted * 0.3) / withParameters.length);
    const all = withParameters.flatMap(({ name, parameters }) => parameters.map((each) => `${name} ${each.name} `));
    const untried = all.filter((field) => ![...seen.parameters].some((each) => each.startsWith(field)));
    if (wanted >= usual) expect(untried).toEqual([]);
  });

  it("are many, of all kinds, and differ from their schemas for known reasons only", () => {
    expect(seen.cases).toBeGreaterThanOrEqual(wanted);
    expect(seen.accepted / seen.cases).toBeGreaterThan(0.15);
    expect(seen.harmless / seen.cases).toBeLessThan(0.02);
    if (wanted < usual) return;
    expect(seen.bodies.size).toBeGreaterThan(520);
    expect(seen.parameters.size).toBeGreaterThan(400);
    const kinds = new Set([...seen.bodies].map((each) => each.split(" ").slice(2).join(" ")));
    expect([...kinds].toSorted()).toEqual(everyKind.toSorted());
    const known = differences.map(({ because }) => because);
    // Spaces in times are rare: a short run may have none.
    if (wanted < 20 * usual) expect(known).toEqual(expect.arrayContaining([...seen.differences.keys()]));
    else expect([...seen.differences.keys()].toSorted()).toEqual(known.toSorted());
  });

  it("lead from one form into another where a break is valid there", () => {
    const validated = operations.createDomainRecord.body({ type: "MX", name: "a", target: "" });
    expect(validated).toMatchObject({ ok: false, issues: [{ field: "name", code: "false" }] });
  });

  it("finds a validator that rejects valid values, or accepts invalid ones", () => {
    const create = api.operations.find(({ name }) => name === "createInstance");
    const other = api.operations.find(({ name }) => name === "createImage");
    if (create === undefined || other === undefined) throw new Error("the description has other operations");
    const acceptsAll: Pick<Validator, "body"> = { body: () => ({ ok: true, input: undefined }) };
    expect(() => checkBodies(create, validatorOf(create), 100)).not.toThrow();
    expect(() => checkBodies(create, validatorOf(other), 100)).toThrow("Property failed");
    expect(() => checkBodies(create, acceptsAll, 100)).toThrow("Property failed");
  });
});

const everyKind: readonly string[] = [
  "type",
  "required",
  "needs",
  "never",
  "name",
  "value",
  "too short",
  "too long",
  "pattern",
  "format",
  "scopes",
  "too small",
  "too large",
  "inexact",
  "too few",
  "too many",
  "not unique",
  "too long together",
  "too long as JSON",
];

function checkBodies(operation: Operation, validator: Pick<Validator, "body">, cases: number): void {
  const shape = shapeOf(operation);
  const numRuns = Math.ceil(cases / (2 + breaksEach));
  const holds = (one: Made, chosen: readonly number[]): void => {
    const sent = [one.value, ...(countsNulls(operation) ? [withNulls(api, shape, one.value)] : [])];
    for (const value of sent) {
      expect(compare(operation, validator, value).issues, `${operation.name} ${JSON.stringify(value)}`).toEqual([]);
    }
    const keyIn = (broken: Break): string => keyOf(operation, broken);
    for (const broken of chosenOf(one.breaks(), chosen, keyIn)) {
      checkBroken(operation, validator, broken);
      countTry(keyIn(broken));
    }
  };
  fc.assert(fc.property(fitting(maker.of(shape), oracle.body(operation.method, operation.path)), picks, holds), {
    numRuns,
    seed,
  });
}

function checkBroken(operation: Operation, validator: Pick<Validator, "body">, broken: Break): void {
  const value = broken.value();
  const { isAccepted, issues } = compare(operation, validator, value);
  if (isAccepted && !beyondSchemas.has(broken.kind)) {
    seen.harmless += 1;
    return;
  }
  const fields = issues.map((issue) => issue.field ?? "");
  if (isAnotherForm({ operation: operation.name, field: broken.field, value })) return;
  expect(fields, `${operation.name} ${broken.kind}: ${JSON.stringify(value)}`).toContain(broken.field);
  seen.bodies.add(keyOf(operation, broken));
}

/** A break with the same in all items of a list. */
function keyOf({ name }: Operation, { field, kind }: Break): string {
  return `${name} ${field.replaceAll(/(?<=^|\.)\d+(?=\.|$)/g, "*")} ${kind}`;
}

/** Breaks of one value: mostly of the least tried kinds, and the others at random. */
function chosenOf<T>(breaks: readonly T[], chosen: readonly number[], keyIn: (broken: T) => string): readonly T[] {
  const triesOf = (broken: T): number => seen.tries.get(keyIn(broken)) ?? 0;
  const oneOfEach = new Map(breaks.map((each) => [keyIn(each), each] as const));
  const least = [...oneOfEach.values()].toSorted((a, b) => triesOf(a) - triesOf(b)).slice(0, breaksEach - 1);
  const picked = chosen.flatMap((pick) => breaks[pick % breaks.length] ?? []);
  return [...new Set([...least, ...picked])].slice(0, breaksEach);
}

/** Counts a break that came out as it should: one that did not is tried again while the value shrinks. */
function countTry(key: string): void {
  seen.tries.set(key, (seen.tries.get(key) ?? 0) + 1);
}

/** Breaks that lead from one form into another, which reports another field. */
function isAnotherForm({ operation, field, value }: { operation: string; field: string; value: Json }): boolean {
  // An empty target turns an MX record into one that declares the absence of mail, and has no name.
  const { type, name, target } = Object(value) as Readonly<Record<string, Json>>;
  return (
    operation === "createDomainRecord" && field === "target" && type === "MX" && target === "" && name !== undefined
  );
}

/** Validates with both; they may differ only for known reasons. */
function compare(operation: Operation, validator: Pick<Validator, "body">, value: Json): Case {
  const validated = validator.body(value);
  const one: Case = {
    operation,
    value,
    isAccepted: validated.ok,
    issues: validated.ok ? [] : validated.issues,
    oracle,
  };
  seen.cases += 1;
  if (validated.ok) seen.accepted += 1;
  if (oracle.body(operation.method, operation.path)(value) === validated.ok) return one;
  const because = differenceOf(one);
  const about = `${operation.name} is validated differently: ${JSON.stringify({ value, issues: one.issues })}`;
  expect(because, about).toBeDefined();
  seen.differences.set(because ?? "", (seen.differences.get(because ?? "") ?? 0) + 1);
  return one;
}

type Broken = Wrong & Pick<Sent, "parameter">;

function validateParameters(operation: Operation, cases: number): void {
  const { name, method, path, parameters } = operation;
  const keyIn = ({ parameter, kind }: Broken): string => `${name} ${parameter.name} ${kind}`;
  const validator = validatorOf(operation);
  const body = sampleBody(operation);
  const validateAll = (all: readonly (Pick<Sent, "parameter"> & { readonly text?: string })[]) => {
    seen.cases += 1;
    return validator({ ...given(all), ...(body === undefined ? {} : { body }) });
  };
  const holds = (all: readonly Sent[], chosen: readonly number[]): void => {
    const isFit = all.every(({ parameter, value }) => oracle.parameter(method, path, parameter.name)(value));
    fc.pre(isFit);
    const validated = validateAll(all);
    expect(validated, `${name} ${JSON.stringify(all)}`).toMatchObject({ ok: true });
    seen.accepted += 1;
    for (const { parameter, value } of all) {
      const group = parameter.in === "header" ? "headers" : parameter.in;
      expect(validated).toMatchObject({ input: { [group]: { [parameter.name]: value } } });
    }
    const wrong = all.flatMap(({ parameter, wrong: waysOf }) => waysOf().map((each) => ({ ...each, parameter })));
    for (const broken of chosenOf<Broken>(wrong, chosen, keyIn)) {
      countTry(keyIn(broken));
      const others = all.filter(({ parameter }) => parameter !== broken.parameter);
      const issues = ((found) => (found.ok ? [] : found.issues))(validateAll([...others, broken]));
      if (
        issues.length === 0 &&
        broken.value !== undefined &&
        oracle.parameter(method, path, broken.parameter.name)(broken.value)
      ) {
        seen.harmless += 1;
        continue;
      }
      expect(
        issues.map(({ field }) => field),
        `${name} ${broken.kind}: ${JSON.stringify(broken.text)}`,
      ).toEqual([broken.parameter.name]);
      seen.parameters.add(keyIn(broken));
    }
  };
  const numRuns = Math.ceil(cases / (1 + breaksEach * 0.8));
  if (parameters.length > 0) fc.assert(fc.property(parametersOf(operation, maker), picks, holds), { numRuns, seed });
}

function sampleBody(operation: Operation): Json | undefined {
  if (operation.requestBody?.required !== true) return undefined;
  const bodies = fitting(maker.of(shapeOf(operation)), oracle.body(operation.method, operation.path));
  return fc.sample(bodies, { numRuns: 1, seed })[0]?.value;
}

function countsNulls(operation: Operation): boolean {
  return jsonBody(operation)?.input.nulls === "absent";
}

function shapeOf(operation: Operation): Schema {
  const body = jsonBody(operation);
  if (body === undefined) throw new Error(`${operation.name} has no JSON body`);
  return body.json.schema;
}

function validatorOf({ name }: Operation): Validator {
  const validator = (operations as Readonly<Record<string, unknown>>)[name];
  if (typeof validator !== "function") throw new Error(`the validator has no ${name}`);
  return validator as Validator;
}

import { scenarios, suite } from "@cloud-compute/conformance";
import { runSuite } from "@plumbline/conformance-runtime";
import { collectFields } from "@plumbline/kit/model";
import { describe, expect, test } from "vitest";
import { jsonBody, readModel, type Api } from "../support/model.js";
import { startServiceInProcess } from "../support/service-in-process.js";

/** A field of a body that names an object, and the response to an id that names none. */
interface BodyReference {
  /** `bootInstance config_id`; `*` is each item of a list, or each field of a map. */
  readonly name: string;
  readonly status: number | undefined;
  /** The field that the error names; `$each` is the item that caused it. */
  readonly field: string | null | undefined;
  /** The requirements that the error comes from. */
  readonly requirements: readonly string[];
}

/** Responses other than 400, each with the requirement that states it. */
const exceptions: Readonly<Record<string, { readonly status: number; readonly requirement: string }>> = {
  "createImage disk_id": { status: 404, requirement: "image.create.deleted-disk.status" },
};

const api = await readModel();
const references = bodyReferencesOf(api);

describe("an unknown id in a body", () => {
  test("gets 400 and the field, or the response that a requirement states", () => {
    expect(references.length).toBeGreaterThan(25);
    expect(deviationsOf(references)).toEqual([]);
  });

  test("has a case in the conformance suite, and the service passes it", async () => {
    const cases = suite.cases.filter(({ id }) => /\/body\/.*\/(?:second-)?missing$/.test(id));
    const covered = cases.map(({ operation, id }) => `${operation} ${id.split("/")[3]?.replaceAll("item", "*")}`);
    expect(new Set(covered)).toEqual(new Set(references.map(({ name }) => name)));
    const { url, controls, token } = await startServiceInProcess(["--pace", "0"]);
    const credentials = { main: token };
    const report = await runSuite(suite, { url, controls: controls ?? "", credentials, cases, scenarios, seed: 1 });
    const failed = report.results.filter(({ status }) => status !== "pass").map(({ case: { id } }) => id);
    expect({ failed, problems: report.errors }).toEqual({ failed: [], problems: [] });
    expect(report.results).toHaveLength(cases.length);
  });
});

describe("the check reports", () => {
  const good: BodyReference = { name: "bootInstance config_id", status: 400, field: "config_id", requirements: [] };

  test.each<[string, Partial<BodyReference>]>([
    ["another status", { status: 404 }],
    ["no response at all", { status: undefined, field: undefined }],
    ["an error without a field", { field: null }],
    ["the name of another field", { field: "id" }],
  ])("%s", (_, changed) => {
    expect(deviationsOf([good], {})).toEqual([]);
    expect(deviationsOf([{ ...good, ...changed }], {})).toEqual([good.name]);
  });

  test("an exception without its requirement, and an unused one", () => {
    const stated = { [good.name]: { status: 404, requirement: "some.requirement" } };
    const missing = { ...good, status: 404 };
    expect(deviationsOf([{ ...missing, requirements: ["some.requirement"] }], stated)).toEqual([]);
    expect(deviationsOf([missing], stated)).toEqual([good.name]);
    expect(deviationsOf([good], stated)).toEqual([good.name]);
    expect(deviationsOf([], stated)).toEqual([good.name]);
  });
});

/** Every field of a JSON body that names an object, but tags: an unknown tag is created. */
function bodyReferencesOf({ operations, resources }: Api): readonly BodyReference[] {
  const names = new Set(resources.map(({ name }) => name));
  return operations.flatMap((operation) => {
    const body = jsonBody(operation);
    const fields = body === undefined ? [] : collectFields(api, body.json.schema);
    return fields.flatMap(({ pointer, schema: { reference } }): readonly BodyReference[] => {
      if (reference === undefined || reference.onNotFound === "create" || !names.has(reference.to)) return [];
      const own = operation.errors.find(({ id }) => id === reference.onNotFound);
      const error =
        own ?? fields.flatMap((each) => each.schema.errors ?? []).find(({ id }) => id === reference.onNotFound);
      const requirements = (error?.sources ?? []).flatMap((source) =>
        "requirement" in source ? [source.requirement] : [],
      );
      return [
        { name: `${operation.name} ${pointer.join(".")}`, status: error?.status, field: error?.field, requirements },
      ];
    });
  });
}

/** The names of references whose response is neither 400 with the field nor a stated exception, and of unused exceptions. */
function deviationsOf(all: readonly BodyReference[], stated = exceptions): readonly string[] {
  const wrong = all.filter(({ name, status, field, requirements }) => {
    const path = name.split(" ")[1] ?? "";
    if (field !== path && field !== "$each") return true;
    const exception = stated[name];
    return exception === undefined
      ? status !== 400
      : status !== exception.status || !requirements.includes(exception.requirement);
  });
  const named = new Set(all.map(({ name }) => name));
  return [...wrong.map(({ name }) => name), ...Object.keys(stated).filter((name) => !named.has(name))];
}

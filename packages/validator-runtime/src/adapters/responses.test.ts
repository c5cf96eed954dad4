import { describe, expect, it, onTestFinished, vi } from "vitest";
import { addIssueAt, type ResponseValidators } from "@plumbline/http-runtime";
import { adapters, listen, type AdapterName, type AdapterTestOptions } from "./adapters.support.js";
import { nodeValidator } from "./node/index.js";
import { pets } from "../pets.support.js";
import { request, sendRaw } from "./raw-http.support.js";
import type { ResponseReport } from "./responses.js";

/** Every handler echoes its input. The response of pet 6 is not valid. */
const responseValidators: ResponseValidators = {
  getPet: {
    "200": {
      "application/json": (value, issues) => {
        const { input } = value as { readonly input: { readonly path: { readonly petId: number } } };
        if (input.path.petId === 6) addIssueAt(issues, "petId", "range", 1, 5);
      },
    },
  },
  listPets: { "2XX": { "text/plain": () => undefined } },
  deletePet: { "404": {} },
  updatePet: { default: {} },
  createPet: { "200": { "application/json": () => undefined } },
};

const get = (target: string) => [request(`GET ${target}`)];
const broken = { errors: [{ reason: "The response does not match the description of the API" }] };

describe.each(Object.keys(adapters) as AdapterName[])("%s", (name) => {
  async function run(options: AdapterTestOptions, sends: readonly (string | Uint8Array)[]) {
    const reports: ResponseReport[] = [];
    const host = await adapters[name]({
      responseValidators: async () => responseValidators,
      onInvalidResponse: (each) => reports.push(each),
      ...options,
    });
    onTestFinished(host.close);
    const { status, headers, body } = await sendRaw(host.port, sends);
    const type = headers["content-type"]?.replace("; charset=utf-8", "");
    return { status, type, body: JSON.parse(body) as unknown, reports };
  }

  const echo = (petId: number) => ({ operation: "getPet", input: { path: { petId } } });
  const type = "application/json";
  const issue = { in: "response", field: "petId", code: "range", reason: "must be 1 to 5" };
  const report = { operation: "getPet", status: 200, issues: [issue] };

  it("sends a valid response", async () => {
    expect(await run({ validateResponses: "enforce" }, get("/pets/5"))).toEqual({
      status: 200,
      type,
      body: echo(5),
      reports: [],
    });
  });

  it("sends a body of several kilobytes completely", async () => {
    const text = JSON.stringify({ name: "Rex", story: "é".repeat(50_000) });
    const body: unknown = JSON.parse(text);
    const sends = [request("POST /pets", ["Content-Type: application/json"], text)];
    const echoed = { operation: "createPet", input: { body }, body };
    expect(await run({ validateResponses: "enforce" }, sends)).toEqual({
      status: 200,
      type,
      body: echoed,
      reports: [],
    });
  });

  it("reports an invalid response, and sends it", async () => {
    expect(await run({ validateResponses: "report" }, get("/pets/6"))).toEqual({
      status: 200,
      type,
      body: echo(6),
      reports: [report],
    });
  });

  it("replaces an invalid response if this is enforced", async () => {
    expect(await run({ validateResponses: "enforce" }, get("/pets/6"))).toEqual({
      status: 500,
      type,
      body: broken,
      reports: [report],
    });
  });

  it("lets onError replace the response, and passes the operation's name", async () => {
    const onError: NonNullable<AdapterTestOptions["onError"]> = ({ status, operation, issues }) => ({
      status: status === 500 ? 502 : 422,
      headers: { "content-type": "application/problem+json" },
      body: { operation, fields: issues.map(({ field }) => field) },
    });
    const problem = "application/problem+json";
    expect(await run({ validateResponses: "enforce", onError }, get("/pets/6"))).toEqual({
      status: 502,
      type: problem,
      body: { operation: "getPet", fields: ["petId"] },
      reports: [report],
    });
    const body = request("POST /pets", ["Content-Type: application/json"], "{");
    expect(await run({ onError }, [body])).toMatchObject({ status: 422, body: { operation: "createPet" } });
    expect(await run({ onError }, get("/dogs"))).toMatchObject({ status: 422, body: { fields: [null] } });
  });

  it("validates nothing if it is off, nor its own error responses, nor other operations", async () => {
    const never = { responseValidators: () => Promise.reject(new Error("never")) };
    expect((await run(never, get("/pets/6"))).status).toBe(200);
    const enforced = { ...never, validateResponses: "enforce", basePath: "/v4" } as const;
    expect((await run(enforced, get("/v4/dogs"))).status).toBe(404);
    expect((await run(enforced, get("/health"))).status).toBe(200);
  });

  it.each([
    ["a media type", get("/pets"), { code: "media", reason: "Content-Type must be text/plain" }],
    ["a status", [request("DELETE /pets/5")], { code: "status", reason: "200 is not a documented status" }],
    ["a body", [request("PUT /pets/5", ["Content-Length: 0"])], { code: "media", reason: "must have no body" }],
    ["an operation", get("/images/a"), { code: "status", reason: "200 is not a documented status" }],
  ])("reports %s that is not documented", async (_, sends, found) => {
    const { status, reports } = await run({ validateResponses: "enforce" }, sends);
    expect([status, reports.flatMap(({ issues }) => issues)]).toEqual([500, [{ in: "response", ...found }]]);
  });
});

it("keeps the head that Node handlers write, in each of its forms", async () => {
  const heads: readonly (readonly unknown[])[] = [
    [200, { "Content-Type": "application/json", "X-A": "1" }],
    [200, "Fine", ["Content-Type", "application/json", "X-A", "1", "X-A", "2"]],
    [
      200,
      [
        ["Content-Type", "application/json"],
        ["X-A", "1"],
      ],
    ],
  ];
  const validate = nodeValidator(pets, {
    validateResponses: "enforce",
    responseValidators: async () => responseValidators,
  });
  for (const head of heads) {
    const host = await listen((incoming, response) =>
      validate(incoming, response, () => {
        Reflect.apply(response.writeHead, response, head);
        response.write('{"input":{"path"', "utf8");
        response.write(Buffer.from(':{"petId":5}}'), () => response.end("7d", "hex"));
      }),
    );
    onTestFinished(host.close);
    const { status, headers, body } = await sendRaw(host.port, get("/pets/5"));
    expect({ status, a: headers["x-a"], body }).toEqual({
      status: 200,
      a: head[1] === "Fine" ? "2" : "1",
      body: '{"input":{"path":{"petId":5}}}',
    });
  }
});

it("reports invalid responses on the console by default", async () => {
  const said = vi.spyOn(console, "error").mockImplementation(() => undefined);
  onTestFinished(() => said.mockRestore());
  const host = await adapters.node({ validateResponses: "report", responseValidators: async () => responseValidators });
  onTestFinished(host.close);
  await sendRaw(host.port, get("/pets/6"));
  expect(said.mock.calls).toEqual([["Response 200 of getPet does not match the description: petId must be 1 to 5"]]);
});

it("requires the checks", async () => {
  await expect(adapters.node({ validateResponses: "report" })).rejects.toThrow("Missing option `responseValidators`.");
});

import { beforeAll, describe, expect, it } from "vitest";
import { migrateSources, type MigratedSources } from "../migrate-sources.support.js";

const banner = "/* generated using openapi-typescript-codegen -- do not edit */\n";
const request = (method: string, url: string, rest = ""): string =>
  `return __request(OpenAPI, { method: '${method}', url: '${url}', ${rest} });`;
const imports = `import { OpenAPI } from "../core/OpenAPI";\nimport { request as __request } from "../core/request";\n`;

/** What openapi-typescript-codegen generates, without what sends requests. */
const generated = {
  "src/api/index.ts": `${banner}export { ApiError } from "./core/ApiError";
export { CancelablePromise } from "./core/CancelablePromise";
export { OpenAPI } from "./core/OpenAPI";
export type { Pet } from "./models/Pet";
export { Kind } from "./models/Kind";
export { PetsService } from "./services/PetsService";
export { ObjectService } from "./services/ObjectService";
export { PetsClient } from "./PetsClient";
`,
  "src/api/core/OpenAPI.ts": `${banner}export const OpenAPI: any = { BASE: "" };\n`,
  "src/api/core/request.ts": `${banner}import type { CancelablePromise } from "./CancelablePromise";
export declare function request(config: object, options: object): CancelablePromise<any>;
`,
  "src/api/core/CancelablePromise.ts": `${banner}export declare class CancelablePromise<T> extends Promise<T> { cancel(): void }\n`,
  "src/api/core/ApiError.ts": `${banner}export class ApiError extends Error { status = 0; statusText = ""; body: any }\n`,
  "src/api/models/Pet.ts": `${banner}import type { Kind } from "./Kind";\nexport type Pet = { name: string; kind?: Kind };\n`,
  "src/api/models/Kind.ts": `${banner}export enum Kind { CAT = "cat", DOG = "dog" }\n`,
  "src/api/services/PetsService.ts": `${banner}${imports}export class PetsService {
  public static listPets(tag?: string) { ${request("GET", "/pets", "query: { 'tag': tag }")} }
  public static createPet(requestBody: object) { ${request("POST", "/pets", "body: requestBody")} }
  public static getPet(petId: number, xTrace?: string) { ${request("GET", "/pets/{pet-id}", "path: { 'pet-id': petId }, headers: { 'X-Trace': xTrace }")} }
  public static listOwners() { ${request("GET", "/owners")} }
}
`,
  "src/api/services/ObjectService.ts": `${banner}${imports}export class ObjectService {
  public static getPet({ petId, xTrace }: { petId: number; xTrace?: string }) { ${request("GET", "/pets/{pet-id}", "path: { 'pet-id': petId }, headers: { 'X-Trace': xTrace }")} }
}
`,
  "src/api/PetsClient.ts": `${banner}export declare class PetsClient {
  readonly pets: { }; readonly request: object; readonly service: NamedService;
  constructor(config?: object);
}
export declare class Unused {}
import { NamedService } from "./services/NamedService";
`,
  "src/api/services/NamedService.ts": `${banner}export class NamedService {
  constructor(public readonly httpRequest: any) {}
  public listPets(tag?: string) { return this.httpRequest.request({ method: 'GET', url: '/pets', query: { 'tag': tag } }); }
}
`,
};

const sources = {
  "pets.ts": `import { ApiError, Kind, ObjectService, OpenAPI, PetsService, type Pet } from "./api";

OpenAPI.BASE = "https://other.example";
OpenAPI.TOKEN = () => "secret";
OpenAPI.WITH_CREDENTIALS = true;

export async function add(name: string): Promise<Pet> {
  return PetsService.createPet({ name, kind: Kind.CAT });
}

export async function find(petId: number, kind: Kind) {
  try {
    // By number.
    return await ObjectService.getPet({
      petId,
      xTrace: "find",
    });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return [kind, error.status, error.statusText, error.body.why, (error as ApiError).message];
  }
}

export const list = (tag?: string) => PetsService.listPets(tag).then((pets: Pet[]) => pets.length);
`,
  "named.ts": `import { PetsClient } from "./api";

export const client = new PetsClient({ BASE: "/pets", TOKEN: "secret" });
export const list = (api: PetsClient) => api.service.listPets("a");
export const listAll = () => client.service.listPets();
`,
  "script.js": `import { ApiError, PetsService } from "./api";
export const why = (id) =>
  PetsService.getPet(id).catch((error) => (error instanceof ApiError ? error.body.why : undefined));
`,
  "unknown.ts": `import { CancelablePromise, OpenAPI, PetsService } from "./api";

export const base = OpenAPI.BASE;
export const owners = () => PetsService.listOwners();
export const load = PetsService.getPet;
export function stop(): CancelablePromise<unknown> {
  const pending = PetsService.getPet(5);
  pending.cancel();
  return pending;
}
`,
};

let result: MigratedSources;
beforeAll(async () => {
  result = await migrateSources("openapi-typescript-codegen", sources, generated);
});

describe("a migration from openapi-typescript-codegen", () => {
  it("replaces calls of services, settings, enums and errors", () => {
    expect(result.texts["pets.ts"]).toMatchInlineSnapshot(`
      "import { OpenAPI } from "./api";
      import { type ApiError, type Kind, type Pet, type Problem, createPet, getPet, isApiError, listPets } from "@pets/client";
      import { client, configureClient } from "./api-client";

      configureClient({ baseUrl: "https://other.example" });
      configureClient({ token: () => "secret" });
      // TODO(migrate): Clients have no option like \`WITH_CREDENTIALS\`. Decide how to do without it.
      OpenAPI.WITH_CREDENTIALS = true;

      export async function add(name: string): Promise<Pet> {
        return createPet(client, { body: { name, kind: "cat" } });
      }

      export async function find(petId: number, kind: Kind) {
        try {
          // By number.
          return await getPet(client, {
            path: { "pet-id": petId },
            headers: { "X-Trace": "find" },
          });
        } catch (error) {
          if (!isApiError(error)) throw error;
          // TODO(migrate): Errors have no \`statusText\`. Decide how to do without it.
          return [kind, error.status, error.statusText, (error.body as Problem).why, (error as ApiError).message];
        }
      }

      export const list = (tag?: string) => listPets(client, { query: { tag } }).then((pets: Pet[]) => pets.length);
      "
    `);
  });

  it("replaces clients with a name", () => {
    expect(result.texts["named.ts"]).toMatchInlineSnapshot(`
      "import { type Client as PetsClient, createClient, listPets } from "@pets/client";

      export const client = createClient({ baseUrl: "/pets", token: "secret" });
      export const list = (api: PetsClient) => listPets(api, { query: { tag: "a" } });
      export const listAll = () => listPets(client);
      "
    `);
  });

  it("writes no types into JavaScript", () => {
    expect(result.texts["script.js"]).toMatchInlineSnapshot(`
      "import { client } from "./api-client";
      import { getPet, isApiError } from "@pets/client";
      export const why = (id) =>
        getPet(client, { path: { "pet-id": id } }).catch((error) => (isApiError(error) ? error.body.why : undefined));
      "
    `);
  });

  it("changes nothing that it does not understand, nor what is generated", () => {
    expect(Object.keys(result.texts)).toEqual(["api-client.ts", "named.ts", "pets.ts", "script.js"]);
  });

  it("reports what is left", () => {
    expect({ toDecide: result.toDecide, notUnderstood: result.notUnderstood }).toMatchInlineSnapshot(`
      {
        "notUnderstood": [
          "unknown.ts:3 \`OpenAPI\` is used in a way that has no rewrite.",
          "unknown.ts:4 \`PetsService.listOwners\` sends no operation of the description.",
          "unknown.ts:5 \`PetsService\` is used in a way that has no rewrite.",
          "unknown.ts:6 \`CancelablePromise\` is used in a way that has no rewrite.",
          "unknown.ts:7 The code cancels \`PetsService.getPet\`. Calls have an option \`signal\`.",
        ],
        "toDecide": [
          "pets.ts:5 Clients have no option like \`WITH_CREDENTIALS\`. Decide how to do without it.",
          "pets.ts:20 Errors have no \`statusText\`. Decide how to do without it.",
          "unknown.ts:8 Calls cannot be cancelled by their promise. They have an option \`signal\`.",
        ],
      }
    `);
  });
});

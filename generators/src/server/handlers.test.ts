import type { Api } from "@plumbline/kit/model";
import { buildFixtureApi, withPaths } from "@plumbline/kit/openapi/testing";
import { describe, expect, test } from "vitest";
import { artifact, statementsOf, textOfFile } from "./generate-server.support.js";
import { emitHandlers } from "./handlers.js";
import { carriedValidator } from "./validator.js";

const ok = "responses: {'200': {description: ok}}";

test("handlers receive loaded objects, and return documented responses", async () => {
  const api = await buildFixtureApi(
    withPaths(
      `/homes/{home}/pets:
  parameters: [{name: home, in: path, required: true, schema: {type: string}, x-reference: {to: Home, by: name}}]
  get: {operationId: listPets, summary: Every pet., deprecated: true, ${ok}}
  post:
    operationId: createPet
    security: [{token: []}]
    requestBody: {content: {application/json: {schema: {type: object, properties: {
      friend: {type: integer, x-reference: {to: Pet}}, toys: {type: array, items: {type: integer, x-reference: {to: Toy}}}}}}}}
    responses: {'201': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}}
/pets: {get: {operationId: allPets, ${ok}}}
`,
      `components:
  securitySchemes: {token: {type: http, scheme: bearer}}
  pathItems: {upload: {put: {operationId: putPicture, requestBody: {content: {application/octet-stream: {}}}, ${ok}}}}
  schemas:
    Home: {type: object, x-resource: {owner: [account]}, properties: {name: {type: string}}}
    Pet: {type: object, x-resource: {parent: Home, list: allPets}, properties: {id: {type: integer}}}
    Toy: {type: object, x-resource: {owner: [user]}, properties: {label: {type: string}}}
`,
    ),
  );
  expect(await statementsOf(emitHandlers(api, artifact, carriedValidator.modules))).toMatchInlineSnapshot(`
    "/** The caller of a request, with the fields that the description uses. */
    export interface Caller extends $Caller {
      readonly account: { readonly id: EntityId };
    }

    /** The context of a request, which handlers receive beside their input. */
    export interface RequestContext extends $RequestContext {
      readonly caller: Caller | undefined;
    }

    /** The loaded objects, as the description documents them. Rows may have other fields, which are never sent. */
    export interface Resources {
      readonly Pet: Pet;
      readonly Home: Home;
      readonly Toy: Toy;
    }

    /** The input of the handler of \`listPets\`. */
    export interface ListPetsHandlerInput<Rows extends Resources = Resources> extends ListPetsInput {
      /** The object that \`home\` refers to. */
      readonly target: Rows["Home"];
      /** The objects that the path and the body refer to. They exist and are visible to the caller. */
      readonly refs: {
        readonly home: Rows["Home"];
      };
    }

    /** The responses that the handler of \`listPets\` can return. */
    export type ListPetsResponse = { readonly status: 200 };

    /** The input of the handler of \`createPet\`. */
    export interface CreatePetHandlerInput<Rows extends Resources = Resources> extends CreatePetInput {
      /** The object that \`home\` refers to. */
      readonly target: Rows["Home"];
      /** The objects that the path and the body refer to. They exist and are visible to the caller. */
      readonly refs: {
        readonly home: Rows["Home"];
        readonly friend: Rows["Pet"] | undefined;
        readonly toys: ReadonlyMap<EntityId, Rows["Toy"]>;
      };
    }

    /** The responses that the handler of \`createPet\` can return. */
    export type CreatePetResponse = { readonly status: 201; readonly body: Pet };

    /** The input of the handler of \`allPets\`. */
    export interface AllPetsHandlerInput {
      /** The part of the list that the caller may see. */
      readonly listScope: ListScope<number, "account">;
    }

    /** The responses that the handler of \`allPets\` can return. */
    export type AllPetsResponse = { readonly status: 200 };

    /** The input of the handler of \`putPicture\`. */
    export interface PutPictureHandlerInput extends PutPictureInput {
      /** The values of the path parameters in the route that the server gave the operation. */
      readonly route: Readonly<Record<string, string>>;
    }

    /** The responses that the handler of \`putPicture\` can return. */
    export type PutPictureResponse = { readonly status: 200 };

    /** The functions that a server implements, one for each operation. */
    export interface Handlers<Context extends RequestContext = RequestContext, Rows extends Resources = Resources> {
      /**
       * Every pet.
       *
       * GET /homes/{home}/pets
       *
       * From spec/openapi.yaml#/paths/~1homes~1{home}~1pets/get
       *
       * @deprecated
       */
      readonly listPets: Handler<ListPetsHandlerInput<Rows>, Context, ListPetsResponse>;
      /**
       * POST /homes/{home}/pets
       *
       * From spec/openapi.yaml#/paths/~1homes~1{home}~1pets/post
       */
      readonly createPet: Handler<CreatePetHandlerInput<Rows>, AuthenticatedContext<Context>, CreatePetResponse>;
      /**
       * GET /pets
       *
       * From spec/openapi.yaml#/paths/~1pets/get
       */
      readonly allPets: Handler<AllPetsHandlerInput, Context, AllPetsResponse>;
      /**
       * PUT
       *
       * From spec/openapi.yaml#/components/pathItems/upload/put
       */
      readonly putPicture: Handler<PutPictureHandlerInput, Context, PutPictureResponse>;
    }"
  `);
});

describe("a caller", () => {
  test("is known by no more than is asked of it", async () => {
    expect(await callerOf({})).toBe("export interface Caller extends $Caller {}");
  });

  test("has what conditions look at, with as much of a type as they tell", async () => {
    const when = `{caller: {properties: {
      level: {minimum: 3}, kind: {enum: [a, null]}, account: {properties: {paid: {const: true}}}, open: {}, user: {const: ann}, tags: {type: array}}}}`;
    expect(
      await callerOf({
        operation: `x-grants: [{grant: add_pets, when: ${when}}]`,
        rest: "    token: {type: http, scheme: bearer, x-scopes: {areas: [pets], levels: {read: []}, all: '*', separator: ','}}",
      }),
    ).toMatchInlineSnapshot(`
      "export interface Caller extends $Caller {
        readonly account: { readonly id: EntityId } & { readonly paid: boolean };
        readonly scopes: string;
        readonly level: number;
        readonly kind: string | null;
        readonly open: unknown;
        readonly tags: unknown;
      }"
    `);
  });
});

describe("names of the description that handlers have too", () => {
  test.each([
    "Caller",
    "RequestContext",
    "Handlers",
    "Resources",
    "Rows",
    "Context",
    "ListPetsHandlerInput",
    "ListPetsResponse",
  ])("%s is another one there", async (name) => {
    const schema = `{$ref: '#/components/schemas/${name}'}`;
    const responses = `{'200': {description: ok, content: {application/json: {schema: ${schema}}}}}`;
    const api = await buildFixtureApi(
      withPaths(
        `/pets: {get: {operationId: listPets, responses: ${responses}}}`,
        `components: {schemas: {${name}: {type: string}}}\n`,
      ),
    );
    const text = await textOfFile(emitHandlers(api, artifact, carriedValidator.modules));
    expect(text).toContain(`import type { ${name} as $${name} } from "./types.js";`);
    expect(text).toContain(`ListPetsResponse = { readonly status: 200; readonly body: $${name} };`);
  });

  test("an input and a schema that are called alike are two", async () => {
    const schema = "{$ref: '#/components/schemas/ListPetsInput'}";
    const responses = `{'200': {description: ok, content: {application/json: {schema: ${schema}}}}}`;
    const api = await buildFixtureApi(
      withPaths(
        `/pets: {get: {operationId: listPets, responses: ${responses}}}`,
        "components: {schemas: {ListPetsInput: {type: string}}}\n",
      ),
    );
    const text = await textOfFile(emitHandlers(api, artifact, carriedValidator.modules));
    expect(text).toContain('import type { ListPetsInput } from "./types.js";');
    expect(text).toContain('import type { ListPetsInput as $ListPetsInput } from "./validator/operations.js";');
  });
});

interface CallerCase {
  readonly operation?: string;
  readonly rest?: string;
}

/** Returns the type of the callers of an API with one operation. */
async function callerOf({ operation, rest = "    {}" }: CallerCase): Promise<string> {
  const more = operation === undefined ? "" : `, ${operation}`;
  const api: Api = await buildFixtureApi(
    withPaths(`/pets: {get: {operationId: listPets, ${ok}${more}}}`, `components:\n  securitySchemes:\n${rest}\n`),
  );
  const text = await statementsOf(emitHandlers(api, artifact, carriedValidator.modules));
  return /export interface Caller [^]*?\{(\}|[^]*?\n\})/.exec(text)?.[0] ?? text;
}

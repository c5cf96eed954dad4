import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { load } from "js-yaml";
import { expect, test } from "vitest";
import { convertDocument } from "./document.js";
import { openapiFacts, swaggerFacts } from "./facts.support.js";
import type { SwaggerNode } from "./parameters.js";

const examples = path.join(
  path.dirname(createRequire(import.meta.url).resolve("@readme/oas-examples/package.json")),
  "2.0/json",
);
const versions = path.resolve(import.meta.dirname, "../../../../../../test/descriptions/versions/swagger-2.0.yaml");
const corpus = [versions, ...readdirSync(examples).map((name) => path.join(examples, name))];
const read = (file: string): SwaggerNode => load(readFileSync(file, "utf8")) as SwaggerNode;

const shared = load(`
swagger: '2.0'
consumes: [application/json]
parameters:
  Payload: {name: body, in: body, required: true, schema: {type: object}}
  Alias: {$ref: '#/parameters/Payload'}
  Comment: {name: comment, in: formData, required: true, type: string}
paths:
  /a: {patch: {parameters: [{$ref: '#/parameters/Payload'}]}}
  /b: {post: {consumes: [multipart/form-data], parameters: [{$ref: '#/parameters/Comment'}]}}
  /c: {parameters: [{$ref: '#/parameters/Alias'}], delete: {}}
`) as SwaggerNode;

test("operations, parameters, bodies, responses and security are the same after the conversion", () => {
  const facts = [shared, ...corpus.map(read)].map((swagger) => ({
    before: swaggerFacts(swagger),
    after: openapiFacts(convertDocument(swagger)),
  }));
  expect(facts[0]?.after).toEqual([
    "delete /c",
    "delete /c application/json true",
    "delete /c undefined",
    "patch /a",
    "patch /a application/json true",
    "patch /a undefined",
    "post /b",
    'post /b form comment "string" - - - - true',
    "post /b undefined",
  ]);
  expect(facts.map(({ after }) => after)).toEqual(facts.map(({ before }) => before));
  expect(facts.flatMap(({ before }) => before).length).toBeGreaterThan(150);
});

test.each([
  ["an operation", "get /notes"],
  ["a parameter", "get /notes query page"],
  ["a body", "post /notes application/json true"],
  ["a field", "put /notes/{id}/picture form title"],
  ["a response", "get /notes/{id}/picture 200 image/png"],
])("the comparison has %s", (_, fact) => {
  const facts = openapiFacts(convertDocument(read(versions)));
  expect(facts.filter((each) => each.startsWith(fact))).not.toEqual([]);
});

test("everything has its counterpart", () => {
  const { openapi, info, ...rest } = convertDocument(
    load(`
swagger: '2.0'
info: {title: A, version: '1'}
host: a.example
basePath: /v1
schemes: [https]
paths:
  /a:
    get:
      schemes: [http]
      parameters:
        - {name: a, in: query, type: array, items: {type: array, items: {type: string}, collectionFormat: pipes}}
        - {name: b, in: header, type: array, items: {type: string}, default: [c]}
        - {name: c, in: path, type: string, x-nullable: true, x-example: d}
        - {name: d, in: query, schema: {type: integer}, minimum: 1}
      responses:
        '200': {description: A, schema: {type: file}, examples: {application/json: 1, b: 2}, headers: {D: {type: integer}}}
definitions:
  Pet: {type: object, discriminator: kind, properties: {kind: {type: string}, name: {type: string, x-nullable: true}}}
  Cat/1: {x-ms-discriminator-value: cat, allOf: [{$ref: '#/definitions/Pet'}], additionalProperties: {$ref: '#/definitions/Pet'}}
securityDefinitions:
  a: {type: basic, description: B}
  b: {type: oauth2, flow: application, tokenUrl: https://a.example/t, scopes: {c: C}}
`) as SwaggerNode,
  );
  expect([openapi, info]).toEqual(["3.0.4", { title: "A", version: "1" }]);
  expect(rest).toMatchInlineSnapshot(`
    {
      "components": {
        "schemas": {
          "Cat/1": {
            "additionalProperties": {
              "$ref": "#/components/schemas/Pet",
            },
            "allOf": [
              {
                "$ref": "#/components/schemas/Pet",
              },
            ],
            "x-ms-discriminator-value": "cat",
          },
          "Pet": {
            "discriminator": {
              "mapping": {
                "cat": "#/components/schemas/Cat~11",
              },
              "propertyName": "kind",
            },
            "properties": {
              "kind": {
                "type": "string",
              },
              "name": {
                "nullable": true,
                "type": "string",
              },
            },
            "type": "object",
          },
        },
        "securitySchemes": {
          "a": {
            "description": "B",
            "scheme": "basic",
            "type": "http",
          },
          "b": {
            "flows": {
              "clientCredentials": {
                "scopes": {
                  "c": "C",
                },
                "tokenUrl": "https://a.example/t",
              },
            },
            "type": "oauth2",
          },
        },
      },
      "paths": {
        "/a": {
          "get": {
            "parameters": [
              {
                "explode": false,
                "in": "query",
                "name": "a",
                "schema": {
                  "items": {
                    "items": {
                      "type": "string",
                    },
                    "type": "array",
                  },
                  "type": "array",
                },
                "style": "form",
              },
              {
                "explode": false,
                "in": "header",
                "name": "b",
                "schema": {
                  "default": [
                    "c",
                  ],
                  "items": {
                    "type": "string",
                  },
                  "type": "array",
                },
                "style": "simple",
              },
              {
                "in": "path",
                "name": "c",
                "schema": {
                  "nullable": true,
                  "type": "string",
                },
                "x-example": "d",
              },
              {
                "in": "query",
                "name": "d",
                "schema": {
                  "minimum": 1,
                  "type": "integer",
                },
              },
            ],
            "responses": {
              "200": {
                "content": {
                  "application/json": {
                    "example": 1,
                    "examples": {
                      "b": {
                        "value": 2,
                      },
                    },
                    "schema": {
                      "format": "binary",
                      "type": "string",
                    },
                  },
                },
                "description": "A",
                "headers": {
                  "D": {
                    "schema": {
                      "type": "integer",
                    },
                  },
                },
              },
            },
            "servers": [
              {
                "url": "http://a.example/v1",
              },
            ],
          },
        },
      },
      "servers": [
        {
          "url": "https://a.example/v1",
        },
      ],
    }
  `);
});

import { expect, test } from "vitest";
import { withoutExtensionFields } from "./extension-fields.js";

test("extension fields are removed, and names and values that look like them stay", () => {
  const document = {
    openapi: "3.1.0",
    "x-errors": [],
    paths: {
      "x-paths": 1,
      "/pets": {
        "x-path": 1,
        get: {
          "x-limits": [{ max: 1 }],
          responses: {
            "200": {
              description: "All.",
              headers: { "x-page": { "x-source": "a", schema: { type: "string", "x-b": 1 } } },
              content: {
                "application/json": { example: { "x-kept": 1 }, schema: { $ref: "#/components/schemas/x-Pet" } },
              },
            },
          },
        },
      },
    },
    components: {
      "x-own": 1,
      schemas: {
        "x-Pet": {
          "x-resource": {},
          properties: { "x-name": { type: "string", "x-value": [], enum: ["x-a"], default: { "x-b": 1 } } },
          allOf: [{ "x-state": 1 }],
        },
      },
      examples: { "x-first": { "x-gone": 1, value: { "x-kept": 1 } } },
    },
  };
  expect(withoutExtensionFields(document)).toEqual({
    openapi: "3.1.0",
    paths: {
      "/pets": {
        get: {
          responses: {
            "200": {
              description: "All.",
              headers: { "x-page": { schema: { type: "string" } } },
              content: {
                "application/json": { example: { "x-kept": 1 }, schema: { $ref: "#/components/schemas/x-Pet" } },
              },
            },
          },
        },
      },
    },
    components: {
      schemas: {
        "x-Pet": {
          properties: { "x-name": { type: "string", enum: ["x-a"], default: { "x-b": 1 } } },
          allOf: [{}],
        },
      },
      examples: { "x-first": { value: { "x-kept": 1 } } },
    },
  });
});

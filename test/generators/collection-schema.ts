/** As much of the form of Postman's collections, v2.1, as the example uses; https://schema.postman.com has all of it. */
export const collectionSchema: object = {
  type: "object",
  required: ["info", "item"],
  additionalProperties: false,
  properties: {
    info: {
      type: "object",
      required: ["name", "schema"],
      additionalProperties: false,
      properties: {
        name: { type: "string" },
        description: { type: "string" },
        version: { type: "string" },
        schema: { const: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json" },
      },
    },
    auth: { $ref: "#/$defs/auth" },
    variable: { type: "array", items: { $ref: "#/$defs/pair" } },
    item: { type: "array", items: { oneOf: [{ $ref: "#/$defs/folder" }, { $ref: "#/$defs/item" }] } },
  },
  $defs: {
    folder: {
      type: "object",
      required: ["name", "item"],
      additionalProperties: false,
      properties: { name: { type: "string" }, item: { type: "array", items: { $ref: "#/$defs/item" } } },
    },
    item: {
      type: "object",
      required: ["name", "request"],
      additionalProperties: false,
      properties: {
        name: { type: "string" },
        request: { $ref: "#/$defs/request" },
      },
    },
    request: {
      type: "object",
      required: ["method", "url"],
      additionalProperties: false,
      properties: {
        method: { enum: ["GET", "PUT", "POST", "PATCH", "DELETE", "HEAD", "OPTIONS"] },
        description: { type: "string" },
        auth: { $ref: "#/$defs/auth" },
        header: { type: "array", items: { $ref: "#/$defs/pair" } },
        url: {
          type: "object",
          required: ["raw", "host", "path"],
          additionalProperties: false,
          properties: {
            raw: { type: "string", pattern: "^\\{\\{baseUrl\\}\\}/" },
            host: { type: "array", items: { type: "string" } },
            path: { type: "array", items: { type: "string" } },
            query: { type: "array", items: { $ref: "#/$defs/pair" } },
            variable: { type: "array", items: { $ref: "#/$defs/pair" } },
          },
        },
        body: {
          type: "object",
          required: ["mode"],
          additionalProperties: false,
          properties: {
            mode: { enum: ["raw", "file"] },
            raw: { type: "string" },
            file: { type: "object" },
            options: { type: "object" },
          },
        },
      },
    },
    pair: {
      type: "object",
      required: ["key", "value"],
      additionalProperties: false,
      properties: {
        key: { type: "string" },
        value: { type: "string" },
        type: { enum: ["string", "secret"] },
        description: { type: "string" },
        disabled: { type: "boolean" },
      },
    },
    auth: {
      type: "object",
      required: ["type"],
      additionalProperties: false,
      properties: {
        type: { enum: ["noauth", "bearer", "basic", "apikey"] },
        bearer: { $ref: "#/$defs/settings" },
        basic: { $ref: "#/$defs/settings" },
        apikey: { $ref: "#/$defs/settings" },
      },
    },
    settings: { type: "array", items: { $ref: "#/$defs/pair" } },
  },
};

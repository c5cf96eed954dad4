/** The codes of rules of Redocly's linter, without those that it does not run. */
export const redoclyCodes = {
  "openapi/struct": { strict: "error", minimal: "error", summary: "A structure does not conform to OpenAPI." },
  "openapi/no-unresolved-refs": { strict: "error", minimal: "error", summary: "A reference does not resolve." },
  "openapi/no-duplicated-enum-values": { strict: "error", minimal: "warning", summary: "An enum has a value twice." },
  "openapi/no-duplicated-tag-names": { strict: "error", minimal: "warning", summary: "Two tags share a name." },
  "openapi/no-empty-servers": { strict: "error", minimal: "off", summary: "There is no server." },
  "openapi/no-enum-type-mismatch": {
    strict: "error",
    minimal: "warning",
    summary: "A value of an enum is not of the schema's type.",
  },
  "openapi/no-example-value-and-externalValue": {
    strict: "error",
    minimal: "warning",
    summary: "An example has a value and an address of one.",
  },
  "openapi/no-identical-paths": {
    strict: "error",
    minimal: "warning",
    summary: "Two paths differ by names of parameters only.",
  },
  "openapi/no-illogical-composition-keywords": {
    strict: "warning",
    minimal: "off",
    summary: "allOf, anyOf or oneOf says the same twice, or next to nothing.",
  },
  "openapi/no-invalid-media-type-examples": {
    strict: "error",
    minimal: "off",
    summary: "An example of a body does not match its schema.",
  },
  "openapi/no-invalid-parameter-examples": {
    strict: "error",
    minimal: "off",
    summary: "An example of a parameter does not match its schema.",
  },
  "openapi/no-invalid-schema-examples": {
    strict: "error",
    minimal: "off",
    summary: "An example of a schema does not match it.",
  },
  "openapi/no-mixed-number-range-constraints": {
    strict: "error",
    minimal: "off",
    summary: "A number has an inclusive and an exclusive bound on the same side.",
  },
  "openapi/no-path-trailing-slash": { strict: "error", minimal: "warning", summary: "A path ends in a slash." },
  "openapi/no-required-schema-properties-undefined": {
    strict: "error",
    minimal: "off",
    summary: "A required property is not described.",
  },
  "openapi/no-schema-type-mismatch": {
    strict: "error",
    minimal: "warning",
    summary: "A schema has keywords of another type.",
  },
  "openapi/no-server-trailing-slash": {
    strict: "error",
    minimal: "off",
    summary: "A server's address ends in a slash.",
  },
  "openapi/no-server-variables-empty-enum": {
    strict: "error",
    minimal: "warning",
    summary: "A variable of a server has no values.",
  },
  "openapi/no-undefined-server-variable": {
    strict: "error",
    minimal: "warning",
    summary: "A server's address has a variable that is not described.",
  },
  "openapi/no-unsafe-markdown": {
    strict: "error",
    minimal: "warning",
    summary: "A description carries a script or the like.",
  },
  "openapi/no-unused-components": { strict: "warning", minimal: "off", summary: "A component is not used." },
  "openapi/nullable-type-sibling": {
    strict: "error",
    minimal: "warning",
    summary: "nullable stands without a type (OpenAPI 3.0).",
  },
  "openapi/operation-2xx-response": {
    strict: "error",
    minimal: "off",
    summary: "An operation has no success response.",
  },
  "openapi/operation-4xx-response": { strict: "error", minimal: "off", summary: "An operation has no error response." },
  "openapi/operation-operationId": { strict: "error", minimal: "off", summary: "An operation has no operationId." },
  "openapi/operation-operationId-unique": {
    strict: "error",
    minimal: "off",
    summary: "Two operations share an operationId.",
  },
  "openapi/operation-operationId-url-safe": {
    strict: "error",
    minimal: "warning",
    summary: "An operationId has characters that need escaping.",
  },
  "openapi/operation-parameters-unique": {
    strict: "error",
    minimal: "error",
    summary: "An operation has a parameter twice.",
  },
  "openapi/operation-summary": { strict: "error", minimal: "off", summary: "An operation has no summary." },
  "openapi/operation-tag-defined": {
    strict: "error",
    minimal: "off",
    summary: "An operation has a tag that is not declared.",
  },
  "openapi/path-declaration-must-exist": {
    strict: "error",
    minimal: "error",
    summary: "A path parameter has no name.",
  },
  "openapi/path-not-include-query": { strict: "error", minimal: "warning", summary: "A path has a query in it." },
  "openapi/path-parameters-defined": {
    strict: "error",
    minimal: "warning",
    summary: "The parameters of a path and of its template differ.",
  },
  "openapi/security-defined": {
    strict: "error",
    minimal: "off",
    summary: "An operation does not say who may call it, or names a scheme that is not there.",
  },
  "openapi/security-scopes-defined": {
    strict: "error",
    minimal: "off",
    summary: "An OAuth scope is not declared by its scheme.",
  },
  "openapi/spec-components-invalid-map-name": {
    strict: "error",
    minimal: "warning",
    summary: "A component has a name that OpenAPI does not allow.",
  },
  "openapi/spec-ref-siblings": {
    strict: "error",
    minimal: "warning",
    summary: "Keys beside a $ref are ignored there.",
  },
} as const;

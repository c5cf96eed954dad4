import type { OasdiffRow } from "./oasdiff-rows.support.js";

/** Values in requests. */
export const requestRows: readonly OasdiffRow[] = [
  {
    checks: "request-{body,property,parameter,header-property}-became-enum",
    level: "ERR",
    pair: ["type: string", "type: string, enum: [a]"],
    expected: ["request-enum-added: callers, wire"],
  },
  {
    checks: "request-{body,property,parameter,parameter-property}-enum-value-removed",
    level: "ERR",
    pair: ["type: string, enum: [a, b]", "type: string, enum: [a]"],
    expected: ["request-enum-value-removed: callers, wire"],
  },
  {
    checks: "request-{parameter,property}-x-extensible-enum-value-removed",
    level: "ERR",
    pair: ["type: string, x-extensible-enum: [a, b]", "type: string, x-extensible-enum: [a]"],
    expected: [],
    differs: {
      right: "oasdiff",
      because: "Missed: the server may no longer accept the value, but the extension `x-extensible-enum` is not read.",
    },
  },
  {
    checks: "request-{body,property}-const-added",
    level: "ERR",
    pair: ["type: string", "type: string, const: a"],
    expected: ["request-enum-added: callers, wire"],
  },
  {
    checks: "request-{body,property}-const-changed",
    level: "ERR",
    pair: ["type: string, const: a", "type: string, const: b"],
    expected: ["request-enum-value-added: implementers", "request-enum-value-removed: callers, wire"],
  },
  {
    checks: "request-{body,property,parameter,parameter-property}-became-not-nullable",
    level: "ERR",
    pair: ["type: [string, 'null']", "type: string"],
    expected: ["request-null-removed: callers, wire"],
  },
  {
    checks: "request-{body,property,parameter}-type-changed",
    level: "ERR",
    pair: ["type: string", "type: integer"],
    expected: ["request-type-changed: callers, implementers, wire"],
  },
  {
    checks: "request-{body,property,parameter}-type-changed",
    level: "ERR",
    pair: ["type: string, format: date", "type: string, format: date-time"],
    expected: ["request-format-changed: wire"],
  },
  {
    checks: "request-parameter-property-type-changed",
    level: "WARN",
    pair: ["type: string", "type: integer"],
    expected: ["request-type-changed: callers, implementers, wire"],
  },
  {
    checks: "request-parameter-property-type-specialized",
    level: "ERR",
    pair: ["type: number", "type: integer"],
    expected: ["request-type-narrowed: callers, wire"],
  },
  {
    checks: "request-{body,property,parameter,parameter-property}-list-of-types-narrowed",
    level: "ERR",
    pair: ["type: [string, integer]", "type: [string]"],
    expected: ["request-type-narrowed: callers, wire"],
  },
  {
    checks: "request-{body,property,parameter}-max-set",
    level: "WARN, later ERR",
    pair: ["type: integer", "type: integer, maximum: 9"],
    expected: ["request-bound-tightened: wire"],
  },
  {
    checks: "request-{body,property,parameter}-max-decreased",
    level: "ERR",
    pair: ["type: integer, maximum: 9", "type: integer, maximum: 8"],
    expected: ["request-bound-tightened: wire"],
  },
  {
    checks: "request-{body,property,parameter}-exclusive-max-set",
    level: "WARN, later ERR",
    pair: ["type: integer", "type: integer, exclusiveMaximum: 9"],
    expected: ["request-bound-tightened: wire"],
  },
  {
    checks: "request-{body,property,parameter}-exclusive-max-decreased",
    level: "ERR",
    pair: ["type: integer, exclusiveMaximum: 9", "type: integer, exclusiveMaximum: 8"],
    expected: ["request-bound-tightened: wire"],
  },
  {
    checks: "request-{body,property,parameter}-min-set",
    level: "WARN, later ERR",
    pair: ["type: integer", "type: integer, minimum: 1"],
    expected: ["request-bound-tightened: wire"],
  },
  {
    checks: "request-{body,property,parameter}-min-increased",
    level: "ERR",
    pair: ["type: integer, minimum: 1", "type: integer, minimum: 2"],
    expected: ["request-bound-tightened: wire"],
  },
  {
    checks: "request-{body,property,parameter}-exclusive-min-set",
    level: "WARN, later ERR",
    pair: ["type: integer", "type: integer, exclusiveMinimum: 1"],
    expected: ["request-bound-tightened: wire"],
  },
  {
    checks: "request-{body,property,parameter}-exclusive-min-increased",
    level: "ERR",
    pair: ["type: integer, exclusiveMinimum: 1", "type: integer, exclusiveMinimum: 2"],
    expected: ["request-bound-tightened: wire"],
  },
  {
    checks: "request-{body,property,parameter}-max-length-set",
    level: "WARN, later ERR",
    pair: ["type: string", "type: string, maxLength: 9"],
    expected: ["request-bound-tightened: wire"],
  },
  {
    checks: "request-{body,property,parameter}-max-length-decreased",
    level: "ERR",
    pair: ["type: string, maxLength: 9", "type: string, maxLength: 8"],
    expected: ["request-bound-tightened: wire"],
  },
  {
    checks: "request-{body,property,parameter}-min-length-increased",
    level: "ERR",
    pair: ["type: string, minLength: 1", "type: string, minLength: 2"],
    expected: ["request-bound-tightened: wire"],
  },
  {
    checks: "request-{body,property,parameter}-min-items-set",
    level: "WARN, later ERR",
    pair: ["type: array, items: {type: string}", "type: array, items: {type: string}, minItems: 1"],
    expected: ["request-bound-tightened: wire"],
  },
  {
    checks: "request-{body,property,parameter}-min-items-increased",
    level: "ERR",
    pair: ["type: array, items: {type: string}, minItems: 1", "type: array, items: {type: string}, minItems: 2"],
    expected: ["request-bound-tightened: wire"],
  },
  {
    checks: "request-parameter-max-items-decreased",
    level: "ERR",
    pair: ["type: array, items: {type: string}, maxItems: 9", "type: array, items: {type: string}, maxItems: 8"],
    expected: ["request-bound-tightened: wire"],
  },
  {
    checks: "request-{parameter,property}-pattern-added",
    level: "ERR",
    pair: ["type: string", "type: string, pattern: '^a'"],
    expected: ["request-pattern-added: wire"],
  },
  {
    checks: "request-{parameter,property}-pattern-changed",
    level: "WARN",
    pair: ["type: string, pattern: '^a'", "type: string, pattern: '^b'"],
    expected: ["request-pattern-changed: wire"],
  },
  {
    checks: "new-required-request-property",
    level: "ERR",
    pair: [
      { body: "content: {application/json: {schema: {type: object}}}" },
      { body: "content: {application/json: {schema: {type: object, required: [a], properties: {a: {type: string}}}}}" },
    ],
    expected: ["request-property-required-added: callers, wire"],
  },
  {
    checks: "new-required-request-property-with-default",
    level: "ERR",
    pair: [
      { body: "content: {application/json: {schema: {type: object}}}" },
      {
        body: "content: {application/json: {schema: {type: object, required: [a], properties: {a: {type: string, default: x}}}}}",
      },
    ],
    expected: ["request-property-required-added: callers, wire"],
  },
  {
    checks: "request-property-became-required",
    level: "ERR",
    pair: [
      { body: "content: {application/json: {schema: {type: object, properties: {a: {type: string}}}}}" },
      { body: "content: {application/json: {schema: {type: object, required: [a], properties: {a: {type: string}}}}}" },
    ],
    expected: ["request-property-required: callers, wire"],
  },
  {
    checks: "request-property-became-required-with-default",
    level: "ERR",
    pair: [
      { body: "content: {application/json: {schema: {type: object, properties: {a: {type: string, default: x}}}}}" },
      {
        body: "content: {application/json: {schema: {type: object, required: [a], properties: {a: {type: string, default: x}}}}}",
      },
    ],
    expected: ["request-property-required: callers, wire"],
  },
  {
    checks: "new-required-request-header-property",
    level: "ERR",
    pair: [
      {
        operation:
          "parameters: [{name: X-Filter, in: header, schema: {type: object, properties: {b: {type: string}}}}]",
      },
      {
        operation:
          "parameters: [{name: X-Filter, in: header, schema: {type: object, required: [a], properties: {a: {type: string}, b: {type: string}}}}]",
      },
    ],
    expected: ["request-property-required-added: callers, wire"],
  },
  {
    checks: "request-header-property-became-required",
    level: "ERR",
    pair: [
      {
        operation:
          "parameters: [{name: X-Filter, in: header, schema: {type: object, properties: {a: {type: string}}}}]",
      },
      {
        operation:
          "parameters: [{name: X-Filter, in: header, schema: {type: object, required: [a], properties: {a: {type: string}}}}]",
      },
    ],
    expected: ["request-property-required: callers, wire"],
  },
  {
    checks: "request-property-removed",
    level: "WARN",
    pair: [
      { body: "content: {application/json: {schema: {type: object, properties: {a: {type: string}}}}}" },
      { body: "content: {application/json: {schema: {type: object}}}" },
    ],
    expected: ["request-property-removed: callers, implementers, wire"],
  },
  {
    checks: "request-{body,property}-all-of-added",
    level: "ERR",
    pair: [
      "allOf: [{type: object}]",
      "allOf: [{type: object}, {type: object, required: [b], properties: {b: {type: string}}}]",
    ],
    expected: ["request-property-required-added: callers, wire"],
  },
  {
    checks: "request-{body,property}-all-of-removed",
    level: "WARN, later INFO",
    pair: [
      "allOf: [{type: object}, {type: object, required: [b], properties: {b: {type: string}}}]",
      "allOf: [{type: object}]",
    ],
    expected: ["request-property-removed: callers, implementers, wire"],
    differs: {
      right: "ours",
      because: "The branch had a field: code that passes it no longer compiles, and the server may reject it.",
    },
  },
  {
    checks: "request-{body,property}-all-of-removed",
    level: "WARN, later INFO",
    pair: ["allOf: [{type: string}, {maxLength: 9}]", "allOf: [{type: string}]"],
    expected: ["request-bound-loosened: none"],
  },
  {
    checks: "request-{body,property}-any-of-removed",
    level: "ERR",
    pair: ["anyOf: [{type: string}, {type: integer}]", "anyOf: [{type: string}]"],
    expected: ["request-branch-removed: callers, wire"],
  },
  {
    checks: "request-{body,property}-one-of-removed",
    level: "ERR",
    pair: ["oneOf: [{type: string}, {type: integer}]", "oneOf: [{type: string}]"],
    expected: ["request-branch-removed: callers, wire"],
  },
  {
    checks: "request-body-wrapped-in-one-of",
    level: "ERR",
    pair: [
      "type: object, properties: {a: {type: string}, b: {type: string}}",
      "oneOf: [{type: object, required: [a], properties: {a: {type: string}}}, {type: object, required: [b], properties: {b: {type: string}}}]",
    ],
    expected: [
      "request-property-required: callers, wire",
      "request-property-removed: callers, implementers, wire",
      "request-branch-added: implementers",
    ],
  },
  {
    checks: "request-body-wrapped-in-one-of",
    level: "ERR",
    pair: [
      "type: object, required: [a], properties: {a: {type: string}}",
      "oneOf: [{type: object, required: [a], properties: {a: {type: string}}}, {type: object, properties: {a: {type: string}, c: {type: string}}}]",
    ],
    expected: ["request-branch-overlapping-added: implementers, wire"],
  },
  {
    checks: "request-body-wrapped-in-one-of",
    level: "ERR",
    pair: [
      "type: object, required: [a], properties: {a: {type: string}}",
      "oneOf: [{type: object, required: [a], properties: {a: {type: string}}}, {type: object, required: [c], properties: {c: {type: string}}}]",
    ],
    expected: ["request-branch-added: implementers"],
    differs: { right: "ours", because: "The server accepts every request that has the described fields alone." },
  },
  {
    checks: "request-{body,property}-prefix-items-removed",
    level: "ERR",
    pair: [
      "type: array, prefixItems: [{type: string}, {type: integer}], items: false",
      "type: array, prefixItems: [{type: string}], items: false",
    ],
    expected: ["request-forbidden: callers, wire"],
  },
  {
    checks: "request-{body,property}-prefix-items-removed",
    level: "ERR",
    pair: ["type: array, prefixItems: [{type: string}, {type: integer}]", "type: array, prefixItems: [{type: string}]"],
    expected: ["request-type-widened: implementers"],
    differs: {
      right: "ours",
      because:
        "The server accepts every list that it accepted before: what follows the described items may be anything.",
    },
  },
  {
    checks: "request-{body,property}-if-added",
    level: "ERR",
    pair: ["type: object", "type: object, if: {required: [a]}, then: {required: [b]}"],
    expected: ["request-rule-added: wire"],
  },
  {
    checks: "request-{body,property}-then-added",
    level: "ERR",
    pair: [
      "type: object, if: {required: [a]}, else: {required: [c]}",
      "type: object, if: {required: [a]}, then: {required: [b]}, else: {required: [c]}",
    ],
    expected: ["request-rule-changed: wire"],
  },
  {
    checks: "request-{body,property}-else-added",
    level: "ERR",
    pair: [
      "type: object, if: {required: [a]}, then: {required: [b]}",
      "type: object, if: {required: [a]}, then: {required: [b]}, else: {required: [c]}",
    ],
    expected: ["request-rule-changed: wire"],
  },
  {
    checks: "request-{body,property}-contains-added",
    level: "ERR",
    pair: ["type: array, items: {}", "type: array, items: {}, contains: {type: string}"],
    expected: ["request-bound-tightened: wire"],
  },
  {
    checks: "request-{body,property}-min-contains-increased",
    level: "ERR",
    pair: [
      "type: array, items: {}, contains: {type: string}, minContains: 1",
      "type: array, items: {}, contains: {type: string}, minContains: 2",
    ],
    expected: ["request-bound-tightened: wire"],
  },
  {
    checks: "request-{body,property}-max-contains-decreased",
    level: "ERR",
    pair: [
      "type: array, items: {}, contains: {type: string}, maxContains: 9",
      "type: array, items: {}, contains: {type: string}, maxContains: 8",
    ],
    expected: ["request-bound-tightened: wire"],
  },
  {
    checks: "request-{body,property}-dependent-required-added",
    level: "ERR",
    pair: [
      "type: object, properties: {a: {type: string}, b: {type: string}, c: {type: string}}",
      "type: object, properties: {a: {type: string}, b: {type: string}, c: {type: string}}, dependentRequired: {a: [b]}",
    ],
    expected: ["request-rule-added: wire"],
  },
  {
    checks: "request-{body,property}-dependent-required-changed",
    level: "ERR",
    pair: [
      "type: object, properties: {a: {type: string}, b: {type: string}, c: {type: string}}, dependentRequired: {a: [b]}",
      "type: object, properties: {a: {type: string}, b: {type: string}, c: {type: string}}, dependentRequired: {a: [c]}",
    ],
    expected: ["request-rule-changed: wire"],
  },
  {
    checks: "request-{body,property}-dependent-schema-added",
    level: "ERR",
    pair: [
      "type: object, properties: {a: {type: string}, b: {type: string}, c: {type: string}}",
      "type: object, properties: {a: {type: string}, b: {type: string}, c: {type: string}}, dependentSchemas: {a: {required: [b]}}",
    ],
    expected: ["request-property-required: callers, wire"],
  },
  {
    checks: "request-{body,property}-pattern-property-added",
    level: "ERR",
    pair: ["type: object", "type: object, patternProperties: {'^x': {type: integer}}"],
    expected: ["request-type-narrowed: callers, wire"],
  },
  {
    checks: "request-{body,property}-property-names-added",
    level: "ERR",
    pair: ["type: object", "type: object, propertyNames: {pattern: '^x'}"],
    expected: ["request-pattern-added: wire"],
  },
  {
    checks: "request-{body,property}-unevaluated-items-added",
    level: "ERR",
    pair: [
      "type: array, prefixItems: [{type: string}]",
      "type: array, prefixItems: [{type: string}], unevaluatedItems: false",
    ],
    expected: ["request-forbidden: callers, wire"],
  },
  {
    checks: "request-{body,property}-unevaluated-properties-added",
    level: "ERR",
    pair: [
      "type: object, properties: {a: {type: string}}",
      "type: object, properties: {a: {type: string}}, unevaluatedProperties: false",
    ],
    expected: ["request-forbidden: callers, wire"],
  },
  {
    checks: "request-{body,property}-content-schema-added",
    level: "ERR",
    pair: [
      "type: string, contentMediaType: application/json",
      "type: string, contentMediaType: application/json, contentSchema: {type: integer}",
    ],
    expected: [],
    differs: {
      right: "oasdiff",
      because: "Missed: the text has to contain other JSON, but `contentSchema` is read only for the data of events.",
    },
  },
  {
    checks: "request-{body,property}-content-media-type-changed",
    level: "ERR",
    pair: ["type: string, contentMediaType: application/json", "type: string, contentMediaType: text/csv"],
    expected: ["request-format-changed: wire"],
  },
  {
    checks: "request-{body,property}-content-encoding-changed",
    level: "ERR",
    pair: ["type: string, contentEncoding: base64", "type: string, contentEncoding: base64url"],
    expected: ["request-format-changed: wire"],
  },
  {
    checks: "request-{body,property}-max-items-set",
    level: "later ERR",
    pair: ["type: array, items: {type: string}", "type: array, items: {type: string}, maxItems: 9"],
    expected: ["request-bound-tightened: wire"],
  },
  {
    checks: "request-{body,property}-max-items-decreased",
    level: "later ERR",
    pair: ["type: array, items: {type: string}, maxItems: 9", "type: array, items: {type: string}, maxItems: 8"],
    expected: ["request-bound-tightened: wire"],
  },
  {
    checks: "request-{body,property}-max-properties-set",
    level: "later ERR",
    pair: ["type: object", "type: object, maxProperties: 9"],
    expected: ["request-bound-tightened: wire"],
  },
  {
    checks: "request-{body,property}-max-properties-decreased",
    level: "later ERR",
    pair: ["type: object, maxProperties: 9", "type: object, maxProperties: 8"],
    expected: ["request-bound-tightened: wire"],
  },
  {
    checks: "request-{body,property}-min-properties-increased",
    level: "later ERR",
    pair: ["type: object, minProperties: 1", "type: object, minProperties: 2"],
    expected: ["request-bound-tightened: wire"],
  },
  {
    checks: "request-{body,property}-unique-items-set",
    level: "later ERR",
    pair: ["type: array, items: {type: string}", "type: array, items: {type: string}, uniqueItems: true"],
    expected: ["request-rule-added: wire"],
  },
  {
    checks: "request-{body,property}-multiple-of-set",
    level: "later ERR",
    pair: ["type: integer", "type: integer, multipleOf: 2"],
    expected: ["request-bound-tightened: wire"],
  },
  {
    checks: "request-{body,property}-multiple-of-changed",
    level: "later ERR",
    pair: ["type: integer, multipleOf: 2", "type: integer, multipleOf: 3"],
    expected: ["request-bound-changed: wire"],
  },
];

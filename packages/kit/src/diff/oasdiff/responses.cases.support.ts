import type { OasdiffRow } from "./oasdiff-rows.support.js";

/** Values in responses. */
export const responseRows: readonly OasdiffRow[] = [
  {
    checks: "response-{body,property,header}-became-nullable",
    level: "ERR",
    pair: ["type: string", "type: [string, 'null']"],
    expected: ["response-null-added: callers, wire"],
  },
  {
    checks: "response-{body,property}-const-removed",
    level: "ERR",
    pair: ["type: string, const: a", "type: string"],
    expected: ["response-enum-removed: callers, wire"],
  },
  {
    checks: "response-{body,property}-const-changed",
    level: "ERR",
    pair: ["type: string, const: a", "type: string, const: b"],
    expected: ["response-enum-value-added: callers, wire", "response-enum-value-removed: implementers"],
  },
  {
    checks: "response-property-enum-value-added",
    level: "WARN",
    pair: ["type: string, enum: [a]", "type: string, enum: [a, b]"],
    expected: ["response-enum-value-added: callers, wire"],
  },
  {
    checks: "response-{body,property,header}-type-changed",
    level: "ERR",
    pair: ["type: string", "type: integer"],
    expected: ["response-type-changed: callers, implementers, wire"],
  },
  {
    checks: "response-{body,property,header}-type-generalized",
    level: "ERR",
    pair: ["type: integer", "type: number"],
    expected: ["response-type-widened: callers, wire"],
  },
  {
    checks: "response-{body,property,header}-type-changed",
    level: "ERR",
    pair: ["type: string, format: date", "type: string, format: date-time"],
    expected: ["response-format-changed: implementers, wire"],
  },
  {
    checks: "response-{body,property,header}-type-generalized",
    level: "ERR",
    pair: ["type: string, format: date", "type: string"],
    expected: ["response-format-removed: wire"],
  },
  {
    checks: "response-{body,property}-list-of-types-widened",
    level: "ERR",
    pair: ["type: [string]", "type: [string, integer]"],
    expected: ["response-type-widened: callers, wire"],
  },
  {
    checks: "response-{body,property}-max-increased",
    level: "ERR",
    pair: ["type: integer, maximum: 8", "type: integer, maximum: 9"],
    expected: ["response-bound-loosened: wire"],
  },
  {
    checks: "response-{body,property}-exclusive-max-increased",
    level: "ERR",
    pair: ["type: integer, exclusiveMaximum: 8", "type: integer, exclusiveMaximum: 9"],
    expected: ["response-bound-loosened: wire"],
  },
  {
    checks: "response-{body,property}-min-decreased",
    level: "ERR",
    pair: ["type: integer, minimum: 2", "type: integer, minimum: 1"],
    expected: ["response-bound-loosened: wire"],
  },
  {
    checks: "response-{body,property}-exclusive-min-decreased",
    level: "ERR",
    pair: ["type: integer, exclusiveMinimum: 2", "type: integer, exclusiveMinimum: 1"],
    expected: ["response-bound-loosened: wire"],
  },
  {
    checks: "response-{body,property}-max-length-increased",
    level: "ERR",
    pair: ["type: string, maxLength: 8", "type: string, maxLength: 9"],
    expected: ["response-bound-loosened: wire"],
  },
  {
    checks: "response-{body,property}-max-length-unset",
    level: "ERR",
    pair: ["type: string, maxLength: 8", "type: string"],
    expected: ["response-bound-loosened: wire"],
  },
  {
    checks: "response-{body,property}-min-length-decreased",
    level: "ERR",
    pair: ["type: string, minLength: 2", "type: string, minLength: 1"],
    expected: ["response-bound-loosened: wire"],
  },
  {
    checks: "response-{body,property}-min-items-decreased",
    level: "ERR",
    pair: ["type: array, items: {type: string}, minItems: 2", "type: array, items: {type: string}, minItems: 1"],
    expected: ["response-bound-loosened: wire"],
  },
  {
    checks: "response-{body,property}-min-items-unset",
    level: "ERR",
    pair: ["type: array, items: {type: string}, minItems: 1", "type: array, items: {type: string}"],
    expected: ["response-bound-loosened: wire"],
  },
  {
    checks: "response-property-became-optional",
    level: "ERR",
    pair: [
      {
        response:
          "description: Done, content: {application/json: {schema: {type: object, required: [a], properties: {a: {type: string}}}}}",
      },
      {
        response:
          "description: Done, content: {application/json: {schema: {type: object, properties: {a: {type: string}}}}}",
      },
    ],
    expected: ["response-property-optional: callers, wire"],
  },
  {
    checks: "response-required-property-removed",
    level: "ERR",
    pair: [
      {
        response:
          "description: Done, content: {application/json: {schema: {type: object, required: [a], properties: {a: {type: string}}}}}",
      },
      { response: "description: Done, content: {application/json: {schema: {type: object}}}" },
    ],
    expected: ["response-property-removed: callers, implementers, wire"],
  },
  {
    checks: "response-optional-property-removed",
    level: "WARN, later INFO",
    pair: [
      {
        response:
          "description: Done, content: {application/json: {schema: {type: object, properties: {a: {type: string}}}}}",
      },
      { response: "description: Done, content: {application/json: {schema: {type: object}}}" },
    ],
    expected: ["response-property-removed: callers, implementers, wire"],
    differs: {
      right: "ours",
      because: "Code that reads the field no longer compiles, and programs no longer receive it.",
    },
  },
  {
    checks: "response-required-property-became-not-write-only",
    level: "WARN",
    pair: [
      {
        response:
          "description: Done, content: {application/json: {schema: {type: object, required: [a], properties: {a: {type: string, writeOnly: true}}}}}",
      },
      {
        response:
          "description: Done, content: {application/json: {schema: {type: object, required: [a], properties: {a: {type: string}}}}}",
      },
    ],
    expected: ["response-property-required-added: implementers"],
    differs: {
      right: "ours",
      because: "Readers ignore a field that they did not receive before. The handler has to return it.",
    },
  },
  {
    checks: "response-{body,property}-one-of-added",
    level: "ERR",
    pair: ["oneOf: [{type: string}]", "oneOf: [{type: string}, {type: integer}]"],
    expected: ["response-branch-added: callers, wire"],
  },
  {
    checks: "response-body-wrapped-in-one-of",
    level: "ERR",
    pair: [
      "type: object, properties: {a: {type: string}, b: {type: string}}",
      "oneOf: [{type: object, required: [a], properties: {a: {type: string}}}, {type: object, required: [b], properties: {b: {type: string}}}]",
    ],
    expected: [
      "response-property-required: implementers",
      "response-property-removed: callers, implementers, wire",
      "response-branch-added: callers, wire",
    ],
  },
  {
    checks: "response-{body,property}-prefix-items-added",
    level: "ERR",
    pair: [
      "type: array, prefixItems: [{type: string}], items: false",
      "type: array, prefixItems: [{type: string}, {type: integer}], items: false",
    ],
    expected: ["response-item-allowed: callers, wire"],
  },
  {
    checks: "response-{body,property}-prefix-items-added",
    level: "ERR",
    pair: ["type: array, prefixItems: [{type: string}]", "type: array, prefixItems: [{type: string}, {type: integer}]"],
    expected: ["response-type-narrowed: implementers"],
    differs: { right: "ours", because: "The second item could be anything before, and is always an integer now." },
  },
  {
    checks: "response-{body,property}-if-removed",
    level: "ERR",
    pair: ["type: object, if: {required: [a]}, then: {required: [b]}", "type: object"],
    expected: ["response-rule-removed: wire"],
  },
  {
    checks: "response-{body,property}-then-removed",
    level: "ERR",
    pair: [
      "type: object, if: {required: [a]}, then: {required: [b]}, else: {required: [c]}",
      "type: object, if: {required: [a]}, else: {required: [c]}",
    ],
    expected: ["response-rule-changed: implementers, wire"],
  },
  {
    checks: "response-{body,property}-else-removed",
    level: "ERR",
    pair: [
      "type: object, if: {required: [a]}, then: {required: [b]}, else: {required: [c]}",
      "type: object, if: {required: [a]}, then: {required: [b]}",
    ],
    expected: ["response-rule-changed: implementers, wire"],
  },
  {
    checks: "response-{body,property}-contains-removed",
    level: "ERR",
    pair: ["type: array, items: {}, contains: {type: string}", "type: array, items: {}"],
    expected: ["response-bound-loosened: wire"],
  },
  {
    checks: "response-{body,property}-min-contains-decreased",
    level: "ERR",
    pair: [
      "type: array, items: {}, contains: {type: string}, minContains: 2",
      "type: array, items: {}, contains: {type: string}, minContains: 1",
    ],
    expected: ["response-bound-loosened: wire"],
  },
  {
    checks: "response-{body,property}-max-contains-increased",
    level: "ERR",
    pair: [
      "type: array, items: {}, contains: {type: string}, maxContains: 8",
      "type: array, items: {}, contains: {type: string}, maxContains: 9",
    ],
    expected: ["response-bound-loosened: wire"],
  },
  {
    checks: "response-{body,property}-dependent-required-removed",
    level: "ERR",
    pair: [
      "type: object, properties: {a: {type: string}, b: {type: string}, c: {type: string}}, dependentRequired: {a: [b]}",
      "type: object, properties: {a: {type: string}, b: {type: string}, c: {type: string}}",
    ],
    expected: ["response-rule-removed: wire"],
  },
  {
    checks: "response-{body,property}-dependent-required-changed",
    level: "ERR",
    pair: [
      "type: object, properties: {a: {type: string}, b: {type: string}, c: {type: string}}, dependentRequired: {a: [b]}",
      "type: object, properties: {a: {type: string}, b: {type: string}, c: {type: string}}, dependentRequired: {a: [c]}",
    ],
    expected: ["response-rule-changed: implementers, wire"],
  },
  {
    checks: "response-{body,property}-dependent-schema-removed",
    level: "ERR",
    pair: [
      "type: object, properties: {a: {type: string}, b: {type: string}, c: {type: string}}, dependentSchemas: {a: {required: [b]}}",
      "type: object, properties: {a: {type: string}, b: {type: string}, c: {type: string}}",
    ],
    expected: ["response-property-optional: callers, wire"],
  },
  {
    checks: "response-{body,property}-pattern-property-removed",
    level: "ERR",
    pair: ["type: object, patternProperties: {'^x': {type: integer}}", "type: object"],
    expected: ["response-type-widened: callers, wire"],
  },
  {
    checks: "response-{body,property}-property-names-removed",
    level: "ERR",
    pair: ["type: object, propertyNames: {pattern: '^x'}", "type: object"],
    expected: ["response-pattern-removed: wire"],
  },
  {
    checks: "response-{body,property}-unevaluated-items-removed",
    level: "ERR",
    pair: [
      "type: array, prefixItems: [{type: string}], unevaluatedItems: false",
      "type: array, prefixItems: [{type: string}]",
    ],
    expected: ["response-item-allowed: callers, wire"],
  },
  {
    checks: "response-{body,property}-unevaluated-properties-removed",
    level: "ERR",
    pair: [
      "type: object, properties: {a: {type: string}}, unevaluatedProperties: false",
      "type: object, properties: {a: {type: string}}",
    ],
    expected: ["response-allowed: none"],
    differs: {
      right: "ours",
      because: "Readers ignore fields that they do not know, as where an optional field is added.",
    },
  },
  {
    checks: "response-{body,property}-content-schema-removed",
    level: "ERR",
    pair: [
      "type: string, contentMediaType: application/json, contentSchema: {type: integer}",
      "type: string, contentMediaType: application/json",
    ],
    expected: [],
    differs: {
      right: "oasdiff",
      because: "Missed: the text may contain other JSON, but `contentSchema` is read only for the data of events.",
    },
  },
  {
    checks: "response-{body,property}-content-media-type-changed",
    level: "ERR",
    pair: ["type: string, contentMediaType: application/json", "type: string, contentMediaType: text/csv"],
    expected: ["response-format-changed: implementers, wire"],
  },
  {
    checks: "response-{body,property}-content-encoding-changed",
    level: "ERR",
    pair: ["type: string, contentEncoding: base64", "type: string, contentEncoding: base64url"],
    expected: ["response-format-changed: implementers, wire"],
  },
  {
    checks: "response-{body,property}-max-items-increased",
    level: "later ERR",
    pair: ["type: array, items: {type: string}, maxItems: 8", "type: array, items: {type: string}, maxItems: 9"],
    expected: ["response-bound-loosened: wire"],
  },
  {
    checks: "response-{body,property}-max-properties-increased",
    level: "later ERR",
    pair: ["type: object, maxProperties: 8", "type: object, maxProperties: 9"],
    expected: ["response-bound-loosened: wire"],
  },
  {
    checks: "response-{body,property}-min-properties-decreased",
    level: "later ERR",
    pair: ["type: object, minProperties: 2", "type: object, minProperties: 1"],
    expected: ["response-bound-loosened: wire"],
  },
  {
    checks: "response-{body,property}-unique-items-unset",
    level: "later ERR",
    pair: ["type: array, items: {type: string}, uniqueItems: true", "type: array, items: {type: string}"],
    expected: ["response-rule-removed: wire"],
  },
  {
    checks: "response-{body,property}-multiple-of-unset",
    level: "later ERR",
    pair: ["type: integer, multipleOf: 2", "type: integer"],
    expected: ["response-bound-loosened: wire"],
  },
  {
    checks: "response-{body,property}-multiple-of-changed",
    level: "later ERR",
    pair: ["type: integer, multipleOf: 2", "type: integer, multipleOf: 3"],
    expected: ["response-bound-changed: implementers, wire"],
  },
  {
    checks: "response-property-pattern-removed",
    level: "INFO, later ERR",
    pair: ["type: string, pattern: '^a'", "type: string"],
    expected: ["response-pattern-removed: wire"],
  },
  {
    checks: "response-property-pattern-changed",
    level: "INFO, later WARN",
    pair: ["type: string, pattern: '^a'", "type: string, pattern: '^b'"],
    expected: ["response-pattern-changed: implementers, wire"],
  },
  {
    checks: "response-{body,property}-any-of-added",
    level: "INFO, later ERR",
    pair: ["anyOf: [{type: string}]", "anyOf: [{type: string}, {type: integer}]"],
    expected: ["response-branch-added: callers, wire"],
  },
  {
    checks: "response-{body,property}-all-of-removed",
    level: "INFO, later ERR",
    pair: [
      "allOf: [{type: object}, {type: object, required: [b], properties: {b: {type: string}}}]",
      "allOf: [{type: object}]",
    ],
    expected: ["response-property-removed: callers, implementers, wire"],
  },
];

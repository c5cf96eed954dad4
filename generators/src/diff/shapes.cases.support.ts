import { replyOf, requestOf, type Case } from "./testing.support.js";

/** How a schema changes, and what that is in a request and in a reply. */
interface Change {
  readonly what: string;
  readonly old: string;
  readonly next: string;
  /** Schemas beside it, in both or in each. */
  readonly schemas?: string | readonly [old: string, next: string];
  readonly request: readonly string[];
  readonly reply: readonly string[];
}

const pet = "Pet: {type: object, required: [id], properties: {id: {type: integer}}}";
const cat = "Cat: {type: object, required: [kind], properties: {kind: {type: string}}}";
const dog = "Dog: {type: object, required: [kind], properties: {kind: {type: string}}}";
const kinds = "propertyName: kind, mapping";

const changes: readonly Change[] = [
  // Types
  {
    what: "a type is another",
    old: "type: string",
    next: "type: integer",
    request: ["type-changed: callers, implementers, wire"],
    reply: ["type-changed: callers, implementers, wire"],
  },
  {
    what: "a number is an integer",
    old: "type: number",
    next: "type: integer",
    request: ["type-narrowed: callers, wire"],
    reply: ["type-narrowed: implementers"],
  },
  {
    what: "an integer is a number",
    old: "type: integer",
    next: "type: number",
    request: ["type-widened: implementers"],
    reply: ["type-widened: callers, wire"],
  },
  {
    what: "a type is one of two",
    old: "type: string",
    next: "type: [string, integer]",
    request: ["type-widened: implementers"],
    reply: ["type-widened: callers, wire"],
  },
  {
    what: "there is a type where there was none",
    old: "description: A",
    next: "description: A, type: string",
    request: ["type-narrowed: callers, wire"],
    reply: ["type-narrowed: implementers"],
  },
  {
    what: "there is no type any more",
    old: "type: boolean",
    next: "",
    request: ["type-widened: implementers"],
    reply: ["type-widened: callers, wire"],
  },
  {
    what: "null is allowed",
    old: "type: string",
    next: "type: [string, 'null']",
    request: ["null-added: implementers"],
    reply: ["null-added: callers, wire"],
  },
  {
    what: "null is not allowed",
    old: "type: [string, 'null']",
    next: "type: string",
    request: ["null-removed: callers, wire"],
    reply: ["null-removed: implementers"],
  },
  {
    what: "null is a branch",
    old: "$ref: '#/components/schemas/Pet'",
    next: "anyOf: [{$ref: '#/components/schemas/Pet'}, {type: 'null'}]",
    schemas: pet,
    request: ["null-added: implementers"],
    reply: ["null-added: callers, wire"],
  },
  {
    what: "null is a type instead of a branch",
    old: "anyOf: [{type: string}, {type: 'null'}]",
    next: "type: [string, 'null']",
    request: [],
    reply: [],
  },
  {
    what: "null is among the values",
    old: "type: string, enum: [a]",
    next: "type: [string, 'null'], enum: [a, null]",
    request: ["null-added: implementers"],
    reply: ["null-added: callers, wire"],
  },
  {
    what: "nothing is allowed",
    old: "type: object, additionalProperties: true",
    next: "type: object, additionalProperties: false",
    request: ["refused: callers, wire"],
    reply: ["refused: callers, implementers, wire"],
  },
  {
    what: "something is allowed",
    old: "type: object, additionalProperties: false",
    next: "type: object",
    request: ["allowed: nobody"],
    reply: ["allowed: nobody"],
  },
  // Values
  {
    what: "a value is added",
    old: "type: string, enum: [a]",
    next: "type: string, enum: [a, b]",
    request: ["enum-value-added: implementers"],
    reply: ["enum-value-added: callers, wire"],
  },
  {
    what: "a value is removed",
    old: "type: string, enum: [a, b]",
    next: "type: string, enum: [b]",
    request: ["enum-value-removed: callers, wire"],
    reply: ["enum-value-removed: implementers"],
  },
  {
    what: "two values are added that begin alike for long",
    old: "type: string, enum: [a]",
    next: `type: string, enum: [a, ${"b".repeat(99)}1, ${"b".repeat(99)}2]`,
    request: ["enum-value-added: implementers", "enum-value-added: implementers"],
    reply: ["enum-value-added: callers, wire", "enum-value-added: callers, wire"],
  },
  {
    what: "values are in another order",
    old: "type: string, enum: [a, b]",
    next: "type: string, enum: [b, a]",
    request: [],
    reply: [],
  },
  {
    what: "a constant is one of two values",
    old: "const: a",
    next: "enum: [a, b]",
    request: ["enum-value-added: implementers"],
    reply: ["enum-value-added: callers, wire"],
  },
  {
    what: "values are listed",
    old: "type: string",
    next: "type: string, enum: [a]",
    request: ["enum-added: callers, wire"],
    reply: ["enum-added: implementers"],
  },
  {
    what: "values are no longer listed",
    old: "type: string, const: a",
    next: "type: string",
    request: ["enum-removed: implementers"],
    reply: ["enum-removed: callers, wire"],
  },
  // Texts
  {
    what: "a format is another",
    old: "type: string, format: date",
    next: "type: string, format: date-time",
    request: ["format-changed: wire"],
    reply: ["format-changed: implementers, wire"],
  },
  {
    what: "a format is there",
    old: "type: string",
    next: "type: string, format: date",
    request: ["format-added: wire"],
    reply: ["format-added: implementers"],
  },
  {
    what: "a format is gone",
    old: "type: string, format: date",
    next: "type: string",
    request: ["format-removed: nobody"],
    reply: ["format-removed: wire"],
  },
  {
    what: "bytes are a text",
    old: "type: string, format: binary",
    next: "type: string",
    request: ["format-changed: wire"],
    reply: ["format-changed: implementers, wire"],
  },
  {
    what: "an encoding is there",
    old: "type: string",
    next: "type: string, contentEncoding: base64",
    request: ["format-changed: wire"],
    reply: ["format-changed: implementers, wire"],
  },
  {
    what: "a pattern is there",
    old: "type: string",
    next: "type: string, pattern: ^a",
    request: ["pattern-added: wire"],
    reply: ["pattern-added: implementers"],
  },
  {
    what: "a pattern is gone",
    old: "type: string, pattern: ^a",
    next: "type: string",
    request: ["pattern-removed: nobody"],
    reply: ["pattern-removed: wire"],
  },
  {
    what: "a pattern is another",
    old: "type: string, pattern: ^a",
    next: "type: string, pattern: ^b",
    request: ["pattern-changed: wire"],
    reply: ["pattern-changed: implementers, wire"],
  },
  // Bounds, at and past each other
  ...bounds("minLength", "string", [3, 4]),
  ...bounds("maxLength", "string", [4, 3]),
  ...bounds("minimum", "integer", [3, 4]),
  ...bounds("maximum", "integer", [4, 3]),
  ...bounds("exclusiveMinimum", "integer", [3, 4]),
  ...bounds("exclusiveMaximum", "integer", [4, 3]),
  ...bounds("multipleOf", "integer", [2, 4]),
  ...bounds("minItems", "array", [1, 2]),
  ...bounds("maxItems", "array", [2, 1]),
  ...bounds("minProperties", "object", [1, 2]),
  ...bounds("maxProperties", "object", [2, 1]),
  {
    what: "a minimum is left out",
    old: "type: integer, minimum: 3",
    next: "type: integer, exclusiveMinimum: 3",
    request: ["bound-tightened: wire"],
    reply: ["bound-tightened: implementers"],
  },
  {
    what: "integers have the same bounds, written otherwise",
    old: "type: [integer, 'null'], exclusiveMinimum: 0, maximum: 9",
    next: "type: [integer, 'null'], minimum: 1, exclusiveMaximum: 10",
    request: [],
    reply: [],
  },
  {
    what: "numbers have other bounds, written otherwise",
    old: "type: number, exclusiveMinimum: 0",
    next: "type: number, minimum: 1",
    request: ["bound-tightened: wire"],
    reply: ["bound-tightened: implementers"],
  },
  {
    what: "a maximum is let in",
    old: "type: integer, exclusiveMaximum: 3",
    next: "type: integer, maximum: 3",
    request: ["bound-loosened: nobody"],
    reply: ["bound-loosened: wire"],
  },
  {
    what: "a minimum that nothing reaches is there",
    old: "type: integer, minimum: 3",
    next: "type: integer, minimum: 3, exclusiveMinimum: 2",
    request: [],
    reply: [],
  },
  {
    what: "a step is a part of what it was",
    old: "type: number, multipleOf: 0.07",
    next: "type: number, multipleOf: 0.01",
    request: ["bound-loosened: nobody"],
    reply: ["bound-loosened: wire"],
  },
  {
    what: "a step is another",
    old: "type: integer, multipleOf: 2",
    next: "type: integer, multipleOf: 3",
    request: ["bound-tightened: wire"],
    reply: ["bound-tightened: implementers"],
  },
  {
    what: "more items have to fit",
    old: "type: array, contains: {type: string}",
    next: "type: array, contains: {type: string}, minContains: 2",
    request: ["bound-tightened: wire"],
    reply: ["bound-tightened: implementers"],
  },
  {
    what: "one item has to fit, as it had to",
    old: "type: array, contains: {type: string}",
    next: "type: array, contains: {type: string}, minContains: 1",
    request: [],
    reply: [],
  },
  {
    what: "only so many items may fit",
    old: "type: array, contains: {type: string}",
    next: "type: array, contains: {type: string}, maxContains: 2",
    request: ["bound-tightened: wire"],
    reply: ["bound-tightened: implementers"],
  },
  // Rules
  {
    what: "no item may come twice",
    old: "type: array",
    next: "type: array, uniqueItems: true",
    request: ["rule-added: wire"],
    reply: ["rule-added: implementers"],
  },
  {
    what: "items may come twice",
    old: "type: array, uniqueItems: true",
    next: "type: array",
    request: ["rule-removed: nobody"],
    reply: ["rule-removed: wire"],
  },
  {
    what: "a condition is another",
    old: "not: {const: a}",
    next: "not: {const: b}",
    request: ["rule-changed: wire"],
    reply: ["rule-changed: implementers, wire"],
  },
  {
    what: "a field calls for another",
    old: "type: object",
    next: "type: object, dependentRequired: {a: [b]}",
    request: ["rule-added: wire"],
    reply: ["rule-added: implementers"],
  },
  {
    what: "a condition has another end",
    old: "if: {const: 1}, then: {maximum: 1}",
    next: "if: {const: 1}, then: {maximum: 2}",
    request: ["rule-changed: wire"],
    reply: ["rule-changed: implementers, wire"],
  },
  // Parts
  {
    what: "the items are others",
    old: "type: array, items: {type: string}",
    next: "type: array, items: {type: string, maxLength: 9}",
    request: ["bound-tightened: wire"],
    reply: ["bound-tightened: implementers"],
  },
  {
    what: "items have a type",
    old: "type: array",
    next: "type: array, items: {type: string}",
    request: ["type-narrowed: callers, wire"],
    reply: ["type-narrowed: implementers"],
  },
  {
    what: "the second item is another",
    old: "type: array, prefixItems: [{type: string}, {type: string}]",
    next: "type: array, prefixItems: [{type: string}, {type: integer}]",
    request: ["type-changed: callers, implementers, wire"],
    reply: ["type-changed: callers, implementers, wire"],
  },
  {
    what: "what has to be contained is another",
    old: "type: array, contains: {type: number}",
    next: "type: array, contains: {type: integer}",
    request: ["type-narrowed: callers, wire"],
    reply: ["type-narrowed: implementers"],
  },
  {
    what: "names have a pattern",
    old: "type: object",
    next: "type: object, propertyNames: {pattern: ^a}",
    request: ["pattern-added: wire"],
    reply: ["pattern-added: implementers"],
  },
  {
    what: "fields of a pattern are others",
    old: "type: object, patternProperties: {^a: {type: number}}",
    next: "type: object, patternProperties: {^a: {type: integer}}",
    request: ["type-narrowed: callers, wire"],
    reply: ["type-narrowed: implementers"],
  },
  {
    what: "a field calls for a schema",
    old: "type: object",
    next: "type: object, dependentSchemas: {a: {minProperties: 2}}",
    request: ["bound-tightened: wire"],
    reply: ["bound-tightened: implementers"],
  },
  {
    what: "fields that nobody evaluates are refused",
    old: "type: object",
    next: "type: object, unevaluatedProperties: false",
    request: ["refused: callers, wire"],
    reply: ["refused: callers, implementers, wire"],
  },
  {
    what: "items that nobody evaluates are refused",
    old: "type: array",
    next: "type: array, unevaluatedItems: false",
    request: ["refused: callers, wire"],
    reply: ["refused: callers, implementers, wire"],
  },
  // Fields
  {
    what: "a required field is added",
    old: "type: object",
    next: "type: object, required: [a], properties: {a: {type: string}}",
    request: ["property-required-added: callers, wire"],
    reply: ["property-required-added: implementers"],
  },
  {
    what: "an optional field is added",
    old: "type: object",
    next: "type: object, properties: {a: {type: string}}",
    request: ["property-added: nobody"],
    reply: ["property-added: nobody"],
  },
  {
    what: "a field is removed",
    old: "type: object, properties: {a: {type: string}}",
    next: "type: object",
    request: ["property-removed: callers, implementers, wire"],
    reply: ["property-removed: callers, implementers, wire"],
  },
  {
    what: "a field is required",
    old: "type: object, properties: {a: {type: string}}",
    next: "type: object, required: [a], properties: {a: {type: string}}",
    request: ["property-required: callers, wire"],
    reply: ["property-required: implementers"],
  },
  {
    what: "a field is optional",
    old: "type: object, required: [a], properties: {a: {type: string}}",
    next: "type: object, properties: {a: {type: string}}",
    request: ["property-optional: implementers"],
    reply: ["property-optional: callers, wire"],
  },
  {
    what: "a field that nothing describes is required",
    old: "type: object",
    next: "type: object, required: [a]",
    request: ["property-required: callers, wire"],
    reply: ["property-required: implementers"],
  },
  {
    what: "a field that nothing describes is optional",
    old: "type: object, required: [a]",
    next: "type: object",
    request: ["property-optional: implementers"],
    reply: ["property-optional: callers, wire"],
  },
  {
    what: "a branch requires a field instead of what is beside it",
    old: "required: [a], allOf: [{type: object, properties: {a: {type: string}}}]",
    next: "allOf: [{type: object, required: [a], properties: {a: {type: string}}}]",
    request: [],
    reply: [],
  },
  {
    what: "a field is required beside the branch that describes it",
    old: "allOf: [{type: object, properties: {a: {type: string}}}]",
    next: "required: [a], allOf: [{type: object, properties: {a: {type: string}}}]",
    request: ["property-required: callers, wire"],
    reply: ["property-required: implementers"],
  },
  {
    what: "fields are in another order",
    old: "type: object, properties: {a: {type: string}, b: {type: string}}",
    next: "type: object, properties: {b: {type: string}, a: {type: string}}",
    request: [],
    reply: [],
  },
  {
    what: "a default is there",
    old: "type: integer",
    next: "type: integer, default: 3",
    request: ["default-changed: wire"],
    reply: ["default-changed: nobody"],
  },
  // Branches
  {
    what: "there is one branch more",
    old: "oneOf: [{type: string}]",
    next: "oneOf: [{type: string}, {type: integer}]",
    request: ["branch-added: implementers"],
    reply: ["branch-added: callers, wire"],
  },
  {
    what: "there is one branch less",
    old: "anyOf: [{type: string}, {type: integer}]",
    next: "anyOf: [{type: integer}]",
    request: ["branch-removed: callers, wire"],
    reply: ["branch-removed: implementers"],
  },
  {
    what: "branches are in another order",
    old: "anyOf: [{type: string}, {type: integer}]",
    next: "anyOf: [{type: integer}, {type: string}]",
    request: [],
    reply: [],
  },
  {
    what: "a branch has a bound",
    old: "anyOf: [{type: string}, {type: integer}]",
    next: "anyOf: [{type: string, maxLength: 3}, {type: integer}]",
    request: ["bound-tightened: wire"],
    reply: ["bound-tightened: implementers"],
  },
  {
    what: "one of two instead of a schema",
    old: "$ref: '#/components/schemas/Cat'",
    next: "oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}]",
    schemas: `${cat}\n${dog}`,
    request: ["branch-added: implementers"],
    reply: ["branch-added: callers, wire"],
  },
  {
    what: "exactly one of the branches",
    old: "anyOf: [{type: string}, {type: integer}]",
    next: "oneOf: [{type: string}, {type: integer}]",
    request: ["rule-added: wire"],
    reply: ["rule-added: implementers"],
  },
  {
    what: "at least one of the branches",
    old: "oneOf: [{type: string}, {type: integer}]",
    next: "anyOf: [{type: string}, {type: integer}]",
    request: ["rule-removed: nobody"],
    reply: ["rule-removed: wire"],
  },
  {
    what: "branches beside fields",
    old: "type: object, properties: {a: {}, b: {}}",
    next: "type: object, properties: {a: {}, b: {}}, anyOf: [{required: [a]}, {required: [b]}]",
    request: ["rule-added: wire"],
    reply: ["rule-added: implementers"],
  },
  {
    what: "a discriminator is another",
    old: `oneOf: [{$ref: '#/components/schemas/Cat'}], discriminator: {${kinds}: {cat: Cat}}`,
    next: `oneOf: [{$ref: '#/components/schemas/Cat'}], discriminator: {${kinds}: {tom: Cat}}`,
    schemas: cat,
    request: ["discriminator-changed: callers, implementers, wire"],
    reply: ["discriminator-changed: callers, implementers, wire"],
  },
  {
    what: "a branch is gone, and the value that stood for it",
    old: `oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}], discriminator: {${kinds}: {cat: Cat, dog: Dog}}`,
    next: `oneOf: [{$ref: '#/components/schemas/Cat'}], discriminator: {${kinds}: {cat: Cat}}`,
    schemas: `${cat}\n${dog}`,
    request: ["branch-removed: callers, wire"],
    reply: ["branch-removed: implementers"],
  },
  {
    what: "a branch is gone, and its value stands for another",
    old: `oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}], discriminator: {${kinds}: {cat: Cat, dog: Dog}}`,
    next: `oneOf: [{$ref: '#/components/schemas/Cat'}], discriminator: {${kinds}: {cat: Cat, dog: Cat}}`,
    schemas: `${cat}\n${dog}`,
    request: ["branch-removed: callers, wire", "discriminator-changed: callers, implementers, wire"],
    reply: ["branch-removed: implementers", "discriminator-changed: callers, implementers, wire"],
  },
];

/** Two cases a change. */
export const shapeCases: readonly Case[] = changes.flatMap(({ what, old, next, schemas = "", request, reply }) => {
  const [before, after] = typeof schemas === "string" ? [schemas, schemas] : schemas;
  return [
    {
      what: `${what}, in a request`,
      old: requestOf(old, before),
      next: requestOf(next, after),
      expected: request.map((each) => `request-${each}`),
    },
    {
      what: `${what}, in a reply`,
      old: replyOf(old, before),
      next: replyOf(next, after),
      expected: reply.map((each) => `reply-${each}`),
    },
  ];
});

/** A bound that is tightened, one that is loosened, and one that is there for the first time. */
function bounds(key: string, type: string, [loose, tight]: readonly [loose: number, tight: number]): readonly Change[] {
  const [tightened, loosened] = [
    { request: ["bound-tightened: wire"], reply: ["bound-tightened: implementers"] },
    { request: ["bound-loosened: nobody"], reply: ["bound-loosened: wire"] },
  ];
  return [
    {
      what: `${key} is tighter`,
      old: `type: ${type}, ${key}: ${loose}`,
      next: `type: ${type}, ${key}: ${tight}`,
      ...tightened,
    },
    {
      what: `${key} is looser`,
      old: `type: ${type}, ${key}: ${tight}`,
      next: `type: ${type}, ${key}: ${loose}`,
      ...loosened,
    },
    { what: `${key} is new`, old: `type: ${type}`, next: `type: ${type}, ${key}: ${loose}`, ...tightened },
  ];
}

import { describeNotes, describeResponse, describeRequest, type DiffCase } from "./diff-cases.support.js";

const field = (keys: string) =>
  describeRequest(`type: object, properties: {a: {type: string${keys === "" ? "" : `, ${keys}`}}}`);
const shown = (keys: string) =>
  describeResponse(`type: object, properties: {a: {type: string${keys === "" ? "" : `, ${keys}`}}}`);
const operation = (keys: string) => describeNotes({ operation: keys });
const union = (mapping: string) =>
  describeResponse(
    `oneOf: [{$ref: '#/components/schemas/Cat'}], discriminator: {propertyName: kind, mapping: {${mapping}}}`,
    "Cat: {type: object, properties: {kind: {type: string}}}",
  );
const rate = "id: creates, kind: rate";
const failure = (keys: string) => operation(`x-errors: [{${keys}}]`);
const effect = (keys: string) => operation(`x-effects: [{${keys}}]`);

export const behaviourDiffCases: readonly DiffCase[] = [
  // Fields
  {
    what: "a discriminator has another value",
    old: union("cat: Cat"),
    next: union("cat: Cat, tom: Cat"),
    expected: ["discriminator-value-added: none"],
  },
  {
    what: "a field is deprecated",
    old: field(""),
    next: field("deprecated: true"),
    expected: ["field-deprecated: none"],
  },
  {
    what: "a field is no longer deprecated",
    old: field("deprecated: true"),
    next: field(""),
    expected: ["field-restored: none"],
  },
  {
    what: "a field in a response is read-only",
    old: shown(""),
    next: shown("readOnly: true"),
    expected: ["field-access-changed: none"],
  },
  {
    what: "a field in a request is read-only",
    old: field(""),
    next: field("readOnly: true"),
    expected: ["request-property-removed: callers, implementers, wire"],
  },
  {
    what: "a field in a response is write-only",
    old: shown(""),
    next: shown("writeOnly: true"),
    expected: ["response-property-removed: callers, implementers, wire"],
  },
  {
    what: "a field may only grow",
    old: field(""),
    next: field("x-mutability: {rule: increase}"),
    expected: ["change-rule-added: wire"],
  },
  {
    what: "a field has no rule for changes",
    old: field("x-mutability: {rule: increase}"),
    next: field(""),
    expected: ["change-rule-removed: none"],
  },
  {
    what: "a field has another rule for changes",
    old: field("x-mutability: {rule: increase}"),
    next: field("x-mutability: {rule: one-way, to: b}"),
    expected: ["change-rule-changed: wire"],
  },
  {
    what: "a value is rounded",
    old: field(""),
    next: field("x-value: [{round: up, to: [1, 2]}]"),
    expected: ["values-changed: wire"],
  },
  {
    what: "a field is described",
    old: field(""),
    next: field("description: The first"),
    expected: ["text-changed: none"],
  },
  { what: "a field has an example", old: field(""), next: field("example: b"), expected: ["example-changed: none"] },
  // Visibility
  {
    what: "a field is visible under a condition",
    old: shown(""),
    next: shown("x-visibility: {in: [createNote]}"),
    expected: ["visibility-added: wire"],
  },
  {
    what: "a field is always visible",
    old: shown("x-visibility: {in: [createNote]}"),
    next: shown(""),
    expected: ["visibility-removed: none"],
  },
  {
    what: "a field is truncated",
    old: shown("x-visibility: {in: [createNote]}"),
    next: shown("x-visibility: {in: [createNote], otherwise: {truncate: 4}}"),
    expected: ["visibility-changed: wire"],
  },
  {
    what: "a response is visible under a condition",
    old: describeNotes({}),
    next: describeNotes({ response: "description: Done, x-visibility: {when: {caller: {required: [user]}}}" }),
    expected: ["visibility-added: wire"],
  },
  {
    what: "a field is filtered by",
    old: shown(""),
    next: shown("x-filterable: true"),
    expected: ["filter-added: none"],
  },
  {
    what: "a field is not filtered by",
    old: shown("x-filterable: true"),
    next: shown(""),
    expected: ["filter-removed: callers, wire"],
  },
  {
    what: "an operator is added",
    old: shown("x-filterable: {operators: [ne]}"),
    next: shown("x-filterable: {operators: [ne, lt]}"),
    expected: ["filter-operator-added: none"],
  },
  {
    what: "an operator is removed",
    old: shown("x-filterable: {operators: [ne, lt]}"),
    next: shown("x-filterable: {operators: [ne]}"),
    expected: ["filter-operator-removed: callers, wire"],
  },
  {
    what: "there are fewer operators than the type allows",
    old: shown("x-filterable: true"),
    next: shown("x-filterable: {operators: [ne]}"),
    expected: ["filter-operator-removed: callers, wire"],
  },
  {
    what: "there are all operators that the type allows",
    old: shown("x-filterable: {operators: [ne]}"),
    next: shown("x-filterable: true"),
    expected: ["filter-operator-added: none"],
  },
  // Limits
  {
    what: "there is a limit",
    old: operation(""),
    next: operation(`x-limits: [{${rate}, max: 10, window: PT30S}]`),
    expected: ["limit-added: wire"],
  },
  {
    what: "there is no limit",
    old: operation(`x-limits: [{${rate}, max: 10, window: PT30S}]`),
    next: operation(""),
    expected: ["limit-removed: none"],
  },
  {
    what: "fewer requests are allowed",
    old: operation(`x-limits: [{${rate}, max: 10, window: PT30S}]`),
    next: operation(`x-limits: [{${rate}, max: 9, window: PT30S}]`),
    expected: ["limit-tightened: wire"],
  },
  {
    what: "requests are counted longer",
    old: operation(`x-limits: [{${rate}, max: 10, window: PT30S}]`),
    next: operation(`x-limits: [{${rate}, max: 10, window: PT31S}]`),
    expected: ["limit-tightened: wire"],
  },
  {
    what: "more requests are allowed",
    old: operation(`x-limits: [{${rate}, max: 10, window: PT30S}]`),
    next: operation(`x-limits: [{${rate}, max: 11, window: PT30S}]`),
    expected: ["limit-loosened: none"],
  },
  {
    what: "more requests are allowed in a longer time",
    old: operation(`x-limits: [{${rate}, max: 10, window: PT30S}]`),
    next: operation(`x-limits: [{${rate}, max: 11, window: PT31S}]`),
    expected: ["limit-changed: wire"],
  },
  {
    what: "objects are kept longer",
    old: operation("x-limits: [{id: kept, kind: retention, window: P7D}]"),
    next: operation("x-limits: [{id: kept, kind: retention, window: P8D}]"),
    expected: ["limit-loosened: none"],
  },
  {
    what: "objects are kept for a shorter time",
    old: operation("x-limits: [{id: kept, kind: retention, window: P8D}]"),
    next: operation("x-limits: [{id: kept, kind: retention, window: P7D}]"),
    expected: ["limit-tightened: wire"],
  },
  {
    what: "a limit counts by account",
    old: operation(`x-limits: [{${rate}, max: 10, window: PT30S}]`),
    next: operation(`x-limits: [{${rate}, max: 10, window: PT30S, per: $caller.account}]`),
    expected: ["limit-changed: wire"],
  },
  {
    what: "the same duration has another notation",
    old: operation(`x-limits: [{${rate}, max: 10, window: PT60S}]`),
    next: operation(`x-limits: [{${rate}, max: 10, window: PT1M}]`),
    expected: [],
  },
  {
    what: "a field has a limit",
    old: field(""),
    next: field("x-limits: [{id: a, kind: serialized-length, max: 10}]"),
    expected: ["limit-added: wire"],
  },
  // Effects
  {
    what: "there is an effect",
    old: operation(""),
    next: effect("id: gone, does: delete, to: Note"),
    expected: ["effect-added: implementers, wire"],
  },
  {
    what: "there is no effect",
    old: effect("id: gone, does: delete, to: Note"),
    next: operation(""),
    expected: ["effect-removed: implementers, wire"],
  },
  {
    what: "an effect changes",
    old: effect("id: gone, does: delete, to: Note"),
    next: effect("id: gone, does: delete, to: Memo"),
    expected: ["effect-changed: implementers, wire"],
  },
  {
    what: "an effect has a summary",
    old: effect("id: gone, does: delete, to: Note"),
    next: effect("id: gone, does: delete, to: Note, summary: It goes"),
    expected: ["text-changed: none"],
  },
  {
    what: "another workflow verifies an effect",
    old: effect("id: gone, does: delete, to: Note, verifiedBy: a"),
    next: effect("id: gone, does: delete, to: Note, verifiedBy: b"),
    expected: [],
  },
  // Errors
  {
    what: "there is an error",
    old: operation(""),
    next: failure("id: full, status: 400, field: null"),
    expected: ["error-added: none"],
  },
  {
    what: "there is no error",
    old: failure("id: full, status: 400, field: null"),
    next: operation(""),
    expected: ["error-removed: implementers"],
  },
  {
    what: "an error has another status",
    old: failure("id: full, status: 400, field: null"),
    next: failure("id: full, status: 409, field: null"),
    expected: ["error-status-changed: wire"],
  },
  {
    what: "an error names a field",
    old: failure("id: full, status: 400, field: null"),
    next: failure("id: full, status: 400, field: a"),
    expected: ["error-changed: wire"],
  },
  {
    what: "an error has a summary",
    old: failure("id: full, status: 400"),
    next: failure("id: full, status: 400, summary: It is full"),
    expected: ["text-changed: none"],
  },
  {
    what: "every operation can fail",
    old: describeNotes({}),
    next: describeNotes({ root: "x-errors: [{id: off, status: 503}]" }),
    expected: ["error-added: none"],
  },
  {
    what: "a field has an error",
    old: field("x-errors: [{id: odd, status: 400}]"),
    next: field(""),
    expected: ["error-removed: implementers"],
  },
];

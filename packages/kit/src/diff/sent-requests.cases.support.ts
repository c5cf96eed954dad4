import { describeNotes, type DiffCase } from "./diff-cases.support.js";

const nothing = describeNotes({});
const noted = (keys: string): string =>
  describeNotes({
    root: `webhooks: {noted: {post: {${keys === "" ? "" : `${keys}, `}responses: {'200': {description: Taken}}}}}`,
  });
const sending = (schema: string): string => noted(`requestBody: {content: {application/json: {schema: {${schema}}}}}`);
const signed = (keys: string): string =>
  noted(`parameters: [{name: X-Signature, in: header, ${keys}schema: {type: string}}]`);
const answered = (responses: string): string =>
  describeNotes({ root: `webhooks: {noted: {post: {responses: {${responses}}}}}` });
const calling = (schema: string): string =>
  describeNotes({
    operation: `callbacks: {done: {'{$request.body#/url}': {post: {requestBody: {content: {application/json: {schema: {${schema}}}}}, responses: {'200': {description: Taken}}}}}}`,
  });

export const sentRequestDiffCases: readonly DiffCase[] = [
  { what: "a webhook is added", old: nothing, next: noted(""), expected: ["sent-request-added: none"] },
  { what: "a webhook is removed", old: noted(""), next: nothing, expected: ["sent-request-removed: callers, wire"] },
  {
    what: "a callback is removed",
    old: calling("type: string"),
    next: nothing,
    expected: ["sent-request-removed: callers, wire"],
  },
  {
    what: "fields of a webhook are removed and added",
    old: sending("type: object, required: [a], properties: {a: {type: string}}"),
    next: sending("type: object, properties: {b: {type: string}}"),
    expected: ["response-property-added: none", "response-property-removed: callers, implementers, wire"],
  },
  {
    what: "a callback sends another value",
    old: calling("type: string, enum: [a]"),
    next: calling("type: string, enum: [a, b]"),
    expected: ["response-enum-value-added: callers, wire"],
  },
  { what: "a webhook has a body", old: noted(""), next: sending("type: string"), expected: ["sent-body-added: none"] },
  {
    what: "a webhook has no body any more",
    old: sending("type: string"),
    next: noted(""),
    expected: ["sent-body-removed: callers, wire"],
  },
  { what: "a webhook is signed", old: noted(""), next: signed(""), expected: ["sent-parameter-added: none"] },
  {
    what: "a webhook is no longer signed",
    old: signed(""),
    next: noted(""),
    expected: ["sent-parameter-removed: callers, wire"],
  },
  {
    what: "a webhook is always signed",
    old: signed(""),
    next: signed("required: true, "),
    expected: ["sent-parameter-required: none"],
  },
  {
    what: "a webhook is signed only sometimes",
    old: signed("required: true, "),
    next: signed(""),
    expected: ["sent-parameter-optional: callers, wire"],
  },
  {
    what: "receivers may answer without content",
    old: answered("'200': {description: Taken}"),
    next: answered("'200': {description: Taken}, '204': {description: Taken}"),
    expected: ["sent-response-added: none"],
  },
  {
    what: "receivers may no longer answer without content",
    old: answered("'200': {description: Taken}, '204': {description: Taken}"),
    next: answered("'200': {description: Taken}"),
    expected: ["sent-response-removed: callers, wire"],
  },
  {
    what: "receivers have to answer with a field",
    old: answered(
      "'200': {description: Taken, content: {application/json: {schema: {type: object, properties: {a: {type: string}}}}}}",
    ),
    next: answered(
      "'200': {description: Taken, content: {application/json: {schema: {type: object, required: [a], properties: {a: {type: string}}}}}}",
    ),
    expected: ["request-property-required: callers, wire"],
  },
];

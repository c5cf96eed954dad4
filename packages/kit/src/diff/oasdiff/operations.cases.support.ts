import { describeGet } from "../diff-cases.support.js";
import type { OasdiffRow } from "./oasdiff-rows.support.js";

const listDrafts = "/drafts:\n  get: {operationId: listDrafts, responses: {'200': {description: Yes}}}";
const schemes =
  "token: {type: http, scheme: bearer}, key: {type: apiKey, in: header, name: X-Key}, o: {type: oauth2, flows: {clientCredentials: {tokenUrl: 'https://a.example', scopes: {read: r, write: w}}}}";

/** Operations, their parameters, bodies, responses and security. */
export const operationRows: readonly OasdiffRow[] = [
  {
    checks: "api-path-removed-without-deprecation",
    level: "ERR",
    pair: [{ paths: describeGet() }, {}],
    expected: ["operation-removed: callers, implementers, wire"],
  },
  {
    checks: "api-removed-without-deprecation",
    level: "ERR",
    pair: [
      {
        paths: `${listDrafts}\n  put: {operationId: saveDrafts, responses: {'200': {description: Yes}}}`,
      },
      { paths: listDrafts },
    ],
    expected: ["operation-removed: callers, implementers, wire"],
  },
  {
    checks: "new-required-request-parameter",
    level: "ERR",
    pair: [{}, { operation: "parameters: [{name: q, in: query, required: true, schema: {type: string}}]" }],
    expected: ["parameter-required-added: callers, wire"],
  },
  {
    checks: "new-required-request-default-parameter-to-existing-path",
    level: "ERR",
    pair: [
      { paths: listDrafts },
      {
        paths:
          "/drafts:\n  parameters: [{name: q, in: query, required: true, schema: {type: string}}]\n  get: {operationId: listDrafts, responses: {'200': {description: Yes}}}",
      },
    ],
    expected: ["parameter-required-added: callers, wire"],
  },
  {
    checks: "new-request-path-parameter",
    level: "ERR",
    pair: [
      { paths: "/drafts/{id}:\n  get: {operationId: readDraft, responses: {'200': {description: Yes}}}" },
      {
        paths:
          "/drafts/{id}:\n  get: {operationId: readDraft, parameters: [{name: id, in: path, required: true, schema: {type: string}}], responses: {'200': {description: Yes}}}",
      },
    ],
    expected: [],
    differs: {
      right: "ours",
      because: "The path contained the parameter before. Until it is described, it counts as a text.",
    },
  },
  {
    checks: "request-parameter-became-required",
    level: "ERR",
    pair: [
      { operation: "parameters: [{name: q, in: query, schema: {type: string}}]" },
      { operation: "parameters: [{name: q, in: query, required: true, schema: {type: string}}]" },
    ],
    expected: ["parameter-required: callers, wire"],
  },
  {
    checks: "request-parameter-removed",
    level: "WARN",
    pair: [{ operation: "parameters: [{name: q, in: query, schema: {type: string}}]" }, {}],
    expected: ["parameter-removed: callers, implementers, wire"],
  },
  {
    checks: "request-parameter-default-value-changed",
    level: "ERR, later INFO",
    pair: [
      { operation: "parameters: [{name: q, in: query, schema: {type: integer, default: 1}}]" },
      { operation: "parameters: [{name: q, in: query, schema: {type: integer, default: 2}}]" },
    ],
    expected: ["request-default-changed: wire"],
    differs: { right: "ours", because: "A request that omits the parameter has another meaning." },
  },
  {
    checks: "request-parameter-default-value-added",
    level: "ERR, later INFO",
    pair: [
      { operation: "parameters: [{name: q, in: query, schema: {type: integer}}]" },
      { operation: "parameters: [{name: q, in: query, schema: {type: integer, default: 1}}]" },
    ],
    expected: ["request-default-changed: wire"],
    differs: { right: "ours", because: "A request that omits the parameter may have another meaning." },
  },
  {
    checks: "request-parameter-default-value-removed",
    level: "ERR, later INFO",
    pair: [
      { operation: "parameters: [{name: q, in: query, schema: {type: integer, default: 1}}]" },
      { operation: "parameters: [{name: q, in: query, schema: {type: integer}}]" },
    ],
    expected: ["request-default-changed: wire"],
    differs: { right: "ours", because: "A request that omits the parameter may have another meaning." },
  },
  {
    checks: "request-body-added-required",
    level: "ERR",
    pair: [{}, { body: "required: true, content: {application/json: {schema: {type: string}}}" }],
    expected: ["body-required-added: callers, wire"],
  },
  {
    checks: "request-body-removed",
    level: "ERR",
    pair: [{ body: "required: true, content: {application/json: {schema: {type: string}}}" }, {}],
    expected: ["body-removed: callers, implementers, wire"],
  },
  {
    checks: "request-body-became-required",
    level: "ERR",
    pair: [
      { body: "content: {application/json: {schema: {type: string}}}" },
      { body: "required: true, content: {application/json: {schema: {type: string}}}" },
    ],
    expected: ["body-required: callers, wire"],
  },
  {
    checks: "request-body-media-type-removed",
    level: "ERR",
    pair: [
      { body: "content: {application/json: {schema: {type: string}}, text/plain: {schema: {type: string}}}" },
      { body: "content: {application/json: {schema: {type: string}}}" },
    ],
    expected: ["request-media-removed: callers, wire"],
  },
  {
    checks: "request-body-media-type-schema-added",
    level: "ERR",
    pair: [
      { body: "content: {application/json: {}}" },
      { body: "content: {application/json: {schema: {type: string}}}" },
    ],
    expected: ["request-type-narrowed: callers, wire"],
  },
  {
    checks: "response-body-media-type-schema-removed",
    level: "WARN, later ERR",
    pair: [
      { response: "description: Done, content: {application/json: {schema: {type: string}}}" },
      { response: "description: Done, content: {application/json: {}}" },
    ],
    expected: ["response-type-widened: callers, wire"],
  },
  {
    checks: "response-media-type-removed",
    level: "ERR",
    pair: [
      {
        response:
          "description: Done, content: {application/json: {schema: {type: string}}, text/plain: {schema: {type: string}}}",
      },
      { response: "description: Done, content: {application/json: {schema: {type: string}}}" },
    ],
    expected: ["response-media-removed: callers, implementers, wire"],
  },
  {
    checks: "response-media-type-name-generalized",
    level: "ERR",
    pair: [
      { response: "description: Done, content: {application/vnd.note+json: {schema: {type: string}}}" },
      { response: "description: Done, content: {application/json: {schema: {type: string}}}" },
    ],
    expected: ["response-media-added: none", "response-media-removed: callers, implementers, wire"],
  },
  {
    checks: "response-success-status-removed",
    level: "ERR",
    pair: [
      {
        paths:
          "/drafts:\n  put: {operationId: saveDrafts, responses: {'200': {description: Changed}, '201': {description: Created}}}",
      },
      { paths: "/drafts:\n  put: {operationId: saveDrafts, responses: {'200': {description: Changed}}}" },
    ],
    expected: ["response-success-removed: callers, implementers, wire"],
  },
  {
    checks: "response-header-became-optional",
    level: "ERR",
    pair: [
      { response: "description: Done, headers: {X-Age: {required: true, schema: {type: string}}}" },
      { response: "description: Done, headers: {X-Age: {schema: {type: string}}}" },
    ],
    expected: ["header-optional: callers, wire"],
  },
  {
    checks: "required-response-header-removed",
    level: "ERR",
    pair: [{ response: "description: Done, headers: {X-Age: {required: true, schema: {type: string}}}" }, {}],
    expected: ["header-removed: callers, implementers, wire"],
  },
  {
    checks: "optional-response-header-removed",
    level: "WARN",
    pair: [{ response: "description: Done, headers: {X-Age: {schema: {type: string}}}" }, {}],
    expected: ["header-removed: callers, implementers, wire"],
  },
  {
    checks: "webhook-removed",
    level: "ERR",
    pair: [{ root: "webhooks: {noted: {post: {responses: {'200': {description: Taken}}}}}" }, {}],
    expected: ["sent-request-removed: callers, wire"],
  },
  {
    checks: "api-security-removed",
    level: "INFO, later ERR",
    pair: [
      { schemes, operation: "security: [{token: []}, {key: []}]" },
      { schemes, operation: "security: [{token: []}]" },
    ],
    expected: ["security-alternative-removed: callers, wire"],
  },
  {
    checks: "api-security-scope-added",
    level: "INFO, later ERR",
    pair: [
      { schemes, operation: "security: [{o: [read]}]" },
      { schemes, operation: "security: [{o: [read, write]}]" },
    ],
    expected: ["security-scope-added: wire"],
  },
  {
    checks: "api-global-security-removed",
    level: "INFO, later ERR",
    pair: [
      { schemes, root: "security: [{token: []}, {key: []}]" },
      { schemes, root: "security: [{token: []}]" },
    ],
    expected: ["security-alternative-removed: callers, wire"],
  },
  {
    checks: "api-global-security-scope-added",
    level: "INFO, later ERR",
    pair: [
      { schemes, root: "security: [{o: [read]}]" },
      { schemes, root: "security: [{o: [read, write]}]" },
    ],
    expected: ["security-scope-added: wire"],
  },
  {
    checks: "request-body-media-type-item-schema-added",
    level: "later ERR",
    pair: [
      { body: "content: {application/jsonl: {}}" },
      { body: "content: {application/jsonl: {itemSchema: {type: string}}}" },
    ],
    expected: ["request-type-narrowed: callers, wire"],
  },
  {
    checks: "response-body-media-type-item-schema-removed",
    level: "later ERR",
    pair: [
      {
        response:
          "description: Done, content: {application/jsonl: {schema: {type: array}, itemSchema: {type: string}}}",
      },
      { response: "description: Done, content: {application/jsonl: {schema: {type: array}}}" },
    ],
    expected: ["response-type-widened: callers, wire"],
  },
  {
    checks: "response-body-media-type-item-schema-removed-untyped",
    level: "later ERR",
    pair: [
      { response: "description: Done, content: {application/jsonl: {itemSchema: {type: string}}}" },
      { response: "description: Done, content: {application/jsonl: {}}" },
    ],
    expected: ["response-type-widened: callers, wire"],
  },
];

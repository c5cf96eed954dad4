import { describeGet } from "../diff-cases.support.js";
import type { OasdiffRow } from "./oasdiff-rows.support.js";

const listDrafts = "/drafts:\n  get: {operationId: listDrafts, responses: {'200': {description: Yes}}}";

/** Deprecations, sunsets and levels of stability. */
export const lifecycleRows: readonly OasdiffRow[] = [
  {
    checks: "api-deprecated-sunset-missing",
    level: "ERR",
    pair: [{}, { operation: "deprecated: true" }],
    expected: ["operation-deprecated: none"],
    differs: {
      right: "ours",
      because:
        "A deprecated operation works as before. oasdiff demands a date only with its option for a period of grace.",
    },
  },
  {
    checks: "api-deprecated-sunset-parse",
    level: "ERR",
    pair: [{}, { operation: "deprecated: true\nx-sunset: soon" }],
    expected: ["operation-deprecated: none"],
    differs: {
      right: "ours",
      because: "The operation works as before. The linter reports the date as `deprecation/dates`.",
    },
  },
  {
    checks: "api-sunset-date-too-small",
    level: "ERR",
    pair: [{}, { operation: "deprecated: true\nx-sunset: '2026-01-02'" }],
    expected: ["operation-deprecated: none", "sunset-added: none"],
    differs: {
      right: "ours",
      because: "The operation works as before. How long it has to do so is a policy of its team.",
    },
  },
  {
    checks: "sunset-deleted",
    level: "ERR",
    pair: [{ operation: "deprecated: true\nx-sunset: '2099-01-01'" }, { operation: "deprecated: true" }],
    expected: ["sunset-removed: none"],
    differs: { right: "ours", because: "The operation works longer than announced." },
  },
  {
    checks: "api-sunset-date-changed-too-small",
    level: "ERR",
    pair: [
      { operation: "deprecated: true\nx-sunset: '2099-01-01'" },
      { operation: "deprecated: true\nx-sunset: '2026-01-02'" },
    ],
    expected: ["sunset-earlier: wire"],
  },
  {
    checks: "api-path-removed-before-sunset",
    level: "ERR",
    pair: [
      {
        paths: describeGet("operationId: listNotes\n    deprecated: true\n    x-sunset: '2099-01-01'"),
      },
      {},
    ],
    expected: ["operation-sunset: callers, implementers, wire"],
  },
  {
    checks: "api-removed-before-sunset",
    level: "ERR",
    pair: [
      {
        paths: `${listDrafts}\n  put: {operationId: saveDrafts, deprecated: true, x-sunset: '2099-01-01', responses: {'200': {description: Yes}}}`,
      },
      { paths: listDrafts },
    ],
    expected: ["operation-sunset: callers, implementers, wire"],
  },
  {
    checks: "api-path-sunset-parse",
    level: "ERR",
    pair: [
      {
        paths: describeGet("operationId: listNotes\n    deprecated: true\n    x-sunset: soon"),
      },
      {},
    ],
    expected: ["operation-removed: callers, implementers, wire"],
  },
  {
    checks: "request-parameter-deprecated-sunset-missing",
    level: "ERR",
    pair: [
      { operation: "parameters: [{name: q, in: query, schema: {type: string}}]" },
      { operation: "parameters: [{name: q, in: query, deprecated: true, schema: {type: string}}]" },
    ],
    expected: ["parameter-deprecated: none"],
    differs: { right: "ours", because: "A deprecated parameter works as before." },
  },
  {
    checks: "request-parameter-sunset-date-too-small",
    level: "ERR",
    pair: [
      { operation: "parameters: [{name: q, in: query, schema: {type: string}}]" },
      {
        operation:
          "parameters: [{name: q, in: query, deprecated: true, x-sunset: '2026-01-02', schema: {type: string}}]",
      },
    ],
    expected: ["parameter-deprecated: none"],
    differs: {
      right: "ours",
      because: "The parameter works as before. How long it has to do so is a policy of its team.",
    },
  },
  {
    checks: "request-parameter-sunset-deleted",
    level: "ERR",
    pair: [
      {
        operation:
          "parameters: [{name: q, in: query, deprecated: true, x-sunset: '2099-01-01', schema: {type: string}}]",
      },
      { operation: "parameters: [{name: q, in: query, deprecated: true, schema: {type: string}}]" },
    ],
    expected: [],
    differs: { right: "ours", because: "The parameter works longer than announced." },
  },
  {
    checks: "request-parameter-sunset-date-changed-too-small",
    level: "ERR",
    pair: [
      {
        operation:
          "parameters: [{name: q, in: query, deprecated: true, x-sunset: '2099-01-01', schema: {type: string}}]",
      },
      {
        operation:
          "parameters: [{name: q, in: query, deprecated: true, x-sunset: '2026-01-02', schema: {type: string}}]",
      },
    ],
    expected: [],
    differs: {
      right: "oasdiff",
      because: "Missed: programs may rely on the old date, but only the sunset of an operation is read.",
    },
  },
  {
    checks: "request-parameter-removed-before-sunset",
    level: "ERR",
    pair: [
      {
        operation:
          "parameters: [{name: q, in: query, deprecated: true, x-sunset: '2099-01-01', schema: {type: string}}]",
      },
      {},
    ],
    expected: ["parameter-removed: callers, implementers, wire"],
  },
  {
    checks: "request-parameter-sunset-parse",
    level: "ERR",
    pair: [
      { operation: "parameters: [{name: q, in: query, deprecated: true, x-sunset: soon, schema: {type: string}}]" },
      {},
    ],
    expected: ["parameter-removed: callers, implementers, wire"],
  },
  {
    checks: "{request,response}-property-deprecated-sunset-missing",
    level: "ERR",
    pair: ["type: string", "type: string, deprecated: true"],
    expected: ["field-deprecated: none"],
    differs: { right: "ours", because: "A deprecated field works as before." },
  },
  {
    checks: "{request,response}-property-deprecated-sunset-invalid",
    level: "ERR",
    pair: ["type: string", "type: string, deprecated: true, x-sunset: soon"],
    expected: ["field-deprecated: none"],
    differs: { right: "ours", because: "A deprecated field works as before." },
  },
  {
    checks: "{request,response}-property-sunset-date-too-small",
    level: "ERR",
    pair: ["type: string", "type: string, deprecated: true, x-sunset: '2026-01-02'"],
    expected: ["field-deprecated: none"],
    differs: {
      right: "ours",
      because: "A deprecated field works as before. How long it has to do so is a policy of its team.",
    },
  },
  {
    checks: "api-stability-decreased",
    level: "ERR",
    pair: [{ operation: "x-stability-level: stable" }, { operation: "x-stability-level: beta" }],
    expected: [],
    differs: {
      right: "ours",
      because: "The level promises how much may change later. No request and no response changes now.",
    },
  },
  {
    checks: "api-invalid-stability-level",
    level: "ERR",
    pair: [{ operation: "x-stability-level: stable" }, { operation: "x-stability-level: firm" }],
    expected: [],
    differs: {
      right: "ours",
      because:
        "No request and no response changes. With strict rules, the linter reports the extension as `extension/unknown`.",
    },
  },
  {
    checks: "{request,response}-property-stability-decreased",
    level: "ERR",
    pair: ["type: string, x-stability-level: stable", "type: string, x-stability-level: beta"],
    expected: [],
    differs: {
      right: "ours",
      because: "The level promises how much may change later. No request and no response changes now.",
    },
  },
];

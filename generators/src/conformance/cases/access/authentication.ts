import type { Caller, Case, MakeStep, Step, Template } from "@plumbline/conformance-runtime";
import { allowsAnonymous, type Operation } from "@plumbline/kit/model";
import { createCase, requirementIds, type ConformanceContext } from "../../context/context.js";
import { requiresBearerToken, requiresToken, schemeRequirements } from "../../context/security-schemes.js";
import { acceptedCall } from "../../possible-cases.js";
import { withAuthorization, rejectedPlan, findTokenSource, type TokenSource } from "../../requests/callers.js";
import { expectRejection } from "../../requests/expect-error.js";
import { setupStep, planRequest } from "../../requests/request-plan.js";
import { partlyPublicCases } from "./partly-public-lists.js";

/** Cases of authentication: no token, an invalid one, an expired one. */
export function authenticationCases(context: ConformanceContext): readonly Case[] {
  return [
    ...context.api.operations.flatMap((operation) =>
      allowsAnonymous(operation) ? publicCases(context, operation) : noTokenCases(context, operation),
    ),
    ...partlyPublicCases(context),
    ...headerFormCases(context),
    ...expiredCases(context),
  ];
}

function noTokenCases(context: ConformanceContext, operation: Operation): readonly Case[] {
  const errors = context.api.scopeGrammar?.errors;
  const missing = expectRejection(context, operation, { id: errors?.missing, defaultStatuses: [401, 403] });
  const plan = rejectedPlan(context, operation);
  const anonymous = createCase(context, {
    operation,
    kind: "security",
    idParts: ["security", "anonymous"],
    title: `${operation.name} is rejected without a token`,
    requirements: missing.requirements,
    contextRequirements: requirementIds(operation.sources),
    steps: [...plan.setupSteps, { ...plan.call, by: "anonymous", expect: missing.expect }],
  });
  return [anonymous, ...(requiresToken(context.api, operation) ? badTokenCases(context, operation) : [])];
}

/** A public operation needs no token, but rejects an invalid one. */
function publicCases(context: ConformanceContext, operation: Operation): readonly Case[] {
  // Other cases need the shared object, which a change would remove from them.
  const reads = operation.method === "GET" || operation.method === "HEAD";
  const plan = planRequest(context, operation, { objects: reads ? "shared" : "own" });
  const isOwned = operation.parameters.some(
    ({ reference }) => reference !== undefined && context.resources.get(reference.to)?.owner[0] !== "platform",
  );
  const open = createCase(context, {
    operation,
    kind: "security",
    idParts: ["security", "anonymous"],
    title: `${operation.name} works without a token`,
    requirements: schemeRequirements(context, "anonymous"),
    contextRequirements: requirementIds(operation.sources),
    requires: plan.requires,
    steps: [...plan.setupSteps, acceptedCall(context, plan, { by: "anonymous" })],
  });
  const evaluated = context.api.scopeGrammar === undefined ? [] : badTokenCases(context, operation);
  return [...(isOwned ? [] : [open]), ...evaluated];
}

function badTokenCases(context: ConformanceContext, operation: Operation): readonly Case[] {
  const invalid = expectRejection(context, operation, {
    id: context.api.scopeGrammar?.errors.invalid,
    defaultStatuses: [401, 403],
  });
  const plan = rejectedPlan(context, operation);
  const source = findTokenSource(context);
  const token: Template = { $get: `credential#/${source?.secret ?? "token"}` };
  const rejection = (about: string, title: string, by: Caller, before: readonly Step[] = []): Case =>
    createCase(context, {
      operation,
      kind: "security",
      idParts: ["security", about],
      title: `${operation.name} is rejected ${title}`,
      requirements: invalid.requirements,
      steps: [...before, ...plan.setupSteps, { ...plan.call, by, expect: invalid.expect }],
    });
  const unknown = rejection("unknown-token", "with an unknown token", { token: { $repeat: ["5eed", 16] } });
  if (source === undefined) return [unknown];
  const revokedToken = rejection("revoked-token", "with a token that was revoked", { token }, [
    createdToken(context, source, { fresh: true }),
    ...revokeSteps(context, source),
  ]);
  // A public operation may get a token, too: it is sent as in other operations.
  if (!allowsAnonymous(operation) && !requiresBearerToken(context.api, operation)) return [unknown, revokedToken];
  const shared = [createdToken(context, source)];
  return [
    unknown,
    rejection("other-scheme", "with a valid token under another scheme", withAuthorization("Basic ", token), shared),
    rejection("longer-token", "with a valid token and trailing text", withAuthorization("Bearer ", token, "0"), shared),
    revokedToken,
  ];
}

/** Forms of the header, tested with one operation of the API. */
function headerFormCases(context: ConformanceContext): readonly Case[] {
  const source = findTokenSource(context);
  const operation = context.api.operations.find(
    (each) => each.name === source?.resource.list && !allowsAnonymous(each),
  );
  if (source === undefined || operation === undefined || !requiresBearerToken(context.api, operation)) return [];
  const invalid = expectRejection(context, operation, {
    id: context.api.scopeGrammar?.errors.invalid,
    defaultStatuses: [401, 403],
  });
  const call = planRequest(context, operation, { objects: "shared" }).call;
  const token: Template = { $get: `credential#/${source.secret}` };
  const form = (about: string, title: string, by: Caller, isGood = false): Case =>
    createCase(context, {
      operation,
      kind: "security",
      idParts: ["security", "forms", about],
      title,
      requirements: isGood
        ? schemeRequirements(context, "token")
        : [...invalid.requirements, ...schemeRequirements(context, "token")],
      steps: [createdToken(context, source), { ...call, by, ...(isGood ? {} : { expect: invalid.expect }) }],
    });
  const readOperation = context.operations.get(source.resource.read ?? "");
  const read = readOperation === undefined ? undefined : planRequest(context, readOperation, { objects: "shared" });
  const path = read?.call.path ?? {};
  const [name = ""] = Object.keys(path).slice(-1);
  const beginning: readonly Case[] =
    read === undefined
      ? []
      : [
          createCase(context, {
            operation,
            kind: "security",
            idParts: ["security", "forms", "shown-beginning"],
            title: "The truncated form of a token is rejected",
            requirements: invalid.requirements,
            steps: [
              createdToken(context, source),
              { ...read.call, path: { ...path, [name]: { $get: "credential#/id" } }, as: "read", setup: true },
              { ...call, by: { token: { $get: `read#/body/${source.secret}` } }, expect: invalid.expect },
            ],
          }),
        ];
  return [
    form("good", "A created token is accepted", withAuthorization("Bearer ", token), true),
    form("lower-case", "The name of the scheme is case-insensitive", withAuthorization("bearer ", token), true),
    form("before", "A token with leading text is rejected", withAuthorization("Bearer 0", token)),
    form("no-scheme", "A token without the name of its scheme is rejected", withAuthorization(token)),
    form("scheme-alone", "The name of the scheme without a token is rejected", withAuthorization("Bearer")),
    form("glued", "The name of the scheme and the token need a separator", withAuthorization("Bearer", token)),
    ...beginning,
  ];
}

/** A token with an expiry works until then. One operation of each area also checks that it works before. */
function expiredCases(context: ConformanceContext): readonly Case[] {
  const source = findTokenSource(context);
  const stateMachine = context.api.stateMachines.find(({ resource }) => resource === source?.resource.name);
  const ends = (stateMachine?.transitions ?? []).flatMap(({ event, sources }) =>
    event.kind === "at" ? [{ by: event, sources }] : [],
  );
  const [end] = ends;
  if (source === undefined || end === undefined || context.controls === undefined) return [];
  const tags = new Set<string>();
  return context.api.operations.flatMap((operation) => {
    if (allowsAnonymous(operation)) return [];
    const isPlain = operation.method === "GET" && !operation.parameters.some((each) => each.in === "path");
    const isFirst = isPlain && !tags.has(operation.tag);
    if (isFirst) tags.add(operation.tag);
    const invalid = expectRejection(context, operation, {
      id: context.api.scopeGrammar?.errors.invalid,
      defaultStatuses: [401, 403],
    });
    const by: Caller = { token: { $get: `credential#/${source.secret}` } };
    const { setupSteps, call } = isFirst
      ? planRequest(context, operation, { objects: "shared" })
      : rejectedPlan(context, operation);
    return [
      createCase(context, {
        operation,
        kind: "security",
        idParts: ["security", "expired-token"],
        title: `${operation.name} is rejected with a token that has expired${isFirst ? ", and not before" : ""}`,
        requirements: [...invalid.requirements, ...requirementIds(end.sources)],
        steps: [
          ...setupSteps,
          createdToken(context, source, { fresh: true, with: { [end.by.at]: { $time: "PT1H" } } }),
          ...(isFirst
            ? [{ ...call, by }, { advance: "PT59M" }, { ...call, by }, { advance: "PT2M" }]
            : [{ advance: "PT61M" }]),
          { ...call, by, expect: invalid.expect },
        ],
      }),
    ];
  });
}

/** A token with all scopes, bound to `credential`. */
function createdToken(
  { api }: ConformanceContext,
  { resource, scopes }: TokenSource,
  { fresh = false, with: laid = {} }: { readonly fresh?: boolean; readonly with?: Record<string, Template> } = {},
): MakeStep {
  return {
    make: resource.name,
    as: "credential",
    with: { [scopes]: api.scopeGrammar?.all ?? "*", ...laid },
    ...(fresh ? { fresh: true as const } : {}),
  };
}

function revokeSteps(context: ConformanceContext, { resource }: TokenSource): readonly Step[] {
  const remove = context.operations.get(resource.delete ?? "");
  const [pathParameter] = (remove?.parameters ?? []).filter((each) => each.in === "path").slice(-1);
  if (remove === undefined || pathParameter === undefined) return [];
  return [
    setupStep({
      call: remove.name,
      path: { [pathParameter.name]: { $get: `credential#/${pathParameter.reference?.by ?? "id"}` } },
    }),
  ];
}

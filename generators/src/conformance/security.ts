import type { Caller, Case, MakeStep, Step, Template } from "@plumbline/conformance-runtime";
import type { Operation } from "../model/api.js";
import { presenting, refusedPlan, tokenSource, type TokenSource } from "./callers.js";
import { caseOf, requirementsOf, type Context } from "./context.js";
import { openCases } from "./open.js";
import { given, planOf } from "./plans.js";
import { refusedWith } from "./refused.js";
import { asksForBearer, asksForToken, schemeRequirements } from "./schemes.js";

/** Cases of authentication: no token, an invalid one, an expired one. */
export function securityCases(context: Context): readonly Case[] {
  return [
    ...context.api.operations.flatMap((operation) =>
      isPublic(operation) ? publicCases(context, operation) : closedCases(context, operation),
    ),
    ...openCases(context),
    ...formCases(context),
    ...expiredCases(context),
  ];
}

/** True when anonymous callers are allowed. */
export function isPublic({ security }: Operation): boolean {
  return security.length === 0 || security.some((alternative) => alternative.length === 0);
}

function closedCases(context: Context, operation: Operation): readonly Case[] {
  const errors = context.api.scopes?.errors;
  const missing = refusedWith(context, operation, { id: errors?.missing, usual: [401, 403] });
  const plan = refusedPlan(context, operation);
  const anonymous = caseOf(context, {
    operation,
    kind: "security",
    about: ["security", "anonymous"],
    title: `${operation.name} is rejected without a token`,
    requirements: missing.requirements,
    around: requirementsOf(operation.sources),
    steps: [...plan.before, { ...plan.call, by: "anonymous", expect: missing.expect }],
  });
  return [anonymous, ...(asksForToken(context.api, operation) ? badTokenCases(context, operation) : [])];
}

/** A public operation needs no token, but rejects an invalid one. */
function publicCases(context: Context, operation: Operation): readonly Case[] {
  const plan = planOf(context, operation, { objects: "shared" });
  const isOwned = operation.parameters.some(
    ({ reference }) => reference !== undefined && context.resources.get(reference.to)?.owner[0] !== "platform",
  );
  const open = caseOf(context, {
    operation,
    kind: "security",
    about: ["security", "anonymous"],
    title: `${operation.name} works without a token`,
    requirements: schemeRequirements(context, "anonymous"),
    around: requirementsOf(operation.sources),
    needs: plan.needs,
    steps: [...plan.before, { ...plan.call, by: "anonymous" }],
  });
  const evaluated = context.api.scopes === undefined ? [] : badTokenCases(context, operation);
  return [...(isOwned ? [] : [open]), ...evaluated];
}

function badTokenCases(context: Context, operation: Operation): readonly Case[] {
  const invalid = refusedWith(context, operation, { id: context.api.scopes?.errors.invalid, usual: [401, 403] });
  const plan = refusedPlan(context, operation);
  const source = tokenSource(context);
  const token: Template = { $get: `credential#/${source?.secret ?? "token"}` };
  const rejection = (about: string, title: string, by: Caller, before: readonly Step[] = []): Case =>
    caseOf(context, {
      operation,
      kind: "security",
      about: ["security", about],
      title: `${operation.name} is rejected ${title}`,
      requirements: invalid.requirements,
      steps: [...before, ...plan.before, { ...plan.call, by, expect: invalid.expect }],
    });
  const unknown = rejection("unknown-token", "with an unknown token", { token: { $repeat: ["5eed", 16] } });
  if (source === undefined) return [unknown];
  const revokedToken = rejection("revoked-token", "with a token that was revoked", { token }, [
    made(context, source, { fresh: true }),
    ...revoking(context, source),
  ]);
  // A public operation may get a token, too: it is sent as in other operations.
  if (!isPublic(operation) && !asksForBearer(context.api, operation)) return [unknown, revokedToken];
  const shared = [made(context, source)];
  return [
    unknown,
    rejection("other-scheme", "with a valid token under another scheme", presenting("Basic ", token), shared),
    rejection("longer-token", "with a valid token and trailing text", presenting("Bearer ", token, "0"), shared),
    revokedToken,
  ];
}

/** Forms of the header, tested with one operation of the API. */
function formCases(context: Context): readonly Case[] {
  const source = tokenSource(context);
  const operation = context.api.operations.find((each) => each.name === source?.resource.list && !isPublic(each));
  if (source === undefined || operation === undefined || !asksForBearer(context.api, operation)) return [];
  const invalid = refusedWith(context, operation, { id: context.api.scopes?.errors.invalid, usual: [401, 403] });
  const call = planOf(context, operation, { objects: "shared" }).call;
  const token: Template = { $get: `credential#/${source.secret}` };
  const form = (about: string, title: string, by: Caller, isGood = false): Case =>
    caseOf(context, {
      operation,
      kind: "security",
      about: ["security", "forms", about],
      title,
      requirements: isGood
        ? schemeRequirements(context, "token")
        : [...invalid.requirements, ...schemeRequirements(context, "token")],
      steps: [made(context, source), { ...call, by, ...(isGood ? {} : { expect: invalid.expect }) }],
    });
  const read = context.operations.get(source.resource.read ?? "");
  const shown = read === undefined ? undefined : planOf(context, read, { objects: "shared" });
  const path = shown?.call.path ?? {};
  const [own = ""] = Object.keys(path).slice(-1);
  const beginning: readonly Case[] =
    shown === undefined
      ? []
      : [
          caseOf(context, {
            operation,
            kind: "security",
            about: ["security", "forms", "shown-beginning"],
            title: "The truncated form of a token is rejected",
            requirements: invalid.requirements,
            steps: [
              made(context, source),
              { ...shown.call, path: { ...path, [own]: { $get: "credential#/id" } }, as: "read", given: true },
              { ...call, by: { token: { $get: `read#/body/${source.secret}` } }, expect: invalid.expect },
            ],
          }),
        ];
  return [
    form("good", "A created token is accepted", presenting("Bearer ", token), true),
    form("lower-case", "The name of the scheme is case-insensitive", presenting("bearer ", token), true),
    form("before", "A token with leading text is rejected", presenting("Bearer 0", token)),
    form("no-scheme", "A token without the name of its scheme is rejected", presenting(token)),
    form("scheme-alone", "The name of the scheme without a token is rejected", presenting("Bearer")),
    form("glued", "The name of the scheme and the token need a separator", presenting("Bearer", token)),
    ...beginning,
  ];
}

/** A token with an expiry works until then. One operation of each area also checks that it works before. */
function expiredCases(context: Context): readonly Case[] {
  const source = tokenSource(context);
  const machine = context.api.machines.find(({ resource }) => resource === source?.resource.name);
  const ends = (machine?.transitions ?? []).flatMap(({ by, sources }) => (by.kind === "at" ? [{ by, sources }] : []));
  const [end] = ends;
  if (source === undefined || end === undefined || context.controls === undefined) return [];
  const areas = new Set<string>();
  return context.api.operations.flatMap((operation) => {
    if (isPublic(operation)) return [];
    const isPlain = operation.method === "GET" && !operation.parameters.some((each) => each.in === "path");
    const isFirst = isPlain && !areas.has(operation.area);
    if (isFirst) areas.add(operation.area);
    const invalid = refusedWith(context, operation, { id: context.api.scopes?.errors.invalid, usual: [401, 403] });
    const by: Caller = { token: { $get: `credential#/${source.secret}` } };
    const { before, call } = isFirst
      ? planOf(context, operation, { objects: "shared" })
      : refusedPlan(context, operation);
    return [
      caseOf(context, {
        operation,
        kind: "security",
        about: ["security", "expired-token"],
        title: `${operation.name} is rejected with a token that has expired${isFirst ? ", and not before" : ""}`,
        requirements: [...invalid.requirements, ...requirementsOf(end.sources)],
        steps: [
          ...before,
          made(context, source, { fresh: true, with: { [end.by.at]: { $time: "PT1H" } } }),
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
function made(
  { api }: Context,
  { resource, scopes }: TokenSource,
  { fresh = false, with: laid = {} }: { readonly fresh?: boolean; readonly with?: Record<string, Template> } = {},
): MakeStep {
  return {
    make: resource.name,
    as: "credential",
    with: { [scopes]: api.scopes?.all ?? "*", ...laid },
    ...(fresh ? { fresh: true as const } : {}),
  };
}

function revoking(context: Context, { resource }: TokenSource): readonly Step[] {
  const remove = context.operations.get(resource.delete ?? "");
  const [own] = (remove?.parameters ?? []).filter((each) => each.in === "path").slice(-1);
  if (remove === undefined || own === undefined) return [];
  return [given({ call: remove.name, path: { [own.name]: { $get: `credential#/${own.reference?.by ?? "id"}` } } })];
}

import type { CallStep, Case, Template } from "@plumbline/conformance-runtime";
import type { Operation } from "@plumbline/kit/model";
import { createCase, requirementIds, type ConformanceContext } from "../../context/context.js";
import { objectName } from "../../context/object-name.js";
import { schemeRequirements } from "../../context/security-schemes.js";
import { findTokenSource } from "../../requests/callers.js";
import { expectRejection } from "../../requests/expect-error.js";
import { setupStep, planRequest } from "../../requests/request-plan.js";
import { requiredScopesOf } from "./scope-grammar.js";

/** Cases of resources that are credentials: a token works until its resource is deleted. */
export function credentialCases(context: ConformanceContext): readonly Case[] {
  const { scopeGrammar } = context.api;
  const probe =
    scopeGrammar && context.api.operations.find((each) => requiredScopesOf(each, scopeGrammar)?.length === 0);
  if (scopeGrammar === undefined || probe === undefined) return [];
  return scopeGrammar.credentials.flatMap(({ to }) => {
    const remove = context.operations.get(context.resources.get(to)?.delete ?? "");
    if (remove === undefined || context.settings.fixtures[to] === undefined) return [];
    return [
      endCase(context, { to, deletion: remove, probe }),
      ...ownTokenCase(context, { to, deletion: remove, probe }),
    ];
  });
}

interface CredentialDeletion {
  readonly to: string;
  readonly deletion: Operation;
  /** An operation that requires a token, but no scope. */
  readonly probe: Operation;
}

function endCase(context: ConformanceContext, { to, deletion, probe }: CredentialDeletion): Case {
  const plan = planRequest(context, deletion, { objects: "own" });
  const invalid = expectRejection(context, probe, {
    id: context.api.scopeGrammar?.errors.invalid,
    defaultStatuses: [401],
  });
  const asking: CallStep = { call: probe.name, by: { token: { $get: tokenOf(context, to) } } };
  return createCase(context, {
    operation: deletion,
    kind: "security",
    idParts: ["security", "ends-its-token"],
    title: `A token works until ${deletion.name} deletes it`,
    requirements: [
      ...invalid.requirements,
      ...endRequirements(context, { to, deletion }),
      ...schemeRequirements(context, "token"),
    ],
    requires: plan.requires,
    steps: [...plan.setupSteps, asking, setupStep(plan.call), { ...asking, expect: invalid.expect }],
  });
}

/** A caller that deletes its own token is locked out. */
function ownTokenCase(context: ConformanceContext, { to, deletion, probe }: CredentialDeletion): readonly Case[] {
  const source = findTokenSource(context);
  if (source === undefined || source.resource.name !== to) return [];
  const plan = planRequest(context, deletion, { objects: "own" });
  const invalid = expectRejection(context, probe, {
    id: context.api.scopeGrammar?.errors.invalid,
    defaultStatuses: [401],
  });
  const by = { token: { $get: tokenOf(context, to) } };
  const laid: Template = { [source.scopes]: context.api.scopeGrammar?.all ?? "*" };
  const before = plan.setupSteps.map((step) => ("make" in step && step.make === to ? { ...step, with: laid } : step));
  return [
    createCase(context, {
      operation: deletion,
      kind: "security",
      idParts: ["security", "of-itself"],
      title: `${deletion.name} deletes the token of its own request`,
      requirements: [...invalid.requirements, ...endRequirements(context, { to, deletion })],
      requires: plan.requires,
      steps: [...before, { ...plan.call, by }, { call: probe.name, by, expect: invalid.expect }],
    }),
  ];
}

function tokenOf(context: ConformanceContext, to: string): string {
  const source = findTokenSource(context);
  return `${objectName(to)}#/${source?.resource.name === to ? source.secret : "token"}`;
}

function endRequirements(
  { api }: ConformanceContext,
  { to, deletion }: Pick<CredentialDeletion, "to" | "deletion">,
): readonly string[] {
  const moves = api.stateMachines
    .filter(({ resource }) => resource === to)
    .flatMap(({ transitions }) =>
      transitions.filter(({ event }) => event.kind === "operation" && event.operation === deletion.name),
    );
  return moves.flatMap(({ sources }) => requirementIds(sources));
}

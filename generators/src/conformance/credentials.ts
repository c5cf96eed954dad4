import type { CallStep, Case, Template } from "@plumbline/conformance-runtime";
import type { Operation } from "../model/api.js";
import { caseOf, requirementsOf, type Context } from "./context.js";
import { tokenSource } from "./callers.js";
import { given, nameOf, planOf } from "./plans.js";
import { refusedWith } from "./refused.js";
import { wantedOf } from "./scope-grammar.js";
import { schemeRequirements } from "./schemes.js";

/** Cases of resources that are credentials: a token works until its resource is deleted. */
export function credentialCases(context: Context): readonly Case[] {
  const { scopes } = context.api;
  const probe = scopes && context.api.operations.find((each) => wantedOf(each, scopes)?.length === 0);
  if (scopes === undefined || probe === undefined) return [];
  return scopes.credentials.flatMap(({ to }) => {
    const remove = context.operations.get(context.resources.get(to)?.delete ?? "");
    if (remove === undefined || context.settings.recipes[to] === undefined) return [];
    return [endCase(context, { to, remove, probe }), ...selfCase(context, { to, remove, probe })];
  });
}

interface Ending {
  readonly to: string;
  readonly remove: Operation;
  /** An operation that requires a token, but no scope. */
  readonly probe: Operation;
}

function endCase(context: Context, { to, remove, probe }: Ending): Case {
  const plan = planOf(context, remove, { objects: "own" });
  const invalid = refusedWith(context, probe, { id: context.api.scopes?.errors.invalid, usual: [401] });
  const asking: CallStep = { call: probe.name, by: { token: { $get: tokenOf(context, to) } } };
  return caseOf(context, {
    operation: remove,
    kind: "security",
    about: ["security", "ends-its-token"],
    title: `A token works until ${remove.name} deletes it`,
    requirements: [
      ...invalid.requirements,
      ...endRequirements(context, { to, remove }),
      ...schemeRequirements(context, "token"),
    ],
    needs: plan.needs,
    steps: [...plan.before, asking, given(plan.call), { ...asking, expect: invalid.expect }],
  });
}

/** A caller that deletes its own token is locked out. */
function selfCase(context: Context, { to, remove, probe }: Ending): readonly Case[] {
  const source = tokenSource(context);
  if (source === undefined || source.resource.name !== to) return [];
  const plan = planOf(context, remove, { objects: "own" });
  const invalid = refusedWith(context, probe, { id: context.api.scopes?.errors.invalid, usual: [401] });
  const by = { token: { $get: tokenOf(context, to) } };
  const laid: Template = { [source.scopes]: context.api.scopes?.all ?? "*" };
  const before = plan.before.map((step) => ("make" in step && step.make === to ? { ...step, with: laid } : step));
  return [
    caseOf(context, {
      operation: remove,
      kind: "security",
      about: ["security", "of-itself"],
      title: `${remove.name} deletes the token of its own request`,
      requirements: [...invalid.requirements, ...endRequirements(context, { to, remove })],
      needs: plan.needs,
      steps: [...before, { ...plan.call, by }, { call: probe.name, by, expect: invalid.expect }],
    }),
  ];
}

function tokenOf(context: Context, to: string): string {
  const source = tokenSource(context);
  return `${nameOf(to)}#/${source?.resource.name === to ? source.secret : "token"}`;
}

function endRequirements({ api }: Context, { to, remove }: Pick<Ending, "to" | "remove">): readonly string[] {
  const moves = api.machines
    .filter(({ resource }) => resource === to)
    .flatMap(({ transitions }) =>
      transitions.filter(({ by }) => by.kind === "operation" && by.operation === remove.name),
    );
  return moves.flatMap(({ sources }) => requirementsOf(sources));
}

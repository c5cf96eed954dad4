import type { CallStep, Case } from "@plumbline/conformance-runtime";
import type { Operation } from "@plumbline/kit/model";
import { createCase, requirementIds, type ConformanceContext } from "../../context/context.js";
import { expectRejection } from "../../requests/expect-error.js";
import { objectNames, pathReferences, readObject } from "../../requests/object-chains.js";
import { planRequest, setupStep } from "../../requests/request-plan.js";

/** Cases of `If-Match` (RFC 9110, 13.1.1) where an operation documents the header and 412: a stale, the current, and no entity tag. */
export function preconditionCases(context: ConformanceContext, operation: Operation): readonly Case[] {
  const header = operation.parameters.find((each) => each.in === "header" && /^if-match$/i.test(each.name));
  const documents = (status: number): boolean => operation.responses.some((each) => each.status === status);
  if (header === undefined || operation.method === "GET" || !documents(412)) return [];
  const plan = planRequest(context, operation, { objects: "own" });
  const last = pathReferences(operation).at(-1);
  const readCall = readObject(
    context,
    context.resources.get(last?.reference.to ?? ""),
    objectNames(operation, plan.names),
  );
  const reading = context.operations.get(readCall?.call ?? "");
  const showsTag = reading?.responses.some(
    ({ status, headers }) => status === 200 && headers.some(({ name }) => /^etag$/i.test(name)),
  );
  const { [header.name]: _tag, ...others } = plan.call.headers ?? {};
  const withTag = (tag: CallStep["headers"]): CallStep => ({ ...plan.call, headers: { ...others, ...tag } });
  const create = (about: string, title: string, steps: Case["steps"], requirements: readonly string[] = []): Case =>
    createCase(context, {
      operation,
      kind: "http",
      idParts: ["http", "if-match", about],
      title: `${operation.name} ${title}`,
      requirements: [...requirementIds(header.sources), ...requirements],
      contextRequirements: requirementIds(operation.sources),
      requires: plan.requires,
      exclusive: plan.exclusive,
      steps: [...plan.setupSteps, ...steps],
    });
  const stale = expectRejection(context, operation, { defaultStatuses: [412] });
  const absent = expectRejection(context, operation, { defaultStatuses: [428] });
  const before = readCall === undefined ? [] : [setupStep({ ...readCall, as: "before" })];
  const after = readCall === undefined ? [] : [{ ...readCall, expect: { body: { const: { $get: "before#/body" } } } }];
  return [
    create(
      "stale",
      "rejects a stale If-Match and changes nothing",
      [...before, { ...withTag({ [header.name]: '"plumbline-stale"' }), expect: stale.expect }, ...after],
      stale.requirements,
    ),
    ...(readCall !== undefined && showsTag === true
      ? [
          create("current", "accepts the current ETag as If-Match", [
            ...before,
            withTag({ [header.name]: { $get: "before#/headers/etag" } }),
          ]),
        ]
      : []),
    ...(documents(428)
      ? [create("absent", "requires If-Match", [{ ...withTag({}), expect: absent.expect }], absent.requirements)]
      : []),
  ];
}

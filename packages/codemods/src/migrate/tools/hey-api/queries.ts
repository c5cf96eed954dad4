import type { Operation } from "@plumbline/kit/model";
import { ts } from "ts-morph";
import { indentAt } from "../../../handlers/syntax/source-style.js";
import { printCall } from "../client/call-text.js";
import { notUnderstood, type Obstacle } from "../client/decisions.js";
import type { GeneratedClient } from "../client/generated-client.js";
import { findWithin, resolveDeclaration } from "../client/generated-imports.js";
import type { TextOf } from "../nested-edits.js";
import { infiniteText } from "../queries/infinite-text.js";
import { mutationProperties, planOptionsUse, spreadIn } from "../queries/plan-hook.js";
import { queryModuleMissing, type QueryModule } from "../queries/query-module.js";
import type { RecordEdits, ResultMigration } from "../results/migrated-call.js";
import { markCatch, operationOfSdk, type CallOptions } from "./calls.js";

/** What a function that hey-api generates for TanStack Query returns. */
export type QueryKind = "Options" | "InfiniteOptions" | "QueryKey" | "InfiniteQueryKey" | "Mutation";

/** A function that hey-api generates for TanStack Query. */
export interface QueryFunction {
  readonly operation: Operation;
  readonly kind: QueryKind;
}

/** Reads a generated function: `listPetsOptions`, `listPetsQueryKey`, `createPetMutation`. */
export function readQueryFunction(
  declaration: ts.Declaration,
  client: GeneratedClient,
  checker: ts.TypeChecker,
): QueryFunction | undefined {
  if (!declaration.getSourceFile().fileName.includes("/@tanstack/") || !ts.isVariableDeclaration(declaration))
    return undefined;
  const [, base, kind] = /^(.*?)((?:Infinite)?(?:Options|QueryKey)|Mutation)$/.exec(declaration.name.getText()) ?? [];
  if (base === undefined || kind === undefined) return undefined;
  const names = kind.endsWith("QueryKey") ? [`${base}Options`, `${base}InfiniteOptions`] : [`${base}${kind}`];
  const operation = findWithin(declaration.getSourceFile(), (node) => {
    if (!ts.isVariableDeclaration(node) || !names.includes(node.name.getText())) return undefined;
    return findWithin(node, (each) => {
      const called =
        ts.isCallExpression(each) && ts.isIdentifier(each.expression) && resolveDeclaration(each.expression, checker);
      return called ? operationOfSdk(called, client) : undefined;
    });
  });
  return operation && { operation, kind: kind as QueryKind };
}

/** A call of such a function. */
interface GeneratedQuery extends QueryFunction {
  readonly call: ts.CallExpression;
  readonly declaration: ts.Declaration;
  readonly options: CallOptions;
  readonly clientText: (textOf: TextOf) => string;
  readonly functionName: () => string;
}

/** Reads a call of such a function. Returns what records its edits, or why it stays. */
export function planQueryCall(
  query: GeneratedQuery,
  migration: ResultMigration & { readonly queries: QueryModule },
): RecordEdits | Obstacle {
  const { call, operation, kind, options } = query;
  const { recorder, queries } = migration;
  const name = call.expression.getText();
  const target = kind === "Mutation" ? "Mutation" : "Query";
  if (!queries.has(operation, target)) return { list: "toDecide", message: queryModuleMissing };
  if (options.throws !== undefined || (kind === "Mutation" && call.arguments.length > 0))
    return notUnderstood(`The options of \`${name}\` have no counterpart.`);
  const record = planners[kind](query, migration);
  if (record === undefined) return notUnderstood(`The code around \`${name}\` uses it in another way.`);
  return () => {
    record();
    recorder.report("done", call, `\`${name}\` is \`${operation.name}${target}\`.`);
  };
}

type Planner = (
  query: GeneratedQuery,
  migration: ResultMigration & { readonly queries: QueryModule },
) => RecordEdits | undefined;

const planners: Readonly<Record<QueryKind, Planner>> = {
  QueryKey:
    (query, { recorder, queries }) =>
    () =>
      recorder.replace(query.call, (textOf) => `${queryText(query, queries, textOf)}.queryKey`),
  InfiniteQueryKey:
    (query, { recorder, queries }) =>
    () =>
      recorder.replace(query.call, (textOf) => `[...${queryText(query, queries, textOf)}.queryKey, "pages"]`),
  Options(query, migration) {
    const { call } = query;
    const { recorder, queries } = migration;
    const isKey = ts.isPropertyAccessExpression(call.parent) && call.parent.name.text === "queryKey";
    const uses = isKey ? () => undefined : planUse(query, migration);
    return (
      uses &&
      (() => {
        uses();
        recorder.replace(call, (textOf) => queryText(query, queries, textOf));
      })
    );
  },
  InfiniteOptions(query, migration) {
    const { call, declaration, operation, options } = query;
    const { recorder, queries } = migration;
    const page = pageOf(declaration);
    const object = spreadIn(call);
    if (page === undefined || object === undefined || !startsAtLiteral(object)) return undefined;
    const uses = planUse(query, migration);
    return (
      uses &&
      (() => {
        uses();
        recorder.replace(call.parent, (textOf) =>
          infiniteText(
            {
              call: { ...options, name: query.functionName(), client: query.clientText(textOf) },
              query: queries.nameIn(call.getSourceFile(), operation, "Query"),
              page,
              indent: indentAt(call.getSourceFile().text, call.getStart()),
            },
            textOf,
          ),
        );
      })
    );
  },
  Mutation(query, migration) {
    const { call, operation, clientText } = query;
    const { recorder, queries } = migration;
    const options = spreadIn(call);
    const uses = planUse(query, migration);
    return (
      uses &&
      (() => {
        uses();
        recorder.replace(options === undefined ? call : call.parent, (textOf) => {
          const name = queries.nameIn(call.getSourceFile(), operation, "Mutation");
          const mutation = `${name}(${clientText(textOf)})`;
          const printed = mutationProperties(mutation, options).join(", ");
          return options === undefined ? `{ ${printed} }` : printed;
        });
      })
    );
  },
};

function queryText(
  { call, operation, options, clientText }: GeneratedQuery,
  queries: QueryModule,
  textOf: TextOf,
): string {
  const name = queries.nameIn(call.getSourceFile(), operation, "Query");
  return printCall({ ...options, name, client: clientText(textOf) }, textOf);
}

function planUse({ call, operation }: GeneratedQuery, migration: ResultMigration): RecordEdits | undefined {
  const planned = planOptionsUse(
    { call, operation, planVariables: (variables) => planVariables(variables, operation) },
    migration,
  );
  if (planned === undefined) return undefined;
  return () => {
    planned.record();
    markCatch(planned.owner, migration.recorder);
  };
}

/** The variables of a mutation are a request, before and after. */
function planVariables(variables: ts.Expression | undefined, { parameters }: Operation): RecordEdits | undefined {
  const keys = new Set([
    "path",
    "query",
    "body",
    ...(parameters.some((each) => each.in === "header") ? ["headers"] : []),
  ]);
  const isRequest =
    variables === undefined ||
    (ts.isObjectLiteralExpression(variables) &&
      variables.properties.every(({ name }) => keys.has(name?.getText() ?? "")));
  return isRequest ? () => undefined : undefined;
}

/** The parameter of the query that selects a page: `query: { page: pageParam }` in generated code. */
function pageOf(declaration: ts.Declaration): string | undefined {
  return findWithin(declaration, (node) => {
    const isPage = ts.isPropertyAssignment(node) && node.initializer.getText() === "pageParam";
    const group = isPage ? node.parent.parent : undefined;
    return isPage && group !== undefined && ts.isPropertyAssignment(group) && group.name.getText() === "query"
      ? node.name.getText()
      : undefined;
  });
}

/** Whether pages begin at a number or a text, and not at an object with parameters. */
function startsAtLiteral({ properties }: ts.ObjectLiteralExpression): boolean {
  const first = properties.find(({ name }) => name?.getText() === "initialPageParam");
  return (
    first !== undefined &&
    ts.isPropertyAssignment(first) &&
    (ts.isNumericLiteral(first.initializer) || ts.isStringLiteralLike(first.initializer))
  );
}

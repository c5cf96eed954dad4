import type { Operation } from "@plumbline/kit/model";
import { ts } from "ts-morph";
import { importedNames } from "../../../handlers/syntax/imports.js";
import { printArgument, printCall, printObject, printProperty, type ArgumentProperty } from "../client/call-text.js";
import { notUnderstood, type Obstacle } from "../client/decisions.js";
import { statementOf, variableNamedBy, variableOf, type OldClient } from "../client/old-clients.js";
import type { TextOf } from "../nested-edits.js";
import { mentionsOf } from "../queries/hook-reads.js";
import { infiniteText } from "../queries/infinite-text.js";
import { mutationProperties, planHook, planOptionsUse } from "../queries/plan-hook.js";
import { queryModuleMissing } from "../queries/query-module.js";
import type { RecordEdits } from "../results/migrated-call.js";
import { readInit, readRequest, titleOf, type FetchRequest } from "./calls.js";
import type { FetchMigration } from "./fetch-migration.js";

/** What openapi-react-query creates for a client: `const $api = createQueryClient(client)`. */
export interface QueryClientCode {
  readonly creation: ts.CallExpression;
  readonly variable: ts.VariableDeclaration;
  readonly client: OldClient;
  readonly calls: readonly QueryCall[];
  /** Whether code uses it in other ways, too. */
  readonly isHeld: boolean;
}

/** A call such as `$api.useQuery("get", "/pets")`, and what becomes of it. */
export interface QueryCall {
  readonly call: ts.Expression;
  readonly plan: RecordEdits | Obstacle;
  /** The operation whose data it names in the cache of TanStack Query. */
  readonly cached: Operation | undefined;
}

/** Finds what openapi-react-query creates, and its calls. */
export function findQueryClients(
  byVariable: ReadonlyMap<ts.VariableDeclaration, OldClient>,
  migration: FetchMigration,
): readonly QueryClientCode[] {
  const { recorder } = migration;
  const found: QueryClientCode[] = [];
  for (const file of recorder.allFiles) {
    if (file.isDeclarationFile || !file.text.includes("openapi-react-query")) continue;
    const creator = importedNames(file).find(
      ({ module, imported }) => module === "openapi-react-query" && imported === "default",
    );
    const visit = (node: ts.Node): void => {
      ts.forEachChild(node, visit);
      if (!ts.isCallExpression(node) || node.expression.getText() !== creator?.local) return;
      const [argument] = node.arguments;
      const named = argument && variableNamedBy(argument, recorder.checker);
      const client = named && byVariable.get(named);
      const variable = variableOf(node);
      if (client !== undefined && variable !== undefined)
        found.push(readQueryClient(node, { variable, client }, migration));
    };
    if (creator !== undefined) visit(file);
  }
  return found;
}

function readQueryClient(
  creation: ts.CallExpression,
  { variable, client }: Pick<QueryClientCode, "variable" | "client">,
  migration: FetchMigration,
): QueryClientCode {
  const mentions = mentionsOf(variable, variable.name.getText(), migration.recorder);
  const calls = mentions.flatMap((node) => {
    const call = ts.isPropertyAccessExpression(node.parent) ? node.parent.parent : undefined;
    return call !== undefined && ts.isCallExpression(call) && call.expression === node.parent
      ? [planQueryCall(call, client, migration)]
      : [];
  });
  return {
    creation,
    variable,
    client,
    calls,
    isHeld: calls.length < mentions.length || statementOf(variable) === undefined,
  };
}

function planQueryCall(call: ts.CallExpression, client: OldClient, migration: FetchMigration): QueryCall {
  const member = ts.isPropertyAccessExpression(call.expression) ? call.expression.name.text : "";
  const planner = Object.hasOwn(planners, member) ? planners[member] : undefined;
  const isMutation = member === "useMutation";
  const [method, path, ...others] = call.arguments;
  const init = isMutation ? undefined : others.shift();
  const [options, queryClient] = others;
  const read = readRequest([method, path, isEmpty(init) ? undefined : init], "", migration.client);
  const cached = "message" in read || isMutation ? undefined : read.operation;
  if (planner === undefined) return { call, cached, plan: notUnderstood(`\`${member}\` has no rewrite.`) };
  if ("message" in read) return { call, cached: cachedBy(method, path, migration), plan: read };
  const { operation } = read;
  const kind = isMutation ? "Mutation" : "Query";
  if (!migration.queries.has(operation, kind))
    return { call, cached, plan: { list: "toDecide", message: queryModuleMissing } };
  const record = planner({ call, client, options, queryClient, ...read }, migration);
  if (record === undefined)
    return {
      call,
      cached,
      plan: notUnderstood(`The code around \`${member}\` uses ${titleOf(operation)} in another way.`),
    };
  const plan = (): void => {
    record();
    migration.recorder.report("done", call, `${titleOf(operation)} is \`${operation.name}${kind}\`.`);
  };
  return { call, cached, plan };
}

function isEmpty(node: ts.Expression | undefined): boolean {
  return node === undefined || node.getText() === "undefined";
}

/** The operation of a call whose other arguments are not understood. */
function cachedBy(
  method: ts.Expression | undefined,
  path: ts.Expression | undefined,
  { client }: FetchMigration,
): Operation | undefined {
  const read = readRequest([method, path], "", client);
  return "message" in read ? undefined : read.operation;
}

interface HookArguments extends FetchRequest {
  readonly call: ts.CallExpression;
  readonly client: OldClient;
  readonly options: ts.Expression | undefined;
  readonly queryClient: ts.Expression | undefined;
}

type Planner = (hook: HookArguments, migration: FetchMigration) => RecordEdits | undefined;

const planQuery: Planner = (hook, migration) => {
  const { call, options, queryClient } = hook;
  const { recorder } = migration;
  const uses = planHook({ ...hook, options: literalOf(options), planVariables: () => undefined }, migration);
  if (uses === undefined) return undefined;
  return () => {
    uses();
    recorder.replace(call, (textOf) => {
      const query = withOptions(queryText(hook, migration, textOf), options, textOf);
      return hookText({ call, queryClient, argument: query }, migration, textOf);
    });
  };
};

const planQueryOptions: Planner = (hook, migration) => {
  const { call, options, operation } = hook;
  const { parent } = call;
  const isKey = ts.isPropertyAccessExpression(parent) && parent.name.text === "queryKey";
  const uses = isKey
    ? { record: () => undefined }
    : planOptionsUse({ call, operation, planVariables: () => undefined }, migration);
  if (uses === undefined || options !== undefined) return undefined;
  // The key of `queryOptions` has the type of its data.
  const owner = isKey ? parent.parent : undefined;
  const isTyped = owner !== undefined && ts.isCallExpression(owner) && owner.expression.getText().endsWith("QueryData");
  return () => {
    uses.record();
    migration.recorder.replace(call, (textOf) => {
      const query = queryText(hook, migration, textOf);
      return isTyped ? hookText({ call, queryClient: undefined, argument: query }, migration, textOf) : query;
    });
  };
};

const planInfiniteQuery: Planner = (hook, migration) => {
  const { call, options, queryClient, init, operation, client } = hook;
  const { recorder, newClients, queries } = migration;
  const literal = literalOf(options);
  const page = literal && pageOf(literal);
  const uses = literal && planHook({ ...hook, options: literal, planVariables: () => undefined }, migration);
  if (literal === undefined || page === undefined || uses === undefined) return undefined;
  return () => {
    uses();
    recorder.replace(call, (textOf) => {
      const file = call.getSourceFile();
      const name = recorder.importName(file, { imported: operation.name, isType: false });
      const load = { ...init, name, client: newClients.nameIn(client, file) };
      const query = queries.nameIn(file, operation, "Query");
      const rest = literal.properties.filter((each) => each.name?.getText() !== "pageParamName");
      const argument = printObject(
        [
          (indent) => infiniteText({ call: load, query, page, indent }, textOf),
          ...rest.map((from) => (indent: string) => printProperty(propertyOf(from), indent, textOf)),
        ],
        literal,
        call,
      );
      return hookText({ call, queryClient, argument }, migration, textOf);
    });
  };
};

const planMutation: Planner = (hook, migration) => {
  const { call, options, queryClient, operation, client } = hook;
  const { recorder, newClients, queries } = migration;
  const literal = literalOf(options);
  if ((options !== undefined && literal === undefined) || !ignoresVariables(literal)) return undefined;
  const uses = planHook(
    { ...hook, options: literal, planVariables: (each) => planVariables(each, operation, migration) },
    migration,
  );
  if (uses === undefined) return undefined;
  return () => {
    uses();
    recorder.replace(call, (textOf) => {
      const file = call.getSourceFile();
      const mutation = `${queries.nameIn(file, operation, "Mutation")}(${newClients.nameIn(client, file)})`;
      const printed = mutationProperties(mutation, literal);
      const own = (literal?.properties ?? []).map(
        (from) => (indent: string) => printProperty(propertyOf(from), indent, textOf),
      );
      const argument = printObject([...printed.map((each) => () => each), ...own], literal, call);
      return hookText({ call, queryClient, argument }, migration, textOf);
    });
  };
};

const planners: Readonly<Record<string, Planner>> = {
  useQuery: planQuery,
  useSuspenseQuery: planQuery,
  useInfiniteQuery: planInfiniteQuery,
  useMutation: planMutation,
  queryOptions: planQueryOptions,
};

function literalOf(options: ts.Expression | undefined): ts.ObjectLiteralExpression | undefined {
  return options !== undefined && ts.isObjectLiteralExpression(options) ? options : undefined;
}

function propertyOf(from: ts.ObjectLiteralElementLike): ArgumentProperty {
  return { key: from.name?.getText() ?? "", from };
}

function queryText(
  { call, client, operation, init }: HookArguments,
  { newClients, queries }: FetchMigration,
  textOf: TextOf,
): string {
  const file = call.getSourceFile();
  const name = queries.nameIn(file, operation, "Query");
  return printCall({ ...init, name, client: newClients.nameIn(client, file) }, textOf);
}

/** A query with the options that the code adds. */
function withOptions(query: string, options: ts.Expression | undefined, textOf: TextOf): string {
  if (options === undefined) return query;
  const literal = literalOf(options);
  if (literal === undefined) return `{ ...${query}, ...${textOf(options)} }`;
  const own = literal.properties.map((from) => (indent: string) => printProperty(propertyOf(from), indent, textOf));
  return printObject([() => `...${query}`, ...own], literal);
}

/** The call of the hook of TanStack Query itself. */
function hookText(
  {
    call,
    queryClient,
    argument,
  }: { readonly call: ts.CallExpression; readonly queryClient: ts.Expression | undefined; readonly argument: string },
  { recorder }: FetchMigration,
  textOf: TextOf,
): string {
  const imported = ts.isPropertyAccessExpression(call.expression) ? call.expression.name.text : "";
  const name = recorder.importName(call.getSourceFile(), { imported, isType: false, module: "@tanstack/react-query" });
  return `${name}(${argument}${queryClient === undefined ? "" : `, ${textOf(queryClient)}`})`;
}

/** The parameter of the query that selects a page, where pages begin at a number or a text. */
function pageOf({ properties }: ts.ObjectLiteralExpression): string | undefined {
  const valueOfProperty = (key: string): ts.Expression | undefined => {
    const property = properties.find(({ name }) => name?.getText() === key);
    return property !== undefined && ts.isPropertyAssignment(property) ? property.initializer : undefined;
  };
  const start = valueOfProperty("initialPageParam");
  const name = valueOfProperty("pageParamName");
  if (start === undefined || !(ts.isNumericLiteral(start) || ts.isStringLiteralLike(start))) return undefined;
  if (name === undefined) return "cursor";
  return ts.isStringLiteralLike(name) ? name.text : undefined;
}

/** How many parameters callbacks have before the one with the variables of a mutation, which have another form now. */
const parametersBefore: Readonly<Record<string, number>> = { onMutate: 0, onSuccess: 1, onError: 1, onSettled: 2 };

function ignoresVariables(options: ts.ObjectLiteralExpression | undefined): boolean {
  return (options?.properties ?? []).every((each) => {
    const limit = parametersBefore[each.name?.getText() ?? ""];
    const value = ts.isPropertyAssignment(each) ? each.initializer : each;
    return limit === undefined || (ts.isFunctionLike(value) && value.parameters.length <= limit);
  });
}

function planVariables(
  variables: ts.Expression | undefined,
  operation: Operation,
  { recorder }: FetchMigration,
): RecordEdits | undefined {
  if (variables === undefined) return () => undefined;
  const read = readInit(variables, operation);
  if ("message" in read || read.options.length > 0) return undefined;
  return () => recorder.replace(variables, (textOf) => printArgument(read.request, read.like, textOf));
}

/** A key that code writes itself: `["get", "/pets"]`. */
export function planWrittenKey(
  key: ts.ArrayLiteralExpression,
  client: OldClient | undefined,
  migration: FetchMigration,
): QueryCall | undefined {
  const [method, path, init, ...others] = key.elements;
  if (method === undefined || path === undefined || !ts.isStringLiteralLike(method) || !ts.isStringLiteralLike(path))
    return undefined;
  const operation = cachedBy(method, path, migration);
  if (operation === undefined) return undefined;
  const read = readRequest([method, path, init], "", migration.client);
  const needsRequest = operation.path.includes("{") && init === undefined;
  const { recorder, queries } = migration;
  if (
    "message" in read ||
    others.length > 0 ||
    needsRequest ||
    client === undefined ||
    !queries.has(operation, "Query")
  )
    return { call: key, cached: operation, plan: notUnderstood(`The key of ${titleOf(operation)} has no rewrite.`) };
  const plan = (): void => {
    recorder.replace(key, (textOf) => {
      const file = key.getSourceFile();
      const name = queries.nameIn(file, operation, "Query");
      return `${printCall({ ...read.init, name, client: migration.newClients.nameIn(client, file) }, textOf)}.queryKey`;
    });
    recorder.report("done", key, `The key is the one of \`${operation.name}Query\`.`);
  };
  return { call: key, cached: operation, plan };
}

import {
  type TextFile,
  code,
  docComment,
  importValue,
  isIdentifier,
  joinCode,
  propertyKey,
  jsonLiteral,
  identifier,
  printSourceFile,
  importType,
  type Code,
  type ArtifactOptions,
  TypePrinter,
} from "@plumbline/kit/codegen";
import {
  type Api,
  nameInWords,
  type Operation,
  type Schema,
  type StateMachine,
  findJsonContent,
  camelCase,
  isReservedWord,
  memoize,
  unreachableStates,
  DiagnosticsError,
  type Diagnostic,
} from "@plumbline/kit/model";
import { requestTypeName, operationFile, isNameFree } from "./names.js";
import { successResponses } from "./responses.js";
import { clientRuntime } from "./runtime.js";

/** Emits `states.ts`: functions that wait until a resource is in a state, one for each state machine whose states a response contains. */
export function emitClientStates(api: Api, options: ArtifactOptions): readonly TextFile[] {
  const waits = stateWaits(api);
  if (waits.length === 0) return [];
  const diagnostics = findNameCollisions(waits, options);
  if (diagnostics.length > 0) throw new DiagnosticsError(diagnostics);
  const printer = new TypePrinter(api);
  const reservedNames = waits.flatMap(({ functionName, stateMachine }) => [functionName, tableName(stateMachine)]);
  const statements = waits.flatMap((wait) => [emitStateTable(wait, printer), emitWaitFunction(wait, { api, printer })]);
  return [{ path: "src/gen/states.ts", text: printSourceFile(statements, reservedNames) }];
}

function findNameCollisions(waits: readonly StateWait[], { locate }: ArtifactOptions): readonly Diagnostic[] {
  const used = new Set<string>();
  return waits.flatMap(({ functionName, stateMachine }) => {
    const names = [functionName, tableName(stateMachine)];
    const reserved = names.find((name) => !isIdentifier(name) || isReservedWord(name));
    const clash = names.find((name) => used.has(name)) ?? (names[0] === names[1] ? functionName : undefined);
    for (const name of names) used.add(name);
    const report = (what: string, message: string): Diagnostic => ({
      code: what,
      severity: "error",
      origin: locate(stateMachine.origin),
      message,
      fix: 'Add "x-name" to the state machine, or another one.',
    });
    if (reserved !== undefined) return [report("names/reserved", `A state machine cannot be called ${reserved}.`)];
    return clash === undefined ? [] : [report("names/collision", `Another wait function has the name ${clash}.`)];
  });
}

/** A function that waits for a state. */
interface StateWait {
  /** The function's name: of the resource, or of the state machine if the resource has several. */
  readonly functionName: string;
  readonly stateMachine: StateMachine;
  readonly field: string;
  readonly read: Operation;
  readonly schema: Schema;
}

export const stateWaits: (api: Api) => readonly StateWait[] = memoize((api) =>
  api.stateMachines.flatMap((stateMachine): readonly StateWait[] => {
    const { resource, field } = stateMachine;
    const readName = api.resources.find((each) => each.name === resource)?.read;
    const read = api.operations.find((each) => each.name === readName);
    const schema = read === undefined ? undefined : responseSchema(read);
    if (field === undefined || read === undefined || schema === undefined || !hasField(api, schema, field)) return [];
    const several =
      api.stateMachines.filter((each) => each.resource === resource && each.field !== undefined).length > 1;
    const called = `waitFor${several ? stateMachine.name : resource}`;
    return isNameFree(api, called) ? [{ functionName: called, stateMachine, field, read, schema }] : [];
  }),
);

/** Returns the schema of the response, if there is exactly one and the path parameters are all that the operation requires. */
function responseSchema(read: Operation): Schema | undefined {
  const [response, ...others] = successResponses(read);
  const isAddressed = read.parameters.every((each) => each.in === "path" || !each.required);
  const hasPath = read.parameters.some((each) => each.in === "path");
  if (response === undefined || others.length > 0 || !isAddressed || !hasPath || read.requestBody?.required === true)
    return undefined;
  return findJsonContent(response.contents)?.schema;
}

/** True if generated code can read the field of a value of this schema. */
function hasField(api: Api, { ref, properties = [] }: Schema, field: string): boolean {
  if (properties.some((each) => each.name === field)) return true;
  const target = ref === undefined ? undefined : api.schemas.find((each) => each.name === ref)?.schema;
  return target !== undefined && (target.properties ?? []).some((each) => each.name === field);
}

/** True if a single path parameter identifies the resource. */
export function isAddressedById({ parameters }: Operation): boolean {
  return parameters.filter((each) => each.in === "path").length === 1;
}

function emitStateTable({ stateMachine, field, schema }: StateWait, printer: TypePrinter): Code {
  const ways = [...unreachableStates(stateMachine)].flatMap(([state, others]) =>
    others.length === 0 ? [] : [code`${propertyKey(state)}: ${jsonLiteral(others)},`],
  );
  const access =
    isIdentifier(field) && !isReservedWord(field) ? code`.${identifier(field)}` : code`[${jsonLiteral(field)}]`;
  return code`/** The states that can never follow each state. */
const ${identifier(tableName(stateMachine))}: ${importType("StateWaiter", clientRuntime)}<${printer.type(schema, "./types.js")}, ${targets(stateMachine)}> = {
  description: ${jsonLiteral(nameInWords(stateMachine.resource))},
  stateOf: (resource) => resource${access},
  unreachable: {
    ${ways}
  },
};`;
}

function emitWaitFunction(
  { functionName, stateMachine, read, schema }: StateWait,
  { api, printer }: { readonly api: Api; readonly printer: TypePrinter },
): Code {
  const only = read.parameters.find((each) => each.in === "path");
  const request = importType(requestTypeName(api, read), operationFile(api, read));
  const isOne = only !== undefined && isAddressedById(read);
  const parameter = isOne ? code`id: ${request}["path"][${jsonLiteral(only.name)}]` : code`path: ${request}["path"]`;
  const sent = isOne ? code`path: { ${propertyKey(only.name)}: id }` : code`path`;
  const state = awaitedState(stateMachine);
  const about = docComment([
    `Polls \`${read.name}\` at growing intervals until the ${nameInWords(stateMachine.resource)} is in a state, and returns it.`,
    "",
    "@throws A `WaitError` as soon as no transition can lead to the state, if the object is gone or has no state, at the deadline, or when the signal is aborted.",
    "",
    "@example",
    `await ${functionName}(client, ${isOne ? "id" : "path"}, ${JSON.stringify(state)}, { deadline: new Date(Date.now() + 60_000) });`,
  ]);
  return code`${about}
export function ${identifier(functionName)}(client: ${importType("Client", clientRuntime)}, ${parameter}, target: ${targets(stateMachine)}, options?: ${importType("WaitOptions", clientRuntime)}): Promise<${printer.type(schema, "./types.js")}> {
  return ${importValue("waitFor", clientRuntime)}(${identifier(tableName(stateMachine))}, (each) => ${importValue(read.name, operationFile(api, read))}(client, { ${sent} }, each), { client, target, options });
}`;
}

/** Returns the state that most callers wait for: the final state after creation. */
export function awaitedState({ initial, states }: StateMachine): string {
  const start = initial.find(({ then }) => then.length > 0) ?? initial[0];
  return start?.then.findLast((state) => states.includes(state)) ?? start?.to ?? states[0] ?? "";
}

function targets(stateMachine: StateMachine): Code {
  return joinCode([...unreachableStates(stateMachine).keys()].map(jsonLiteral), code` | `);
}

function tableName({ name: stateMachine }: StateMachine): string {
  return camelCase(stateMachine) ?? stateMachine;
}
